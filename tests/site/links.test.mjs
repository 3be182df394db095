// Where links lead: inside the site, from full Lean names, by name, and from addresses that do not exist.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { addresses, pages, serve, SITE, start } from "./served.mjs";

const index = JSON.parse(readFileSync(join(SITE, "results.json"), "utf8"));
const placed = index.results.filter(({ page }) => page !== null);
let site, browser, tab;
/** The ids and the links of each page, by its address. */
const found = {};

before(async () => {
  [site, browser] = [await serve(), await start()];
  tab = await browser.tab();
  for (const address of pages()) found[address] = await seen(address);
});
after(async () => {
  await browser.close();
  site.close();
});

/** The ids and the links of a page, as the browser sees them once its scripts have run. */
async function seen(address) {
  await tab.goto(site.root + address, { waitUntil: "load" });
  return tab.evaluate(() => ({
    ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    links: [...document.querySelectorAll("a[href], area[href]")].map(({ href }) => href),
  }));
}

/** Links between pages, given as `found` is, that lead to no page or to no id on it. */
function dead(all, root, files) {
  const wrong = [];
  for (const [address, { links }] of Object.entries(all)) {
    for (const link of new Set(links.filter((href) => href.startsWith(root)))) {
      const url = new URL(link);
      const target = decodeURIComponent(url.pathname.slice(1));
      const anchor = decodeURIComponent(url.hash.slice(1));
      const there = target in all ? !anchor || all[target].ids.includes(anchor) : files.has(target);
      if (!there) wrong.push(`${address || "/"}: ${target}${url.hash}`);
    }
  }
  return wrong;
}

test("every link inside the site leads to a page and an anchor", () => {
  const files = new Set([...addresses(), "results.json"]);
  assert.deepEqual(dead(found, site.root, files), []);
  assert.ok(Object.values(found).some(({ links }) => links.some((link) => link.includes("#"))));
});

test("a link to no page and one to no anchor are found", () => {
  const planted = { "": { ids: ["a"], links: ["x:/#a", "x:/#b", "x:/c/", "y:/d"] } };
  assert.deepEqual(dead(planted, "x:/", new Set()), ["/: #b", "/: c/"]);
});

test("no id stands twice on a page", () => {
  for (const [address, { ids }] of Object.entries(found)) {
    assert.deepEqual(ids.filter((id, place) => ids.indexOf(id) !== place), [], address);
  }
});

test("every full Lean name leads to the anchor of its result", async () => {
  assert.ok(placed.length > 0);
  for (const { name, id, page } of placed) {
    const text = readFileSync(join(SITE, "lean", name, "index.html"), "utf8");
    assert.equal(new URL(/url=([^"]+)"/.exec(text)[1], `http://x/lean/${name}/`).href, `http://x/${page}`);
    assert.ok(page.endsWith(`#${id}`));
  }
  const { name, page } = placed.find(({ id }) => id === "attention_convex");
  await tab.goto(`${site.root}lean/${name}/`);
  await tab.waitForURL(site.root + page);
  assert.ok(await tab.locator("#attention_convex").isVisible());
});

for (const name of ["NeuralNetworks.attention_convex", "attention_convex"]) {
  test(`find/?name=${name} lands on the anchor`, async () => {
    await tab.goto(`${site.root}find/?name=${name}`);
    await tab.waitForURL(`${site.root}theorems/read/#attention_convex`);
    assert.ok(await tab.locator("#attention_convex").evaluate((heading) => {
      const { top } = heading.getBoundingClientRect();
      return top >= 0 && top < innerHeight;
    }));
  });
}

test("the form of find/ leads to what is typed", async () => {
  await tab.goto(`${site.root}find/`);
  await tab.getByLabel("名称").fill("NeuralNetworks.read_zero");
  await tab.getByRole("button", { name: "查找" }).click();
  await tab.waitForURL(`${site.root}theorems/read/#read_zero`);
});

for (const [asked, first] of [
  ["find/?name=NeuralNetworks.attention_convx", "theorems/read/#attention_convex"],
  ["lean/NeuralNetworks.attention_convx/", "theorems/read/#attention_convex"],
  ["theorems/raed/", "theorems/read/"],
  ["glosary", "glossary/"],
]) {
  test(`/${asked} suggests ${first} first`, async () => {
    await tab.goto(site.root + asked);
    const link = tab.locator("[data-suggest] a").first();
    await link.waitFor();
    assert.equal(await link.evaluate(({ href }) => href), site.root + first);
  });
}

test("a name like no other is said to be like no other", async () => {
  await tab.goto(`${site.root}find/?name=qqqqqqqqqqqq`);
  await tab.getByText("没有与“qqqqqqqqqqqq”相近的名称。").waitFor();
});

test("the index of results has the form that it is described in", () => {
  assert.equal(index.schema, 1);
  for (const result of index.results) {
    const keys = ["id", "name", "topic", "title", "sentence", "state", "relation", "page"];
    assert.deepEqual(Object.keys(result), keys);
    assert.ok(result.name.endsWith(`.${result.id}`));
    assert.equal(result.title === null, result.page === null);
  }
  assert.deepEqual(index.pages.map(({ address }) => address).sort(), pages().filter(Boolean));
});
