// A theorem without one of its conditions: the smallest counterexample that `duizhao break` has found, in numbers and as a picture.
import { board, dot, label, segment } from "./board.js";
import { make } from "./controls.js";
import { mount } from "./frame.js";
import { shown, told } from "./numbers.js";
import { texts } from "./texts/hypotheses.js";

const ROOT = "../../";
/** Names of whole numbers that count or choose: they are told, not drawn. */
const CHOICES = new Set(["key", "second", "row", "head", "k", "position", "second_query", "second_key", "size", "query", "blocks", "allowed"]);
const LIMITS = ["lower_bound", "upper_bound", "low", "high"];

const flat = (value) => (value !== null && typeof value === "object" ? Object.values(value).flatMap(flat) : typeof value === "number" ? [value] : []);

/** The rows of the picture: each named number or list of numbers, and the limits that the theorem sets, if the numbers have such names. */
export function rows({ case: given, outputs }) {
  const drawn = (numbers, cssClass) => Object.entries(numbers)
    .filter(([name, value]) => !(CHOICES.has(name) && Number.isInteger(value)) && flat(value).length > 0 && !LIMITS.includes(name))
    .map(([name, value]) => ({ name, cssClass, numbers: flat(value) }));
  const pair = Object.keys(given).join() === "u,v,w" ? [given.u, given.v] : LIMITS.flatMap((name) => flat(given[name] ?? []));
  return { list: [...drawn(given, "first"), ...drawn(outputs, "output")], limits: [...new Set(pair)] };
}

