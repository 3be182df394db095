// Search: what readers look for comes first.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve, SITE, start } from "./served.mjs";

const index = JSON.parse(readFileSync(join(SITE, "results.json"), "utf8"));
/** For each search the pages that may come first: those with the word in their titles, bugs
 * apart, else the one that is named. */
const EXPECTED = {
  attention_convex: "theorems/read/",
  凸组合: "theorems/read/",
  残差: "theorems/read/",
  因果遮罩: "theorems/mask/",
};
let site, browser;

before(async () => {
  [site, browser] = [await serve(), await start()];
});
after(async () => {
  await browser.close();
  site.close();
});

/** The addresses that a search gives, in order. */
async function search(words) {
  const tab = await browser.tab();
  try {
    await tab.goto(site.root, { waitUntil: "networkidle" });
    await tab.keyboard.press("/");
    await tab.locator("[data-md-component=search-query]").fill(words);
    await tab.keyboard.press("End");
    const found = tab.locator("[data-md-component=search-result] a.md-search-result__link");
    await found.first().waitFor({ timeout: 10_000 }).catch(() => assert.fail(`nothing is found for ${words}`));
    return await found.evaluateAll((links) => links.map(({ href }) => href));
  } finally {
    await tab.close();
  }
}

for (const [words, named] of Object.entries(EXPECTED)) {
  const titled = index.pages
    .filter(({ title, address }) => title.includes(words) && !address.startsWith("bugs/"))
    .map(({ address }) => address);
  const expected = titled.length > 0 ? titled : [named];
  test(`${words} is found first on ${expected.join(" or ")}`, async () => {
    const [first] = await search(words);
    assert.ok(expected.includes(new URL(first).pathname.slice(1)), `${first} comes first`);
  });
}

test("an id is found first on its page, and there at its anchor", async () => {
  const placed = index.results.filter(({ page }) => page !== null);
  for (const { id, page } of placed.filter((_, place) => place % 25 === 0)) {
    const [first, section] = (await search(id)).map((href) => href.replace(/\?[^#]*/, ""));
    assert.deepEqual([first, section], [site.root + page.replace(/#.*/, ""), site.root + page]);
  }
});
