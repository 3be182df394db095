// 分块: every state on the way is that of Python, in any order, and all orders end alike unless the rescale is forgotten.
import assert from "node:assert/strict";
import { test } from "node:test";
import { figure } from "../../docs/figures/blocks.js";
import { started } from "../../docs/figures/state.js";
import { open, reproduced, seen, settled, sharedTests, surroundings } from "./figure.mjs";

const START = started(figure.fields);
const there = surroundings();
const at = (query, options) => open(there.browser, there.site, "blocks", query, options);
/** What the Python lines print: the difference only where it is more than rounding can do. */
const keys = ({ order }, { off }) => [
  ...[...order].flatMap((_, step) => ["max", "sum", "acc", "out"].map((what) => `${what}_${step}`)),
  "dense",
  ...(off === "还没有读完" || off === "0" ? [] : ["off"]),
];

sharedTests(there, figure, {
  keys,
  verdicts: ["false", "true", "true", "false"],
  focus: '[data-field="scores-0"]',
  presses: Array(20).fill("ArrowUp"),
  query: "?size=1&order=3105&values=1,2,3,4,5,-5",
  state: { ...START, size: "1", order: "3105", values: [1, 2, 3, 4, 5, -5] },
});

test("every control changes the numbers, and Python computes the same", async () => {
  const tab = await at("?step=0");
  const list = [await seen(tab)];
  const press = async (selector) => {
    await tab.locator(selector).focus();
    await tab.keyboard.press("Enter");
    list.push(await seen(tab));
  };
  await press('[data-block="2"]');
  await press('[data-block="0"]');
  assert.equal(await tab.evaluate(() => document.activeElement.dataset.block), "0");
  await press("[data-do=rest]");
  await press("[data-do=back]");
  for (const [name, value] of [["scores-3", "-1.5"], ["scores-0", "7"], ["values-4", "4.5"]]) {
    await tab.locator(`[data-field="${name}"]`).fill(value);
    list.push(await seen(tab));
  }
  await press("[data-do=rest]");
  await tab.locator('[data-field="forget"]').focus();
  await tab.keyboard.press("Space");
  list.push(await seen(tab));
  for (const name of ["1 个", "3 个"]) {
    await tab.getByLabel(name).check();
    list.push(await seen(tab));
  }
  list.slice(1).forEach(({ numbers }, place) => assert.notDeepEqual(numbers, list[place].numbers));
  reproduced(list, keys);
  await tab.close();
});

test("a click, a finger and a key read a block alike, once", async () => {
  const ways = {
    click: (tab) => tab.locator('[data-block="1"]').click({ force: true }),
    finger: async (tab) => {
      const { x, y, width, height } = await tab.locator('[data-block="1"]').boundingBox();
      const client = await tab.context().newCDPSession(tab);
      await client.send("Emulation.setTouchEmulationEnabled", { enabled: true });
      await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + width / 2, y: y + height / 2 }] });
      await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    },
    key: async (tab) => {
      await tab.locator('[data-block="1"]').focus();
      await tab.keyboard.press("Space");
    },
  };
  for (const [way, go] of Object.entries(ways)) {
    const tab = await at("?step=0");
    await tab.locator('[data-block="1"]').scrollIntoViewIfNeeded();
    for (let times = 0; times < 2; times++) {
      await go(tab);
      await tab.locator('[data-block="1"][aria-pressed="true"]').waitFor();
    }
    assert.deepEqual({ way, query: await settled(tab) }, { way, query: "?order=1" });
    await tab.close();
  }
});

test("an order in which a block stands twice is named", async () => {
  const tab = await at("?order=00&step=0");
  assert.match(await tab.locator(".steps .wrong").textContent(), /order/);
  assert.equal((await seen(tab)).state.order, "");
  await tab.close();
});

/** All orders of the letters of a word. */
const orders = (word) => (word.length < 2 ? [word] : [...word].flatMap((first) => orders(word.replace(first, "")).map((rest) => first + rest)));

test("all 720 orders of single keys end with the dense output, and with a state forgotten none does", () => {
  const ends = orders("012345").map((order) => figure.compute({ ...START, size: "1", order }));
  assert.equal(ends.length, 720);
  assert.deepEqual(ends.filter(({ off }) => off !== 0), []);
  const forgotten = orders("012345").map((order) => figure.compute({ ...START, size: "1", order, forget: true }));
  assert.deepEqual(forgotten.filter(({ off }) => off === 0), []);
});

test("blocks whose largest scores are equal end alike even so", () => {
  const { off } = figure.compute({ ...START, scores: [2, 1, 0, 2, 2, -1], order: "012", forget: true });
  assert.equal(off, 0);
});
