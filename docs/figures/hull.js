// Points in the plane, read by a query: the output stays in the convex hull of the values that may be read.
import { float64, read, scores, softmax, times } from "./arithmetic.js";
import { board, dot, handle, label, segment, shape } from "./board.js";
import { distance, hull } from "./convex.js";
import { mount } from "./frame.js";
import { python, pythonFlags, shown } from "./numbers.js";
import { started } from "./state.js";
import { texts } from "./texts/hull.js";

export const KEYS = [[2, 0], [0, 2], [-2, 0], [0, -2]];
export const PROJECTION = [[0, 1.2], [-1.2, 0]];
export const RESIDUAL = [2.4, 1];
const FLOAT = 2 ** -53;
const pairs = (flat) => flat.filter((_, at) => at % 2 === 0).map((x, at) => [x, flat[2 * at + 1]]);
const plus = (a, b) => a.map((x, axis) => x + b[axis]);

export const figure = {
  name: "hull",
  fields: {
    query: { kind: "numbers", min: -4, max: 4, step: 0.1, start: [1, 0.5] },
    values: { kind: "numbers", min: -3, max: 3, step: 0.1, start: [2, -1.5, 1.5, 2, -1.5, 1.5, -2, -1] },
    mask: { kind: "flags", start: "1111" },
    projection: { kind: "switch", start: false },
    residual: { kind: "switch", start: false },
  },
  steps: [
    { from: { query: [0, 0] }, to: { query: [4, 0] }, truth: (_, after) => (after.place === "inside" ? 0 : 1) },
    { from: { query: [3, 0] }, to: { mask: "0111" }, truth: (_, after) => (after.place === "inside" ? 0 : 1) },
    { from: { query: [2, 1] }, to: { residual: true }, truth: (_, after) => ["inside", "moved", "outside"].indexOf(after.place) },
    { from: { query: [2, -2] }, to: { projection: true }, truth: (_, after) => ["inside", "moved", "outside"].indexOf(after.place) },
  ],

  /** The weights, the output, what becomes of it, and how far that is from the hull of the values before and after the same. */
  compute({ query, values: flat, mask, projection, residual }) {
    const values = pairs(flat);
    const allowed = [...mask].map((flag) => flag === "1");
    const weights = softmax(float64, scores(query, KEYS), { allowed });
    const output = [0, 1].map((axis) => read(float64, weights, values.map((value) => value[axis])));
    const move = (point) => plus(projection ? times(point, PROJECTION) : point, residual ? RESIDUAL : [0, 0]);
    const corners = hull(values.filter((_, key) => allowed[key]));
    const moved = hull(values.filter((_, key) => allowed[key]).map(move));
    const final = move(output);
    const away = [distance(final, corners), distance(final, moved)];
    // Four products and their sum, the weights' own sum, a projection, a residual, and the same for the corners: fewer than 32
    // roundings, of numbers no larger than this.
    const largest = 1.2 * Math.max(...flat.map(Math.abs)) + 2.4;
    const [inside, insideMoved] = away.map((far) => far <= 32 * FLOAT * largest);
    const place = corners.length === 0 ? "nothing" : inside ? "inside" : insideMoved ? "moved" : "outside";
    return { values, allowed, transformed: projection || residual, weights, output, final, corners, moved, away: away.map((far, at) => ([inside, insideMoved][at] ? 0 : far)), place };
  },

  readouts: (_, { weights, output, final, away, place }) => [
    ...weights.map((weight, key) => [`weight_${key}`, shown(weight)]),
    ["x", shown(output[0])],
    ["y", shown(output[1])],
    ["final_x", shown(final[0])],
    ["final_y", shown(final[1])],
    ["away", shown(away[0])],
    ["away_moved", shown(away[1])],
    ["place", texts.places[place]],
  ],

  python({ query, mask, projection, residual }, { values, allowed }) {
    const after = ["output", ...(projection ? [`@ np.array(${python(PROJECTION)})`] : []), ...(residual ? [`+ np.array(${python(RESIDUAL)})`] : [])];
    return [
      "import numpy as np",
      "from duizhao.attention import scores",
      "from duizhao.mask import masked_softmax",
      "from duizhao.read import read",
      "",
      `query, keys = np.array([${python(query)}]), np.array(${python(KEYS)})`,
      `values = np.array(${python(values)})`,
      `weights = masked_softmax(scores(query, keys), np.array(${pythonFlags(allowed)}))[0]`,
      "output = read(weights, values)",
      `print(weights, output, ${after.join(" ")})`,
    ].join("\n");
  },

  async draw(box, set, { picture, names }) {
    let now = figure.compute(started(figure.fields));
    let query = figure.fields.query.start;
    const [plane, asked] = ["wide", "narrow"].map((size) => Object.assign(document.createElement("div"), { className: size }));
    box.append(plane, asked);
    box.classList.add("pair");
    const on = await board(plane, picture, [-6.6, 5, 6.6, -5]);
    segment(on, () => [-6.6, 0], () => [6.6, 0], "axis");
    segment(on, () => [0, -5], () => [0, 5], "axis");
    shape(on, () => now.corners, "hull");
    shape(on, () => (now.transformed ? now.moved : []), "hull moved");
    const flat = (key, [x, y]) => now.values.flatMap((value, other) => (other === key ? [x, y] : value));
    const points = now.values.map((value, key) => handle(on, value, figure.fields.values, names.value(key), (at) => set({ values: flat(key, at) }), "handle first"));
    now.values.forEach((_, key) => label(on, () => plus(now.values[key], [0, 0.62]), () => `${names.value(key)}：${shown(now.weights[key])}`));
    segment(on, () => now.output, () => now.final, "output thin dashed");
    dot(on, () => now.output, "output hollow", { face: "diamond", size: 7 });
    dot(on, () => now.final, "output", { face: "diamond", size: 8 });
    label(on, () => plus(now.final, [0, -0.62]), () => names.output, "label strong");
    const by = await board(asked, names.queries, [-4.8, 4.8, 4.8, -4.8]);
    segment(by, () => [-4.8, 0], () => [4.8, 0], "axis");
    segment(by, () => [0, -4.8], () => [0, 4.8], "axis");
    KEYS.forEach((key, place) => {
      const arrow = segment(by, () => [0, 0], () => key, "key", { lastArrow: { type: 2, size: 5 } });
      label(by, () => key.map((x) => x * 1.4), () => names.key(place), "label small");
      return arrow;
    });
    const asking = handle(by, query, figure.fields.query, names.query, (at) => set({ query: at }), "handle second");
    label(by, () => plus(query, [0, 0.75]), () => names.query, "label strong");
    return ({ state, result, locked }) => {
      [now, query] = [result, state.query];
      asking.show(query, locked);
      points.forEach((point, key) => point.show(now.values[key], locked, !now.allowed[key]));
      on.update();
      by.update();
    };
  },
};

if (typeof document !== "undefined") await mount(figure, texts);
