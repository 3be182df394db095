// What a figure is set to, and how that is written in an address.
//
// A field is one of
//   { kind: "number", min, max, step, start, log, zero }   log: the slider moves by factors; zero: 0 is allowed too, below min
//   { kind: "switch", start }
//   { kind: "choice", options, start }
//   { kind: "numbers", min, max, step, start: [...] }
//   { kind: "flags", start: "1101" }   a switch for each letter
//   { kind: "word", pattern, start }

/** The state that a figure starts with. */
export const started = (fields) => Object.fromEntries(Object.entries(fields).map(([name, { start }]) => [name, start]));

const written = (field, value) => {
  if (field.kind === "switch") return value ? "1" : "0";
  return field.kind === "numbers" ? value.join(",") : String(value);
};

const within = ({ min, max, zero }) => (x) => Number.isFinite(x) && ((x >= min && x <= max) || (zero === true && x === 0));

/** The value that a text stands for; undefined if it stands for none. */
export function readField(field, text) {
  if (field.kind === "switch") return { 0: false, 1: true }[text];
  if (field.kind === "choice") return field.options.includes(text) ? text : undefined;
  if (field.kind === "flags") return /^[01]*$/.test(text) && text.length === field.start.length ? text : undefined;
  if (field.kind === "word") return field.pattern.test(text) ? text : undefined;
  const numbers = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  const wanted = field.kind === "numbers" ? field.start.length : 1;
  if (numbers.length !== wanted || !numbers.every(within(field))) return undefined;
  return field.kind === "numbers" ? numbers : numbers[0];
}

/** The query of an address that gives this state: only what differs from the start. `step` is 0 for free play. */
export function toQuery(fields, state, step) {
  const query = new URLSearchParams();
  for (const [name, field] of Object.entries(fields)) {
    const text = written(field, state[name]);
    if (step === 0 && text !== written(field, field.start)) query.set(name, text);
  }
  if (step === 0 ? [...query].length === 0 : step > 1) query.set("step", String(step));
  return query.toString().replaceAll("%2C", ",");
}

/** The state and the step of a query, and the names of what it gives that cannot be read. */
export function fromQuery(fields, text, steps) {
  const [state, wrong] = [started(fields), []];
  let [step, given] = [1, false];
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === "step") {
      const known = /^\d+$/.test(value) && Number(value) <= steps;
      if (known) step = Number(value);
      else wrong.push(name);
    } else if (Object.hasOwn(fields, name)) {
      const found = readField(fields[name], value);
      if (found === undefined) wrong.push(name);
      else [state[name], given] = [found, true];
    }
  }
  return { state, step: given ? 0 : step, wrong };
}

/** A number moved to the nearest step of its field, inside its bounds. */
export function onStep({ min, max, step }, x) {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Number(Math.min(max, Math.max(min, Math.round(x / step) * step)).toFixed(digits));
}

/** Part of the way from one state to another: numbers move, all else changes at the end. */
export function between(fields, from, to, part) {
  const mix = ({ log }, a, b) => (log && a > 0 && b > 0 ? a ** (1 - part) * b ** part : a + (b - a) * part);
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => {
    const [a, b] = [from[name], to[name]];
    if (part >= 1) return [name, b];
    if (field.kind === "number") return [name, a === b ? a : mix(field, a, b)];
    return [name, field.kind === "numbers" ? a.map((x, place) => mix(field, x, b[place])) : a];
  }));
}
