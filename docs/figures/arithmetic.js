// The reference functions of the Python package, line by line, in float64 or in float16 (float16.js).

export const float64 = {
  name: "float64",
  round: (a) => a,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  exp: Math.exp,
};

const sum = (n, terms) => (terms.length ? terms.reduce(n.add) : 0);

/** exp((s - shift) / T) of the allowed scores, 0 of the others, and their sum: `duizhao.softmax.exponentials`. */
export function exponentials(n, scores, { allowed = scores.map(() => true), temperature = 1 } = {}) {
  const largest = Math.max(...scores.filter((_, key) => allowed[key]));
  const part = temperature >= 4 ? 0.25 : 1;
  const divisor = n.round(temperature * part);
  const powers = scores.map((score, key) =>
    allowed[key] ? n.exp(n.div(n.sub(n.mul(score, part), n.mul(largest, part)), divisor)) : 0);
  return { powers, sum: sum(n, powers) };
}

/** The weights, all 0 where no key is allowed: `duizhao.softmax.softmax` and `duizhao.mask.masked_softmax`. */
export function softmax(n, scores, options) {
  const { powers, sum: total } = exponentials(n, scores, options);
  return powers.map((power) => (total > 0 ? n.div(power, total) : 0));
}

/** The sum of numbers times their weights, added in turn: `duizhao.read.read`. A number whose weight is 0 is not looked at. */
export function read(n, weights, values) {
  return sum(n, weights.map((weight, key) => (weight === 0 ? 0 : n.mul(weight, values[key]))));
}

/** The weights as the temperature falls to 0: `duizhao.temperature.zero_temperature_limit`, over the allowed keys. */
export function coldest(scores, allowed = scores.map(() => true)) {
  const largest = Math.max(...scores.filter((_, key) => allowed[key]));
  const chosen = scores.map((score, key) => allowed[key] && score === largest);
  return shared(chosen);
}

/** The weights as the temperature grows: `duizhao.temperature.infinite_temperature_limit`, over the allowed keys. */
export function hottest(scores, allowed = scores.map(() => true)) {
  return shared(allowed);
}

function shared(chosen) {
  const count = chosen.filter(Boolean).length;
  return chosen.map((here) => (here ? 1 / count : 0));
}

export const dot = (a, b) => a.reduce((total, x, place) => total + x * b[place], 0);

/** q · k / √d of one query with each key: `duizhao.attention.scores`. */
export function scores(query, keys) {
  const scaled = query.map((x) => x * (1 / Math.sqrt(query.length)));
  return keys.map((key) => dot(scaled, key));
}

/** A row vector times a matrix. */
export const times = (row, matrix) => matrix[0].map((_, column) => dot(row, matrix.map((line) => line[column])));

/** What is kept of a block of keys: `duizhao.blockwise.of_block`. */
export function ofBlock(keyScores, values) {
  const max = Math.max(...keyScores);
  const powers = keyScores.map((score) => Math.exp(score - max));
  return { max, sum: sum(float64, powers), acc: read(float64, powers, values) };
}

/** The state of two blocks together: `duizhao.blockwise.merge`; `forgetful` adds without changing to the common shift. */
export function merge(a, b, forgetful = false) {
  const max = Math.max(a.max, b.max);
  const [own, other] = forgetful ? [1, 1] : [Math.exp(a.max - max), Math.exp(b.max - max)];
  return { max, sum: own * a.sum + other * b.sum, acc: own * a.acc + other * b.acc };
}

/** The output of a state: `duizhao.blockwise.out`. */
export const out = (state) => (state.sum === 0 ? 0 : state.acc / state.sum);
