// 哪里不再成立: every counterexample of ledger/breaks.json that has a page is shown as it is, and Python finds it again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { figureOf, rows } from "../../docs/figures/hypotheses.js";
import { started } from "../../docs/figures/state.js";
import { texts } from "../../docs/figures/texts/hypotheses.js";
import { ask, isTo, open, seen, settled, sharedTests, surroundings } from "./figure.mjs";
import { SITE } from "./served.mjs";

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const data = read(join(SITE, "figures/breaks.json"));
const kept = read(new URL("../../ledger/breaks.json", import.meta.url)).theorems;
const figure = figureOf(data);
const there = surroundings();
const at = (query) => open(there.browser, there.site, "hypotheses", query);
const numbers = (text) => text.match(/(?<![\w.])[-−]?\d[\d.]*(?:e[-−]?\d+)?(?!\w)/g) ?? [];

/** Whether the numbers of a counterexample, as shown, are those that its Python lines print. */
function again(list) {
  const printed = ask("tests.figures.programs", list.map(({ program }) => program));
  list.forEach((one, place) => {
    const found = printed[place].filter((part) => typeof part === "number");
    const texts_ = Object.values(one.numbers).flatMap(numbers);
    assert.equal(texts_.length, found.length, `${one.program}\n${texts_.join(" ")}\n${found.join(" ")}`);
    texts_.forEach((text, index) => assert.ok(isTo(text, found[index]), `${one.program}\n${text} is shown, ${found[index]} printed`));
  });
}

sharedTests(there, figure, {
  keys: null,
  verdicts: ["false", "false", "true"],
  focus: '[data-drop="hw1"]',
  presses: Array.from({ length: 20 }, () => "Space"),
  query: "?theorem=read_mem_Icc&drop=hw.2",
  state: { theorem: "read_mem_Icc", drop: "hw.2" },
});

test("every theorem that breaks and has a page is there, with every condition and its numbers", () => {
  const there_ = new Set(data.theorems.map(({ id }) => id));
  const placed = read(join(SITE, "results.json")).results.filter(({ page }) => page !== null).map(({ id }) => id);
  assert.deepEqual([...there_].sort(), placed.filter((id) => id in kept).sort());
  for (const { id, without } of data.theorems) {
    assert.deepEqual(without.map(({ dropped }) => dropped), kept[id].without.map(({ dropped }) => dropped));
    without.forEach((entry, place) => {
      const example = kept[id].without[place].counterexample;
      assert.deepEqual([entry.case, entry.outputs, entry.amount], example === null ? [null, null, null] : [example.case, example.outputs, example.amount]);
      assert.ok(example !== null || entry.reason.length > 0);
      assert.doesNotMatch(`${entry.hypothesis}${entry.says ?? ""}${entry.reason ?? ""}`, /[a-z]{4,} [a-z]{2,}/);
    });
  }
});

test("Python finds every fifth counterexample again, with the numbers that are shown", () => {
  const all = data.theorems.flatMap(({ id, without }) => without.filter((entry) => entry.case !== null).map(({ dropped }) => ({ theorem: id, drop: dropped })));
  assert.ok(all.length > 100);
  again(all.filter((_, place) => place % 5 === 0).map((state) => {
    const result = figure.compute(state);
    return { numbers: Object.fromEntries(figure.readouts(state, result)), program: figure.python(state, result) };
  }));
});

test("keys, mouse and finger choose a theorem and drop a condition alike, and Python agrees with the screen", async () => {
  const list = [];
  const drop = {
    keys: async (tab) => {
      await tab.locator('[data-drop="hw.1"]').focus();
      await tab.keyboard.press("Space");
    },
    mouse: (tab) => tab.locator('[data-drop="hw.1"]').click(),
    finger: async (tab) => {
      const box = tab.locator('[data-drop="hw.1"]');
      await box.scrollIntoViewIfNeeded();
      const { x, y, width, height } = await box.boundingBox();
      const client = await tab.context().newCDPSession(tab);
      await client.send("Emulation.setTouchEmulationEnabled", { enabled: true });
      await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + width / 2, y: y + height / 2 }] });
      await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    },
  };
  for (const [way, go] of Object.entries(drop)) {
    const tab = await at("?step=0");
    await tab.locator('[data-field="theorem"]').selectOption("read_mem_Icc");
    await go(tab);
    await tab.locator('[data-readout="case weights"]').waitFor();
    assert.deepEqual({ way, query: await settled(tab) }, { way, query: "?theorem=read_mem_Icc&drop=hw.1" });
    assert.equal(await tab.locator(".board").count(), 1);
    list.push(await seen(tab));
    await tab.close();
  }
  assert.deepEqual(list[1], list[0]);
  assert.deepEqual(list[2], list[0]);
  again(list.slice(0, 1));
});

test("a second condition dropped brings the first one back, and a tick brings back all", async () => {
  const tab = await at("?drop=hw");
  await tab.locator('[data-drop="huv"]').click();
  assert.equal((await seen(tab)).state.drop, "huv");
  assert.ok(await tab.locator('[data-drop="hw"]').isChecked());
  await tab.locator('[data-drop="huv"]').click();
  assert.equal((await seen(tab)).state.drop, "");
  assert.ok(await tab.getByText("条件都在，结论成立。").isVisible());
  await tab.close();
});

test("where no counterexample exists the reason is given", () => {
  const [theorem] = data.theorems.filter(({ without }) => without.some((entry) => entry.case === null));
  const entry = theorem.without.find((one) => one.case === null);
  const said = texts.says({}, { chosen: theorem, entry });
  assert.ok(said.includes(entry.reason));
});

test("the picture has a row for each number that is no choice, and the limits of the theorem", () => {
  const { list, limits } = rows(figure.compute({ ...started(figure.fields), drop: "hw" }).entry);
  assert.deepEqual(list.map(({ name }) => name), ["u", "v", "w", "read"]);
  assert.deepEqual(limits, [0, 1]);
  const icc = rows(figure.compute({ theorem: "read_mem_Icc", drop: "hw.1" }).entry);
  assert.deepEqual(icc.list.map(({ name }) => name), ["weights", "values", "read"]);
});
