// 凸包: what it shows is what Python computes, and its hulls and distances are those of a second way of computing them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, hull } from "../../docs/figures/convex.js";
import { figure } from "../../docs/figures/hull.js";
import { started } from "../../docs/figures/state.js";
import { ask, drag, open, reproduced, seen, settled, sharedTests, surroundings, swipe } from "./figure.mjs";

const KEYS = [...[0, 1, 2, 3].map((key) => `weight_${key}`), "x", "y", "final_x", "final_y"];
const there = surroundings();
const START = started(figure.fields);

sharedTests(there, figure, {
  keys: () => KEYS,
  verdicts: ["true", "true", "false", "true"],
  focus: '[data-handle="查询"]',
  presses: Array(20).fill("ArrowRight"),
  query: "?query=-1.5,2&mask=1101&residual=1",
  state: { ...START, query: [-1.5, 2], mask: "1101", residual: true },
});

test("every control changes the numbers, and Python computes the same", async () => {
  const tab = await open(there.browser, there.site, "hull", "?step=0");
  const list = [await seen(tab)];
  for (const [name, value] of [["query-0", "2.3"], ["query-1", "-0.7"], ["values-0", "3"], ["values-5", "-2.2"], ["values-7", "0.4"]]) {
    await tab.locator(`[data-field="${name}"]`).fill(value);
    list.push(await seen(tab));
  }
  for (const name of ["projection", "residual", "mask-2", "mask-0", "mask-1", "mask-3"]) {
    await tab.locator(`[data-field="${name}"]`).focus();
    await tab.keyboard.press("Space");
    list.push(await seen(tab));
  }
  assert.equal(new Set(list.map(({ numbers }) => JSON.stringify(numbers))).size, list.length);
  assert.equal(list.at(-1).numbers.place, "没有可读的键，也就没有凸包");
  reproduced(list, () => KEYS);
  await tab.close();
});

test("mouse, finger and arrow keys move the query and the values alike", async () => {
  for (const [handle, field, width, from] of [["查询", "query", 9.6, [1, 0.5]], ["v1", "values", 13.2, [1.5, 2]]]) {
    const move = {
      mouse: (tab, unit) => drag(tab, handle, [-unit, unit / 2]),
      finger: (tab, unit) => swipe(tab, handle, [-unit, unit / 2]),
      keys: async (tab) => {
        await tab.locator(`[data-handle="${handle}"]`).focus();
        for (let press = 0; press < 10; press++) await tab.keyboard.press("ArrowLeft");
        for (let press = 0; press < 5; press++) await tab.keyboard.press("ArrowDown");
      },
    };
    for (const [way, go] of Object.entries(move)) {
      const tab = await open(there.browser, there.site, "hull", "?step=0", way === "finger" ? { width: 390 } : {});
      const board = tab.locator(".board", { has: tab.locator(`[data-handle="${handle}"]`) });
      await go(tab, (await board.evaluate(({ clientWidth }) => clientWidth)) / width);
      const place = (await seen(tab)).state[field].slice(field === "query" ? 0 : 2, field === "query" ? 2 : 4);
      assert.deepEqual({ way, place }, { way, place: [from[0] - 1, from[1] - 0.5] });
      assert.match(await settled(tab), new RegExp(`${field}=`));
      await tab.close();
    }
  }
});

test("handles cannot be moved while the reader is asked to predict", async () => {
  const tab = await open(there.browser, there.site, "hull");
  const before = await seen(tab);
  await tab.locator('[data-handle="查询"]').focus();
  await tab.keyboard.press("ArrowLeft");
  await drag(tab, "v1", [40, 40]);
  assert.deepEqual(await seen(tab), before);
  await tab.close();
});

test("a masked value is grey, and the hull shrinks", async () => {
  const tab = await open(there.browser, there.site, "hull", "?mask=1011");
  assert.equal(await tab.locator('[data-handle="v1"]').getAttribute("data-masked"), "true");
  assert.equal(figure.compute({ ...START, mask: "1011" }).corners.length, 3);
  assert.equal(figure.compute(START).corners.length, 4);
  await tab.close();
});

/** The settings on a coarse grid: every query, mask and switch, with three sets of values. */
function* settings() {
  for (const values of [START.values, [0, 0, 0, 0, 1, 1, 1, 1], [-3, -3, -1, -1, 1, 1, 3, 3]]) {
    for (const x of [-4, -0.1, 0, 2]) {
      for (const mask of ["1111", "0111", "0100", "1010"]) {
        for (const [projection, residual] of [[false, false], [true, false], [false, true], [true, true]]) {
          yield { values, query: [x, 1.3], mask, projection, residual };
        }
      }
    }
  }
}

test("the output is in the hull, and after what follows in the hull moved by the same", () => {
  for (const state of settings()) {
    const { away, transformed, place } = figure.compute(state);
    assert.equal(away[1], 0, JSON.stringify(state));
    if (!transformed) assert.equal(place, "inside");
  }
});

test("hulls are those of Python", () => {
  const sets = [...settings()].map((state) => figure.compute(state).values).concat([[[0, 0], [2, 0], [1, 0], [1, 1]]]);
  const program = (points) => `import numpy as np\nfrom duizhao.trace.hull import hull\nprint(hull(np.array(${JSON.stringify(points)}, dtype=float)).tolist())`;
  const printed = ask("tests.figures.programs", sets.map(program));
  sets.forEach((points, at) => assert.deepEqual(hull(points).flat(), printed[at]));
});

test("distances are those to the nearest of all pairs of corners, and 0 inside", () => {
  const corners = hull([[0, 0], [4, 0], [4, 3], [0, 3]]);
  for (const [point, far] of [[[1, 1], 0], [[4, 3], 0], [[4, 1.5], 0], [[7, 7], 5], [[-2, 1], 2], [[2, -1.5], 1.5]]) assert.equal(distance(point, corners), far);
  assert.equal(distance([3, 4], [[0, 0]]), 5);
  assert.equal(distance([1, 1], hull([[0, 0], [2, 0], [1, 0]])), 1);
  assert.ok(Number.isNaN(distance([0, 0], [])));
});
