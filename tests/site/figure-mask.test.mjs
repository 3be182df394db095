// 遮罩与温度: what it shows is what Python computes, cell by cell, and the ways of masking differ as they do in Python.
import assert from "node:assert/strict";
import { test } from "node:test";
import { figure } from "../../docs/figures/mask.js";
import { started } from "../../docs/figures/state.js";
import { ask, open, reproduced, seen, settled, sharedTests, slide, surroundings } from "./figure.mjs";

const ROWS = [0, 1, 2, 3];
const KEYS = [...ROWS.flatMap((row) => ROWS.map((key) => `weight_${row}_${key}`)), ...["sum", "output", "moved"].flatMap((what) => ROWS.map((row) => `${what}_${row}`))];
const START = started(figure.fields);
const there = surroundings();
const at = (query) => open(there.browser, there.site, "mask", query);

sharedTests(there, figure, {
  keys: () => KEYS,
  verdicts: ["true", "false", "true", "true", "true"],
  focus: '[data-slider="temperature"]',
  presses: Array(20).fill("ArrowRight"),
  query: "?temperature=0.5&mask=1000110011101111&empty=mean&values=1,2,-3,4",
  state: { ...START, temperature: 0.5, mask: "1000110011101111", empty: "mean", values: [1, 2, -3, 4] },
});

test("every control changes the numbers, and Python computes the same", async () => {
  const tab = await at("?step=0");
  const list = [await seen(tab)];
  for (const presses of [0, 1, 77, 150]) {
    await slide(tab, "temperature", presses % 80, presses > 100 ? "End" : "Home");
    list.push(await seen(tab));
  }
  for (const [name, value] of [["temperature", "7.3"], ["values-0", "-2"], ["values-3", "8.5"]]) {
    await tab.locator(`[data-field="${name}"]`).fill(value);
    list.push(await seen(tab));
  }
  for (const cell of ["0-0", "0-1", "0-2", "0-3", "2-3"]) {
    await tab.locator(`[data-cell="${cell}"]`).focus();
    await tab.keyboard.press("Enter");
    list.push(await seen(tab));
  }
  for (const name of ["平分，各 1/4", "NaN"]) {
    await tab.getByLabel(name).check();
    list.push(await seen(tab));
  }
  await tab.locator('[data-field="after"]').check();
  list.push(await seen(tab));
  await tab.getByRole("button", { name: "因果遮罩" }).click();
  list.push(await seen(tab));
  assert.equal(new Set(list.map(({ numbers }) => JSON.stringify(numbers))).size, list.length);
  assert.equal(list[1].state.temperature, 0);
  reproduced(list, () => KEYS);
  await tab.close();
});

test("a fully masked row under each policy, cold and warm, is that of Python", async () => {
  for (const temperature of [0, 1, 0.5]) {
    for (const empty of ["zero", "mean", "nan"]) {
      const tab = await at(`?mask=1111000011111111&empty=${empty}&temperature=${temperature}`);
      const now = await seen(tab);
      reproduced([now], () => KEYS);
      assert.equal(now.numbers.weight_1_2, { zero: "0", mean: "0.250", nan: "NaN" }[empty]);
      await tab.close();
    }
  }
});

test("the error is Python's own", async () => {
  for (const temperature of [0, 2]) {
    const tab = await at(`?mask=1111000011110000&empty=error&temperature=${temperature}`);
    const { numbers, program } = await seen(tab);
    const [printed] = ask("tests.figures.programs", [program]);
    assert.equal(numbers.error.split(/[\s,]+/).join(" "), printed.join(" "));
    assert.equal(numbers.weight_0_0, "—");
    await tab.close();
  }
});

test("a click, a finger and the keys mask a cell alike, and arrows go from cell to cell", async () => {
  const ways = {
    click: (tab) => tab.locator('[data-cell="1-2"]').click(),
    finger: async (tab) => {
      const { x, y, width, height } = await tab.locator('[data-cell="1-2"]').boundingBox();
      const client = await tab.context().newCDPSession(tab);
      await client.send("Emulation.setTouchEmulationEnabled", { enabled: true });
      await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + width / 2, y: y + height / 2 }] });
      await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    },
    keys: async (tab) => {
      await tab.locator('[data-cell="0-1"]').focus();
      for (const key of ["ArrowDown", "ArrowRight", "Space"]) await tab.keyboard.press(key);
    },
  };
  for (const [way, go] of Object.entries(ways)) {
    const tab = await at("?step=0");
    await tab.locator('[data-cell="1-2"]').scrollIntoViewIfNeeded();
    await go(tab);
    await tab.locator('[data-cell="1-2"][aria-pressed="false"]').waitFor();
    assert.deepEqual({ way, query: await settled(tab) }, { way, query: "?mask=1111110111111111" });
    assert.match(await tab.locator('[data-cell="1-2"]').getAttribute("aria-label"), /遮住，权重 0$/);
    await tab.close();
  }
});

test("only who may read a value moves with it", () => {
  const { moved } = figure.compute({ ...START, mask: "1000110011101111", values: [1, 2, 3.5, 4] });
  assert.deepEqual(moved.map((by) => by !== 0), [false, false, true, true]);
});
