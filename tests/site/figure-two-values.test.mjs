// 两值读取: what it shows is what Python computes, by keys, mouse and touch; float16 bit for bit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { figure } from "../../docs/figures/two_values.js";
import { round } from "../../docs/figures/float16.js";
import { started } from "../../docs/figures/state.js";
import { ask, drag, frames, open, reproduced, seen, settled, sharedTests, slide, surroundings, swipe } from "./figure.mjs";

const NAME = "two_values";
const KEYS = ["weight_u", "weight_v", "output", "low", "high", "distance", "float_distance"];
const there = surroundings();

sharedTests(there, figure, {
  keys: () => KEYS,
  verdicts: ["true", "true", "true", "false"],
  focus: '[data-slider="gap"]',
  presses: Array(20).fill("ArrowRight"),
  query: "?gap=2.5&dtype=float16&u=-0.3",
  state: { gap: 2.5, temperature: 1, u: -0.3, v: 1, dtype: "float16" },
});

test("every control changes the numbers, and Python computes the same", async () => {
  const tab = await open(there.browser, there.site, NAME, "?step=0");
  const list = [await seen(tab)];
  for (const [name, presses] of [["gap", 237], ["temperature", 90], ["u", 3], ["v", 33]]) {
    await slide(tab, name, presses % 40, presses > 100 ? "End" : "Home");
    list.push(await seen(tab));
  }
  for (const [name, value] of [["gap", "-3.25"], ["temperature", "0.125"], ["u", "1.75"], ["v", "-0.5"]]) {
    await tab.locator(`[data-field="${name}"]`).fill(value);
    list.push(await seen(tab));
  }
  await tab.getByLabel("float16").focus();
  await tab.keyboard.press("Space");
  list.push(await seen(tab));
  assert.equal(new Set(list.map(({ numbers }) => JSON.stringify(numbers))).size, list.length);
  reproduced(list, () => KEYS);
  await tab.close();
});

test("mouse, finger and arrow keys move a value alike", async () => {
  const ends = [];
  const move = {
    mouse: (tab, pixels) => drag(tab, "值 v", [-pixels, 0]),
    finger: (tab, pixels) => swipe(tab, "值 v", [-pixels, 0]),
    keys: async (tab) => {
      await tab.locator('[data-handle="值 v"]').focus();
      for (let press = 0; press < 5; press++) await tab.keyboard.press("ArrowLeft");
    },
  };
  for (const [way, go] of Object.entries(move)) {
    const tab = await open(there.browser, there.site, NAME, "?step=0", way === "finger" ? { width: 390 } : {});
    const width = await tab.locator(".board").evaluate(({ clientWidth }) => clientWidth);
    await go(tab, (width / 5.2) * 0.5);
    ends.push({ way, v: (await seen(tab)).state.v, query: await settled(tab) });
    await tab.close();
  }
  for (const { way, v, query } of ends) assert.deepEqual({ way, v, query }, { way, v: 0.5, query: "?v=0.5" });
});

test("what an address says wrongly is named, and the start is used", async () => {
  const tab = await open(there.browser, there.site, NAME, "?gap=1e9&temperature=2");
  assert.match(await tab.locator(".steps .wrong").textContent(), /gap/);
  assert.equal((await seen(tab)).state.gap, 1);
  await tab.close();
});

test("a number out of bounds is refused with its bounds, and changes nothing", async () => {
  const tab = await open(there.browser, there.site, NAME, "?step=0");
  await tab.locator('[data-field="temperature"]').fill("0");
  assert.ok(await tab.getByText("请填 0.1 到 10 之间的数。").first().isVisible());
  assert.equal((await seen(tab)).state.temperature, 1);
  await tab.close();
});

test("float16 reaches the bound in the last step", () => {
  const { from, to } = figure.steps.at(-1);
  const state = { ...started(figure.fields), ...from };
  assert.equal(figure.compute(state).place, "inside");
  assert.equal(figure.compute({ ...state, ...to }).place, "reached");
});

test("the bound is reached at about the ratios that the page names: 37 in float64, 8 in float16", () => {
  const at = (dtype, ratio) => figure.compute({ ...started(figure.fields), dtype, gap: ratio / 2, temperature: 0.5 }).place;
  assert.deepEqual(["float64", "float16"].map((dtype) => [36.5, 38].map((ratio) => at(dtype, dtype === "float64" ? ratio : ratio - 29))), [["inside", "reached"], ["inside", "reached"]]);
});

test("a demonstration moves for who did not ask otherwise", async () => {
  assert.ok((await frames(there.browser, there.site, NAME, true)) > 5);
});

/** Numbers from 0 to 1 that are always the same (mulberry32). */
function* numbers(seed) {
  for (let a = seed; ; ) {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

test("the float16 switch is the correctly rounded float16 bit for bit in 1,000 settings", () => {
  const drawn = numbers(16);
  const { gap, temperature, u } = figure.fields;
  const draw = ({ min, max, log }) => {
    const part = drawn.next().value;
    return log ? min * (max / min) ** part : min + (max - min) * part;
  };
  const settings = Array.from({ length: 1000 }, () => [draw(gap), draw(temperature), draw(u), draw(u)]);
  const expected = ask("tests.figures.half", settings);
  const places = new Set();
  settings.forEach(([g, t, a, b], place) => {
    const { weights, output, place: where } = figure.compute({ gap: g, temperature: t, u: a, v: b, dtype: "float16" });
    places.add(where);
    const found = [...weights, output].map((x) => x + 0);
    assert.deepEqual(found, expected[place].map((x) => x + 0), `setting ${settings[place]}`);
  });
  assert.ok(places.has("inside") && places.has("reached"), [...places].join());
});

test("rounding to float16 takes the even one of two, and leaves float16 as it is", () => {
  for (const [x, nearest] of [[2049, 2048], [2051, 2052], [65519, 65504], [65520, Infinity], [2 ** -25, 0], [3 * 2 ** -25, 2 ** -23], [0.1, 0.0999755859375]]) {
    assert.equal(round(x), nearest);
    assert.equal(round(-x), -nearest);
    assert.equal(round(round(x)), nearest);
  }
});
