// Two values, read with softmax weights: how near the output comes to the bound, over ℝ and in floats.
import { float64, read, softmax } from "./arithmetic.js";
import { board, dot, handle, label, segment } from "./board.js";
import { float16 } from "./float16.js";
import { mount } from "./frame.js";
import { python, shown } from "./numbers.js";
import { started } from "./state.js";
import { texts } from "./texts/two_values.js";

const VALUE = { kind: "number", min: -2, max: 2, step: 0.1 };
const systems = { float64, float16 };

export const figure = {
  name: "two_values",
  fields: {
    gap: { kind: "number", min: -20, max: 20, step: 0.1, start: 1 },
    temperature: { kind: "number", min: 0.1, max: 10, step: 0.1, start: 1, log: true },
    u: { ...VALUE, start: -1 },
    v: { ...VALUE, start: 1 },
    dtype: { kind: "choice", options: ["float64", "float16"], start: "float64" },
  },
  steps: [
    { from: { gap: 0 }, to: { gap: 2 }, truth: (before, after) => (after.output > before.output ? 0 : after.output < before.output ? 1 : 2) },
    { from: { gap: 2, temperature: 1 }, to: { temperature: 0.2 }, truth: (before, after) => (after.weights[1] > before.weights[1] ? 0 : 1) },
    { from: { gap: 10, temperature: 1 }, to: { gap: 20 }, truth: (_, after) => (after.distance > 0 ? 0 : 1) },
    { from: { gap: 10, temperature: 1 }, to: { dtype: "float16" }, truth: (_, after) => (after.place === "inside" ? 0 : 1) },
  ],

  /** The weights and the output in floats; over ℝ, how far the output is from the nearer bound. */
  compute({ gap, temperature, u, v, dtype }) {
    const n = systems[dtype];
    const values = [u, v].map(n.round);
    const weights = softmax(n, [0, gap].map(n.round), { temperature });
    const output = read(n, weights, values);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const small = Math.exp(-Math.abs(gap) / temperature);
    const outside = Math.max(low - output, output - high);
    const place = outside > 0 ? "outside" : outside === 0 ? "reached" : "inside";
    return { values, weights, output, low, high, outside, place, distance: (small / (1 + small)) * Math.abs(v - u) };
  },

  readouts: (_, { weights, output, low, high, distance, outside, place }) => [
    ["weight_u", shown(weights[0])],
    ["weight_v", shown(weights[1])],
    ["output", shown(output)],
    ["low", shown(low)],
    ["high", shown(high)],
    ["distance", shown(distance)],
    ["float_distance", shown(-outside)],
    ["place", texts.places[place]],
  ],

  python({ gap, temperature, u, v, dtype }) {
    const half = dtype === "float16";
    const kind = half ? ", dtype=np.float16" : "";
    return [
      "import numpy as np",
      "from duizhao.read import read",
      "from duizhao.softmax import softmax",
      "",
      `scores, values = np.array([0.0, ${python(gap)}]${kind}), np.array([${python(u)}, ${python(v)}]${kind})`,
      `w = softmax(scores, temperature=${python(temperature)})`,
      half ? "output = w[0] * values[0] + w[1] * values[1]" : "output = read(w, values)",
      "low, high = values.min(), values.max()",
      `real = softmax(np.array([0.0, ${python(gap)}]), temperature=${python(temperature)}).min() * abs(${python(v)} - ${python(u)})`,
      "print(w[0], w[1], output, low, high, real, min(output - low, high - output))",
    ].filter((line) => !half || line !== "from duizhao.read import read").join("\n");
  },

  async draw(box, set, { picture, names }) {
    const on = await board(box, picture, [-2.6, 2, 2.6, -0.6]);
    let now = figure.compute(started(figure.fields));
    const split = () => -2 + 4 * now.weights[0];
    const bar = (from, to, cssClass) => segment(on, () => [from(), 1.4], () => [to(), 1.4], cssClass, { lineCap: "butt" });
    bar(() => -2, split, "bar first");
    bar(split, () => 2, "bar second");
    label(on, () => [-2, 1.75], () => `${names.weights[0]} ${shown(now.weights[0])}`, "label", { anchorX: "left" });
    label(on, () => [2, 1.75], () => `${names.weights[1]} ${shown(now.weights[1])}`, "label", { anchorX: "right" });
    segment(on, () => [-2.4, 0], () => [2.4, 0], "line");
    for (const mark of [-2, -1, 0, 1, 2]) label(on, () => [mark, -0.35], () => shown(mark), "label small");
    for (const end of ["low", "high"]) segment(on, () => [now[end], -0.2], () => [now[end], 0.72], "bound");
    segment(on, () => [now.low, 0], () => [now.high, 0], "range");
    const ends = ["u", "v"].map((name, place) => handle(on, [now.values[place], 0], VALUE, names.values[place],
      ([x]) => set({ [name]: x }), `handle ${place ? "second" : "first"}`, { snapSizeY: 10 }));
    dot(on, () => [now.output, 0.6], "output", { face: "diamond", size: 8 });
    segment(on, () => [now.output, 0.45], () => [now.output, 0], "output thin");
    label(on, () => [now.output, 0.95], () => `${names.output} ${shown(now.output)}`, "label strong");
    return ({ state, result, locked }) => {
      now = result;
      ends.forEach((end, place) => end.show([state[place ? "v" : "u"], 0], locked));
      on.update();
    };
  },
};

if (typeof document !== "undefined") await mount(figure, texts);
