// Four queries and four keys: who may read whom, at which temperature, and which outputs a value moves.
import { coldest, float64, read, softmax } from "./arithmetic.js";
import { make } from "./controls.js";
import { mount } from "./frame.js";
import { python, pythonFlags, shown } from "./numbers.js";
import { texts } from "./texts/mask.js";

export const SCORES = [[2, 1, 0, -1], [0, 1, 1, 0], [1, -1, 2, 0.5], [0, 0.5, 1, 1.5]];
const VALUES = [1, 2, 3, 4];
const CAUSAL = "1000110011101111";
const ALL = "1".repeat(16);
const rows = [0, 1, 2, 3];
const causal = { mask: CAUSAL };

/** What Python says of a row that may read nothing, if that is an error. */
const refusal = (row) => `mask: row ${row} has no allowed key with a score above -inf; allow one, or choose "zero", "mean" or "nan" as empty_row`;

export const figure = {
  name: "mask",
  fields: {
    temperature: { kind: "number", min: 0.05, max: 100, step: 0.05, start: 1, log: true, zero: true },
    values: { kind: "numbers", min: -9, max: 9, step: 0.5, start: VALUES },
    mask: { kind: "flags", start: ALL },
    empty: { kind: "choice", options: ["zero", "mean", "nan", "error"], start: "zero" },
    after: { kind: "switch", start: false },
  },
  steps: [
    { from: {}, to: causal, truth: (_, now) => (now.sums.every((sum) => Math.abs(sum - 1) <= 5 * 2 ** -53) ? 0 : 1) },
    { from: causal, to: { after: true }, truth: (before, now) => (now.sums.some((sum, row) => sum < before.sums[row] - 0.01) ? 1 : 0) },
    { from: causal, to: { values: [1, 2, 9, 4] }, truth: (_, now) => ["0011", "1111", "0010"].indexOf(now.moved.map((by) => (by === 0 ? 0 : 1)).join("")) },
    { from: {}, to: { temperature: 0 }, truth: (_, now) => (now.weights.flat().some((weight) => weight === 1) ? 0 : 1) },
    { from: {}, to: { mask: "0000" + ALL.slice(4) }, truth: (_, now) => [0, 0.25].indexOf(now.weights[0][0]) },
  ],

  /** The weights, their sums, the outputs, and how far the outputs moved from those of the values at the start. */
  compute({ temperature, values, mask, empty, after }) {
    const allowed = rows.map((row) => rows.map((key) => mask[4 * row + key] === "1"));
    const weigh = (scores, which) => (temperature === 0 ? coldest(scores, which) : softmax(float64, scores, { allowed: which, temperature }));
    const nothing = { zero: 0, mean: 1 / 4, nan: NaN, error: NaN }[empty];
    const weights = rows.map((row) => {
      if (after) return weigh(SCORES[row]).map((weight, key) => (allowed[row][key] ? weight : 0));
      return allowed[row].some(Boolean) ? weigh(SCORES[row], allowed[row]) : rows.map(() => nothing);
    });
    const emptyRow = allowed.findIndex((row) => !row.some(Boolean));
    const error = !after && empty === "error" && emptyRow >= 0 ? refusal(emptyRow) : null;
    const outputs = weights.map((row) => read(float64, row, values));
    const moved = weights.map((row, at) => outputs[at] - read(float64, row, VALUES));
    return { allowed, weights, sums: weights.map((row) => row.reduce((sum, weight) => sum + weight)), outputs, moved, error };
  },

  readouts: (_, { error }) => (error === null ? [] : [["error", `ValueError: ${error}`]]),

  python({ temperature, values, empty, after }, { allowed, error }) {
    const cold = temperature === 0 && error === null;
    const from = cold ? "duizhao.temperature import zero_temperature_limit" : after ? "duizhao.softmax import softmax" : "duizhao.mask import masked_softmax";
    const lines = ["import numpy as np", `from ${from}`, "", `scores = np.array(${python(SCORES)})`, `values = np.array(${python(values)})`, `mask = np.array(${pythonFlags(allowed)})`];
    if (cold) {
      lines.push(after ? "weights = zero_temperature_limit(scores) * mask" : "weights = zero_temperature_limit(np.where(mask, scores, -np.inf))");
      if (!after && empty !== "zero") lines.push(`weights[~mask.any(axis=-1)] = ${empty === "mean" ? "1 / 4" : "np.nan"}`);
    } else if (after) {
      lines.push(`weights = softmax(scores, temperature=${python(temperature)}) * mask`);
    } else {
      const tempered = temperature === 0 || temperature === 1 ? "scores" : `scores / ${python(temperature)}`;
      lines.push(`weights = masked_softmax(${tempered}, mask, empty_row="${empty}")`);
    }
    return [...lines, "outputs = weights @ values", `print(weights, weights.sum(axis=-1), outputs, outputs - weights @ np.array(${python(VALUES)}))`].join("\n");
  },

  draw(box, set, { picture, names, presets }) {
    let now = { mask: ALL };
    const flip = (place) => set({ mask: [...now.mask].map((flag, at) => (at === place ? String(1 - flag) : flag)).join("") });
    const head = ["", ...rows.map(names.key), names.sum, names.output, names.moved];
    const cells = rows.map((row) => rows.map((key) => make("button", {
      type: "button", "data-cell": `${row}-${key}`, "data-readout": `weight_${row}_${key}`, onclick: () => flip(4 * row + key),
    })));
    const more = rows.map((row) => ["sum", "output", "moved"].map((what) => make("td", { "data-readout": `${what}_${row}` })));
    const body = rows.map((row) => make("tr", {}, make("th", { scope: "row" }, names.query(row)), ...cells[row].map((cell) => make("td", {}, cell)), ...more[row]));
    const table = make("table", { class: "heat", "aria-label": picture },
      make("thead", {}, make("tr", {}, ...head.map((text) => make(text ? "th" : "td", text ? { scope: "col" } : {}, text)))), make("tbody", {}, ...body));
    table.addEventListener("keydown", (event) => {
      const way = { ArrowUp: -4, ArrowDown: 4, ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const at = cells.flat().indexOf(document.activeElement);
      if (way === undefined || at < 0) return;
      event.preventDefault();
      cells.flat()[at + way]?.focus();
    });
    const buttons = Object.entries({ causal: CAUSAL, all: ALL }).map(([name, mask]) =>
      make("button", { type: "button", "data-do": name, onclick: () => set({ mask }) }, presets[name]));
    box.append(make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": picture }, table), make("p", { class: "buttons" }, ...buttons.flatMap((button) => [button, " "])));
    return ({ state, result, locked }) => {
      now = state;
      const { allowed, weights, sums, outputs, moved, error } = result;
      const text = (x) => (error === null ? shown(x) : "—");
      for (const row of rows) {
        for (const key of rows) {
          const cell = cells[row][key];
          cell.textContent = text(weights[row][key]);
          cell.style.setProperty("--weight", `${error === null ? Math.round(45 * (weights[row][key] || 0)) : 0}%`);
          cell.setAttribute("aria-pressed", String(allowed[row][key]));
          cell.setAttribute("aria-label", names.cell(row, key, allowed[row][key], cell.textContent));
          cell.disabled = locked;
        }
        const off = error === null && !(Math.abs(sums[row] - 1) <= 5 * 2 ** -53);
        [sums, outputs, moved].forEach((list, at) => {
          more[row][at].textContent = text(list[row]);
          more[row][at].toggleAttribute("data-off", at === 0 ? off : at === 2 && error === null && moved[row] !== 0);
        });
      }
      for (const button of buttons) button.disabled = locked;
    };
  },
};

if (typeof document !== "undefined") await mount(figure, texts);
