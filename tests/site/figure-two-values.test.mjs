// 两值读取: what it shows is what Python computes, by keys, mouse and touch; float16 bit for bit.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { figure } from "../../docs/figures/two_values.js";
import { round } from "../../docs/figures/float16.js";
import { ask, drag, frames, open, paint, reproduced, roundTrip, seen, settled, slide, swipe, walk } from "./figure.mjs";
import { serve, start } from "./served.mjs";

const NAME = "two_values";
const KEYS = ["weight_u", "weight_v", "output", "low", "high", "distance", "float_distance"];
let site, browser;

before(async () => {
  [site, browser] = [await serve(), await start()];
});
after(async () => {
  await browser.close();
  site.close();
});

test("every control changes the numbers, and Python computes the same", async () => {
  const tab = await open(browser, site, NAME, "?step=0");
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
    const tab = await open(browser, site, NAME, "?step=0", way === "finger" ? { width: 390 } : {});
    const width = await tab.locator(".board").evaluate(({ clientWidth }) => clientWidth);
    await go(tab, (width / 5.2) * 0.5);
    ends.push({ way, v: (await seen(tab)).state.v, query: await settled(tab) });
    await tab.close();
  }
  for (const { way, v, query } of ends) assert.deepEqual({ way, v, query }, { way, v: 0.5, query: "?v=0.5" });
});

test("an address gives the state, the state gives an address, and 复位 the start", async () => {
  const tab = await open(browser, site, NAME, "?gap=2.5&dtype=float16&u=-0.3");
  assert.deepEqual((await seen(tab)).state, { gap: 2.5, temperature: 1, u: -0.3, v: 1, dtype: "float16" });
  await roundTrip(browser, site, NAME, tab);
  await tab.close();
});

test("what an address says wrongly is named, and the start is used", async () => {
  const tab = await open(browser, site, NAME, "?gap=1e9&temperature=2");
  assert.match(await tab.locator(".steps .wrong").textContent(), /gap/);
  assert.equal((await seen(tab)).state.gap, 1);
  await tab.close();
});

test("a number out of bounds is refused with its bounds, and changes nothing", async () => {
  const tab = await open(browser, site, NAME, "?step=0");
  await tab.locator('[data-field="temperature"]').fill("0");
  assert.ok(await tab.getByText("请填 0.1 到 10 之间的数。").first().isVisible());
  assert.equal((await seen(tab)).state.temperature, 1);
  await tab.close();
});

test("each step asks first, then shows, and judges by the numbers", async () => {
  const tab = await open(browser, site, NAME);
  const steps = await walk(tab);
  assert.equal(steps.length, figure.steps.length);
  assert.deepEqual(steps.map(({ right }) => right), ["true", "true", "true", "false"]);
  reproduced(steps, () => KEYS);
  assert.equal(steps[3].numbers.place, "正好等于界");
  assert.equal(await tab.locator(".figure .controls").evaluate(({ disabled }) => disabled), false);
  await tab.close();
});

test("a demonstration moves, but not for who asks for no motion", async () => {
  assert.equal(await frames(browser, site, NAME, false), 2);
  assert.ok((await frames(browser, site, NAME, true)) > 5);
});

test("from a key to the next paint", async (context) => {
  const tab = await open(browser, site, NAME, "?step=0");
  await tab.locator('[data-slider="gap"]').focus();
  const slowest = await paint(tab, Array(20).fill("ArrowRight"));
  context.diagnostic(`${NAME}: ${slowest} ms at most from a key to the next paint`);
  assert.ok(slowest > 0);
  await tab.close();
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
