// What the tests of all figures share: a figure in a tab, its controls, what it shows, and what its Python lines print.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve, start } from "./served.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PYTHON = process.env.SITE_PYTHON ?? (existsSync(`${ROOT}.venv/bin/python`) ? `${ROOT}.venv/bin/python` : "python3");

/** What a Python module makes of a value given as JSON. */
export function ask(module, value) {
  const options = { cwd: ROOT, input: JSON.stringify(value), maxBuffer: 2 ** 26, encoding: "utf8" };
  return JSON.parse(execFileSync(PYTHON, ["-m", module], options));
}

/** Opens a figure at a query, and waits until it can be used. */
export async function open(browser, site, name, query = "", options = {}) {
  const tab = await browser.tab(options);
  if (options.motion) await tab.emulateMedia({ reducedMotion: "no-preference" });
  await tab.goto(`${site.root}figures/${name}/${query}`);
  await tab.locator("[data-ready]").waitFor();
  return tab;
}

/** What is read off, by name, and the Python lines beside it. */
export function seen(tab) {
  return tab.evaluate(() => ({
    numbers: Object.fromEntries([...document.querySelectorAll(".figure [data-readout]")].map(({ dataset, textContent }) => [dataset.readout, textContent])),
    program: document.querySelector(".figure .python code").textContent,
    state: JSON.parse(document.querySelector(".figure").dataset.state),
    said: document.querySelector(".figure .said").textContent,
  }));
}

/** Whether a text is a number to the digits that it has. A whole number without a point is that number but for rounding. */
export function isTo(text, number) {
  const plain = text.replaceAll("−", "-");
  if (typeof number === "string") return { NaN: "nan", "∞": "inf", "-∞": "-inf" }[plain] === number || plain === number;
  const [digits, exponent = "0"] = plain.split("e");
  const decimals = digits.includes(".") ? digits.split(".")[1].length : null;
  // The exponentials of JavaScript and NumPy may differ in their last digit, and with them a sum that is 1 in one of the two.
  if (decimals === null && exponent === "0") return Math.abs(Number(plain) - number) <= 4 * Number.EPSILON * Math.abs(number);
  const unit = 10 ** (Number(exponent) - (decimals ?? 0));
  return Math.abs(Number(plain) - number) <= (unit / 2) * (1 + 1e-9);
}

/** Compares everything that was seen with what the Python lines beside it print; `keys` names the printed numbers in order. */
export function reproduced(list, keys) {
  const printed = ask("tests.figures.programs", list.map(({ program }) => program));
  list.forEach(({ numbers, state, program }, place) => {
    const names = keys(state, numbers);
    const where = `${JSON.stringify(state)}\n${program}\n`;
    assert.equal(printed[place].length, names.length, `${where}prints ${printed[place].join(" ")}`);
    names.forEach((name, at) => {
      assert.ok(isTo(numbers[name], printed[place][at]), `${where}${name}: ${numbers[name]} is shown, ${printed[place][at]} printed`);
    });
  });
}

/** Puts a slider on a value by keys alone: to an end, then step by step. */
export async function slide(tab, name, presses, end = "Home") {
  const slider = tab.locator(`[data-slider="${name}"]`);
  await slider.focus();
  await tab.keyboard.press(end);
  for (let press = 0; press < presses; press++) await tab.keyboard.press(end === "Home" ? "ArrowRight" : "ArrowLeft");
}

const centre = async (tab, handle) => {
  const element = tab.locator(`[data-handle="${handle}"]`);
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await element.boundingBox();
  return [x + width / 2, y + height / 2];
};

/** Drags a point of the picture by so many pixels with the mouse. */
export async function drag(tab, handle, [dx, dy]) {
  const [x, y] = await centre(tab, handle);
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x + dx / 2, y + dy / 2);
  await tab.mouse.move(x + dx, y + dy);
  await tab.mouse.up();
}

/** Drags a point of the picture by so many pixels with a finger. */
export async function swipe(tab, handle, [dx, dy]) {
  const [x, y] = await centre(tab, handle);
  const client = await tab.context().newCDPSession(tab);
  await client.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const touch = (type, ...touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x, y });
  await touch("touchMove", { x: x + dx / 2, y: y + dy / 2 });
  await touch("touchMove", { x: x + dx, y: y + dy });
  await touch("touchEnd");
}

/** The address once the figure has come to rest. */
export async function settled(tab) {
  await tab.waitForTimeout(600);
  return new URL(tab.url()).search;
}

/** A site and a browser for all tests of a file, closed after them: `{ site, browser }`, filled in before the first. */
export function surroundings() {
  const there = {};
  before(async () => Object.assign(there, { site: await serve(), browser: await start() }));
  after(async () => {
    await there.browser.close();
    there.site.close();
  });
  return there;
}

/** The tests that every figure passes alike. `presses` are keys that change it, on what `focus` selects; without
 * `keys` the file compares with Python by itself. */