export function figureOf({ theorems }) {
  const byId = Object.fromEntries(theorems.map((theorem) => [theorem.id, theorem]));
  const [first] = theorems;
  const start = byId.attention_convex ?? first;

  return {
    name: "hypotheses",
    fields: {
      theorem: { kind: "choice", options: theorems.map(({ id }) => id), start: start.id },
      drop: { kind: "word", pattern: /^[\w.]*$/, start: "" },
    },
    steps: [["attention_convex", "hw"], ["read_mem_Icc", "hw.2"], ["softmax_sub_sup", "Nonempty"]]
      .map(([theorem, drop]) => ({ from: { theorem }, to: { drop }, truth: (_, { entry }) => (entry.case === null ? 0 : 1) })),

    /** A condition that the theorem does not have is not dropped. */
    fit: ({ theorem, drop }) => ({ theorem, drop: byId[theorem].without.some(({ dropped }) => dropped === drop) ? drop : "" }),

    compute({ theorem, drop }) {
      const chosen = byId[theorem];
      return { chosen, entry: chosen.without.find(({ dropped }) => dropped === drop) ?? null };
    },

    readouts: (_, { entry }) => (entry === null || entry.case === null ? [] : [
      ...Object.entries(entry.case).map(([name, value]) => [`case ${name}`, told(value), name]),
      ...Object.entries(entry.outputs).map(([name, value]) => [`output ${name}`, told(value), texts.names.output(name)]),
      ...(entry.amount === null ? [] : [["amount", shown(entry.amount)]]),
    ]),

    python: ({ theorem, drop }, { entry }) => (entry === null || entry.case === null ? texts.nothing : [
      "from pathlib import Path",
      "from duizhao import exact",
      "from duizhao.breaking.all import read_breaks",
      "from duizhao.breaking.built import rebuilt",
      "from duizhao.breaking.drop import judged",
      "from duizhao.claims import all_claims",
      "from duizhao.claims.measure import PRECISION",
      "",
      `entries = read_breaks(Path("."))["theorems"]["${theorem}"]["without"]`,
      `entry = next(entry for entry in entries if entry["dropped"] == "${drop}")`,
      "with exact.precision(PRECISION):",
      `    found = judged(all_claims()["${theorem}"], rebuilt(entry["built"]), "${drop}")`,
      "print(found.case, found.outputs, found.amount)",
      "",
      `# ${texts.search}`,
      `# duizhao break ${theorem} --drop ${drop}`,
    ].join("\n")),

    draw(box, set, { names, picture }) {
      const select = make("select", { id: "figure-hypotheses-theorem", "data-field": "theorem", onchange: () => set({ theorem: select.value, drop: "" }) });
      for (const topic of new Set(theorems.map((theorem) => theorem.topic))) {
        select.append(make("optgroup", { label: topic }, ...theorems.filter((theorem) => theorem.topic === topic).map(({ id, title }) => make("option", { value: id }, title))));
      }
      const statement = make("code");
      const page = make("a");
      const ticks = make("fieldset", { class: "ticks" });
      const found = make("p", { class: "found" });
      const plot = make("div");
      box.append(make("p", {}, make("label", { for: select.id }, `${names.theorem} `), select), make("p", {}, page),
        make("pre", { tabindex: "0" }, statement), ticks, found, plot);
      let [theorem, boxes, on, shownEntry] = [null, [], null, null];

      const list = (chosen) => {
        boxes = chosen.without.map((entry) => {
          const input = make("input", { type: "checkbox", "data-drop": entry.dropped, onchange: () => set({ drop: input.checked ? "" : entry.dropped }) });
          return [entry, input];
        });
        ticks.replaceChildren(make("legend", {}, names.conditions), ...boxes.map(([{ dropped, written, hypothesis }, input]) =>
          make("label", { class: dropped.includes(".") ? "part" : "" }, input, " ", make("code", {}, dropped.includes(".") ? dropped : written), ` ${hypothesis}`)));
      };

      const paint = async (entry) => {
        shownEntry = entry;
        if (on !== null) globalThis.JXG.JSXGraph.freeBoard(on);
        on = null;
        plot.replaceChildren();
        const { list: lines, limits } = entry === null || entry.case === null ? { list: [], limits: [] } : rows(entry);
        const all = [...lines.flatMap(({ numbers }) => numbers), ...limits];
        if (all.length === 0) return;
        const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
        const across = (x) => ((x - low) / (high - low)) * 10;
        const made = await board(plot, picture, [-3.6, 1, 11, -1.3 * lines.length]);
        if (shownEntry !== entry) return;
        on = made;
        for (const limit of limits) {
          segment(on, () => [across(limit), 0.4], () => [across(limit), 0.7 - 1.3 * lines.length], "bound");
          label(on, () => [across(limit), 0.7], () => `${names.limit} ${shown(limit)}`, "label small");
        }
        lines.forEach(({ name, numbers, cssClass }, row) => {
          segment(on, () => [-0.2, -1.3 * row], () => [10.2, -1.3 * row], "axis");
          label(on, () => [-0.5, -1.3 * row], () => name, "label small", { anchorX: "right" });
          numbers.forEach((x) => dot(on, () => [across(x), -1.3 * row], cssClass, { size: 5, face: cssClass === "output" ? "diamond" : "circle" }));
          for (const x of new Set(numbers)) label(on, () => [across(x), -1.3 * row - 0.5], () => shown(x), "label small");
        });
      };

      return ({ state, result: { chosen, entry }, locked }) => {
        if (theorem !== chosen) list(chosen);
        theorem = chosen;
        Object.assign(select, { value: chosen.id, disabled: locked });
        page.href = ROOT + chosen.page;
        page.textContent = chosen.title;
        statement.textContent = chosen.statement;
        for (const [{ dropped }, input] of boxes) Object.assign(input, { checked: dropped !== state.drop, disabled: locked });
        found.textContent = texts.verdict(entry);
        for (const [title, address] of entry?.proofs ?? []) found.append(" ", make("a", { href: ROOT + address }, names.proof(title)));
        if (entry !== shownEntry || on === null) return paint(entry);
      };
    },
  };
}

if (typeof document !== "undefined") {
  const answer = await fetch(new URL("breaks.json", import.meta.url));
  await mount(figureOf(await answer.json()), texts);
}
