// Six keys, read block by block: max, sum and acc after every step, in any order, with or without the rescale.
import { float64, merge, ofBlock, out, read, softmax } from "./arithmetic.js";
import { board, dot, label, segment } from "./board.js";
import { make } from "./controls.js";
import { mount } from "./frame.js";
import { python, shown } from "./numbers.js";
import { started } from "./state.js";
import { texts } from "./texts/blocks.js";

const SCORES = [0, 2, 1, 4, 3, 1];
const VALUES = [1, 3, -2, 4, 0, 2];
const places = [0, 1, 2, 3, 4, 5];
const blocksOf = (size) => places.filter((place) => place % size === 0).map((start) => places.slice(start, start + Number(size)));
const COLUMNS = ["max", "sum", "acc", "out"];

export const figure = {
  name: "blocks",
  fields: {
    size: { kind: "choice", options: ["1", "2", "3"], start: "2" },
    scores: { kind: "numbers", min: -20, max: 20, step: 0.5, start: SCORES },
    values: { kind: "numbers", min: -5, max: 5, step: 0.5, start: VALUES },
    forget: { kind: "switch", start: false },
    order: { kind: "word", pattern: /^(?:([0-5])(?!.*\1))*$/, start: "" },
  },
  steps: [
    { from: { order: "0" }, to: { order: "01" }, truth: (before, now) => (now.states[1].sum < before.states[0].sum + now.own[1].sum ? 1 : 0) },
    { from: { order: "01" }, to: { order: "012" }, truth: (_, now) => (now.off === 0 ? 0 : 1) },
    { from: { order: "012" }, to: { order: "201" }, truth: (before, now) => (now.off === 0 && before.off === 0 ? 0 : 1) },
    { from: { order: "012" }, to: { forget: true }, truth: (_, now) => (now.off === 0 ? 0 : 1) },
  ],

  /** Blocks that there are no more of are not read. */
  fit: (state) => ({ ...state, order: [...state.order].filter((block) => Number(block) < 6 / state.size).join("") }),

  /** The state after each block, the dense output, and how far from it the last output is: 0 within what rounding can do. */
  compute({ size, scores, values, forget, order }) {
    const blocks = blocksOf(size);
    const own = [...order].map((block) => ofBlock(...[scores, values].map((list) => blocks[block].map((place) => list[place]))));
    const states = [];
    for (const state of own) states.push(states.length ? merge(states.at(-1), state, forget) : state);
    const outputs = states.map(out);
    const dense = read(float64, softmax(float64, scores), values);
    const done = order.length === blocks.length;
    // Per key fewer than 16 roundings on either way, of numbers that average values of at most 5.
    const far = done ? Math.abs(outputs.at(-1) - dense) : NaN;
    return { blocks, own, states, outputs, dense, done, off: far <= 6 * 16 * 2 ** -53 * 5 ? 0 : far };
  },

  readouts: (_, { dense, off }) => [["dense", shown(dense)], ["off", Number.isNaN(off) ? texts.unread : shown(off)]],

  python({ scores, values, forget, order }, { blocks, done, off }) {
    const joined = forget ? "OnlineState(np.maximum(state.max, new.max), state.sum + new.sum, state.acc + new.acc)" : "merge(state, new)";
    return [
      "import numpy as np",
      `from duizhao.blockwise import ${forget ? "OnlineState" : "merge"}, of_block, out`,
      "from duizhao.read import read",
      "from duizhao.softmax import softmax",
      "",
      `scores = np.array([${python(scores)}])`,
      `values = np.array(${python(values.map((value) => [value]))})`,
      `dense = read(softmax(scores), values)`,
      "state = None",
      `for block in [${[...order].map((block) => `[${blocks[block].join(", ")}]`).join(", ")}]:`,
      "    new = of_block(scores[:, block], values[block])",
      `    state = new if state is None else ${joined}`,
      "    print(state.max, state.sum, state.acc, out(state))",
      "print(dense)",
      ...(done && off > 0 ? ["print(abs(out(state) - dense))"] : []),
    ].join("\n");
  },

  async draw(box, set, { picture, names, columns, buttons: say }) {
    const begun = started(figure.fields);
    let [now, order] = [figure.compute(begun), ""];
    const row = make("div", { class: "keys", role: "group", "aria-label": names.blocks });
    const back = make("button", { type: "button", "data-do": "back", onclick: () => set({ order: order.slice(0, -1) }) }, say.back);
    const rest = make("button", { type: "button", "data-do": "rest", onclick: () => set({ order: order + now.blocks.map((_, block) => block).filter((block) => !order.includes(block)).join("") }) }, say.rest);
    const body = make("tbody");
    const head = make("tr", {}, ...[names.step, names.block, ...columns].map((text) => make("th", { scope: "col" }, text)));
    const plot = make("div");
    box.append(row, make("p", { class: "buttons" }, back, " ", rest), plot,
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": names.table }, make("table", { class: "heat states", "aria-label": names.table }, make("thead", {}, head), body)));
    const on = await board(plot, picture, [-0.9, 2.7, 6.6, -2.7]);
    const high = (y) => Math.max(-2.6, Math.min(2.6, y * 0.45));
    segment(on, () => [0, high(-5)], () => [0, high(5)], "line");
    for (const mark of [-5, 0, 5]) label(on, () => [-0.35, high(mark)], () => shown(mark), "label small");
    segment(on, () => [0, high(now.dense)], () => [6.4, high(now.dense)], "bound");
    label(on, () => [5.6, high(now.dense) + 0.32], () => names.dense, "label small");
    for (const place of places) {
      const there = { visible: () => place < now.outputs.length };
      const at = (step) => [step + 1, high(now.outputs[Math.min(step, now.outputs.length - 1)] ?? 0)];
      if (place > 0) segment(on, () => at(place - 1), () => at(place), "output thin", there);
      dot(on, () => at(place), "output", there);
      label(on, () => [place + 1, at(place)[1] + (now.outputs[place] > now.dense ? 0.38 : -0.38)], () => shown(now.outputs[place] ?? 0), "label", there);
    }
    return ({ state, result, locked }) => {
      [now, order] = [result, state.order];
      const focused = row.contains(document.activeElement) ? document.activeElement.dataset.block : undefined;
      row.replaceChildren(...result.blocks.map((keys, block) => {
        const turn = order.indexOf(block) + 1;
        const inside = keys.map((key) => make("span", {}, names.key(key, shown(state.scores[key]), shown(state.values[key]))));
        return make("button", {
          type: "button", "data-block": block, "aria-pressed": String(turn > 0), "aria-disabled": String(locked || turn > 0),
          onclick: () => !locked && turn === 0 && set({ order: order + block }),
        }, make("strong", {}, names.state(block, turn)), ...inside);
      }));
      if (focused !== undefined) row.querySelector(`[data-block="${focused}"]`)?.focus();
      back.disabled = locked || order === "";
      rest.disabled = locked || result.done;
      body.replaceChildren(...result.states.map((one, step) => make("tr", {}, make("th", { scope: "row" }, String(step + 1)),
        make("td", {}, names.number(order[step])),
        ...COLUMNS.map((what) => make("td", { "data-readout": `${what}_${step}` }, shown(what === "out" ? result.outputs[step] : one[what]))))));
      on.update();
    };
  },
};

if (typeof document !== "undefined") await mount(figure, texts);