export function sharedTests(there, figure, { keys, verdicts, focus, presses, query, state }) {
  const { name } = figure;
  const open_ = (...rest) => open(there.browser, there.site, name, ...rest);

  test("an address gives the state, the state gives an address, and 复位 the start", async () => {
    const tab = await open_(query);
    assert.deepEqual((await seen(tab)).state, state);
    await roundTrip(there.browser, there.site, name, tab);
    await tab.close();
  });

  test("each step asks first, then shows, and judges by the numbers", async () => {
    const tab = await open_();
    const steps = await walk(tab);
    assert.equal(steps.length, figure.steps.length);
    assert.deepEqual(steps.map(({ right }) => right), verdicts);
    if (keys !== null) reproduced(steps, keys);
    assert.equal(await locked(tab), false);
    await tab.close();
  });

  test("a demonstration jumps for who asks for no motion", async () => {
    assert.equal(await frames(there.browser, there.site, name, false), 2);
  });

  test("what changes is said in words, and to a screen reader once it rests", async () => {
    const tab = await open_("?step=0");
    const before = await seen(tab);
    await tab.locator(focus).first().focus();
    await tab.keyboard.press(presses[0]);
    await settled(tab);
    const after = await seen(tab);
    assert.notEqual(after.said, before.said);
    assert.ok(after.said.endsWith(await tab.locator(".figure [role=status]").textContent()));
    await tab.close();
  });

  test("from a key to the next paint", async (context) => {
    const tab = await open_("?step=0");
    await tab.locator(focus).first().focus();
    const { slowest, work } = await paint(tab, presses);
    context.diagnostic(`${name}: ${slowest} ms at most from a key to the next paint; ${work.toFixed(1)} ms of work a key`);
    assert.ok(work > 0);
    await tab.close();
  });

  test("on a phone nothing of the figure is wider than the screen", async () => {
    const tab = await open_(query, { width: 360 });
    const wide = await tab.evaluate(() => [...document.querySelectorAll(".figure *:not(.scroll *, .python *, svg *, .hidden-but-read)")]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(({ outerHTML }) => outerHTML.slice(0, 80)));
    assert.deepEqual(wide, []);
    await tab.close();
  });
}

/** The state survives a copy of the address; 复位 brings the start back, and with it a plain address. */
export async function roundTrip(browser, site, name, tab) {
  const query = await settled(tab);
  const shown = await seen(tab);
  assert.notEqual(query, "");
  const copy = await open(browser, site, name, query);
  assert.deepEqual(await seen(copy), shown);
  await copy.getByRole("button", { name: "复位" }).click();
  assert.equal(await settled(copy), "?step=0");
  const fresh = await open(browser, site, name, "?step=0");
  assert.deepEqual(await seen(copy), await seen(fresh));
  await copy.close();
  await fresh.close();
}

/** Whether no control of the figure can be used. */
const locked = (tab) =>
  tab.evaluate(() => [...document.querySelectorAll(".figure :is(.controls, .drawing) :is(input, select, [data-cell], [data-do=rest])")].every((control) => control.matches(":disabled")));

/** Goes through all steps with the keyboard, and gives what each says; picks the first answer. */
export async function walk(tab) {
  const said = [];
  for (;;) {
    const group = tab.locator(".figure .steps input[type=radio]");
    if ((await group.count()) === 0) return said;
    assert.equal(await locked(tab), true);
    await tab.locator("[data-do=show]").focus();
    await tab.keyboard.press("Enter");
    assert.match(await tab.locator(".verdict").textContent(), /先选一个答案/);
    await group.first().focus();
    await tab.keyboard.press("Space");
    await tab.locator("[data-do=show]").focus();
    await tab.keyboard.press("Enter");
    await tab.locator(".verdict[data-right]").waitFor();
    said.push({ text: await tab.locator(".verdict").textContent(), right: await tab.locator(".verdict").getAttribute("data-right"), ...(await seen(tab)) });
    assert.equal(await tab.evaluate(() => document.activeElement.dataset.do), "next");
    await tab.keyboard.press("Enter");
  }
}

/** How many frames a demonstration shows: one where the reader asks for no motion. */
export async function frames(browser, site, name, motion) {
  const tab = await open(browser, site, name, "", { motion });
  const states = await tab.evaluate(async () => {
    const root = document.querySelector(".figure");
    const found = new Set([root.dataset.state]);
    new MutationObserver(() => found.add(root.dataset.state)).observe(root, { attributeFilter: ["data-state"] });
    root.querySelector(".steps input[type=radio]").click();
    root.querySelector("[data-do=show]").click();
    do await new Promise((ready) => setTimeout(ready, 20));
    while (!root.querySelector(".verdict[data-right]"));
    return found.size;
  });
  await tab.close();
  return states;
}

/** Over a run of keys on the focused element, in milliseconds: the longest time to the next paint, and the work a key on average. */
export async function paint(tab, keys) {
  await tab.evaluate(() => {
    globalThis.slowest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.slowest = Math.max(globalThis.slowest, duration);
    }).observe({ type: "event", durationThreshold: 16 });
  });
  const client = await tab.context().newCDPSession(tab);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  const begun = await worked();
  for (const key of keys) {
    await tab.keyboard.press(key);
    await tab.waitForTimeout(50);
  }
  await tab.waitForTimeout(200);
  const work = ((await worked()) - begun) * (1000 / keys.length);
  return { slowest: await tab.evaluate(() => globalThis.slowest), work };
}
