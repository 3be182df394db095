// Every page in a browser: nothing on the console, nothing from elsewhere, every formula rendered, no barrier.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { pages, serve, start } from "./served.mjs";

/** Bytes of a page with all that it loads, compressed, without fonts, and without the library that figures are drawn with. */
const LIMIT = 500_000;
const NOT_COUNTED = /\.woff2$|\/assets\/jsxgraph\//;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let site, browser;

before(async () => {
  [site, browser] = [await serve(), await start()];
});
after(async () => {
  await browser.close();
  site.close();
});

/** Opens a page and gives what went wrong, messages on the console, failed and outside requests, and its weight. */
async function open(tab, address) {
  const wrong = [];
  const loaded = [];
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`${message.type()}: ${message.text()}`);
  });
  tab.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  tab.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(site.root)) {
      wrong.push(`asks another host: ${request.url()}`);
    }
  });
  tab.on("response", (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()}: ${response.url()}`);
    if (!NOT_COUNTED.test(response.url())) loaded.push(response.body().then((body) => gzipSync(body).length, () => 0));
  });
  await tab.goto(site.root + address, { waitUntil: "networkidle" });
  const weight = (await Promise.all(loaded)).reduce((sum, bytes) => sum + bytes, 0);
  return { wrong, weight };
}

/** What axe-core says of the page as it is: each violation with the elements it concerns. */
async function barriers(tab, options = {}) {
  const { violations } = await tab.evaluate((given) => globalThis.axe.run(document, { resultTypes: ["violations"], ...given }), options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(" | ")}`);
}

const COLOURS = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };

/** How far the page and each of its parts that cannot be scrolled reach out of the window. */
async function reachesOut(tab) {
  return tab.evaluate(() => {
    const room = document.documentElement.clientWidth;
    return document.documentElement.scrollWidth - room;
  });
}

describe("every page", { concurrency: 2 }, () => {
  for (const address of pages()) {
    test(`/${address}: quiet, light, from here alone, rendered, without barrier, not cut off`, async () => {
      const tab = await browser.tab();
      try {
        const { wrong, weight } = await open(tab, address);
        assert.deepEqual(wrong, []);
        assert.ok(weight > 0 && weight < LIMIT, `${weight} bytes`);
        const formulas = await tab.evaluate(async () => {
          await document.fonts.ready;
          const all = [...document.querySelectorAll(".formula")];
          return {
            left: document.querySelectorAll(".arithmatex, .katex-error").length,
            bare: all.filter((formula) => formula.querySelector(".katex .katex-html") === null).length,
            failed: [...document.fonts].filter((font) => font.status === "error").map((font) => font.family),
          };
        });
        assert.deepEqual(formulas, { left: 0, bare: 0, failed: [] });
        await tab.evaluate(axe);
        await tab.evaluate(() => document.querySelectorAll("article details").forEach((fold) => (fold.open = true)));
        assert.deepEqual(await barriers(tab), []);
        const dark = { mdColorScheme: "slate", mdColorPrimary: "black" };
        await tab.evaluate((colours) => Object.assign(document.body.dataset, colours), dark);
        assert.deepEqual(await barriers(tab, COLOURS), []);
        for (const width of [1280, 390]) {
          await tab.setViewportSize({ width, height: 900 });
          assert.equal(await reachesOut(tab), 0, `${width} pixels`);
        }
      } finally {
        await tab.close();
      }
    });
  }
});

test("who prefers dark colours gets them", async () => {
  const fresh = await start();
  try {
    for (const [colours, scheme] of [["dark", "slate"], ["light", "default"]]) {
      const tab = await fresh.tab({ colours });
      await tab.goto(site.root);
      assert.equal(await tab.evaluate(() => document.body.dataset.mdColorScheme), scheme);
      await tab.evaluate(() => localStorage.clear());
      await tab.close();
    }
  } finally {
    await fresh.close();
  }
});

test("a message on the console, an outside request and a barrier are found", async () => {
  const tab = await browser.tab();
  try {
    const { wrong } = await open(tab, "");
    await tab.evaluate(axe);
    await tab.evaluate(() => {
      console.error("planted");
      document.querySelector("article").insertAdjacentHTML("beforeend", '<img src="http://localhost:1/x.png">');
    });
    await tab.waitForTimeout(100);
    assert.ok(wrong.includes("error: planted"));
    assert.ok(wrong.includes("asks another host: http://localhost:1/x.png"));
    assert.ok((await barriers(tab)).some((violation) => violation.startsWith("image-alt")));
  } finally {
    await tab.close();
  }
});
