// The built site, served on this machine, and a headless browser to look at it with.
import { createServer } from "node:http";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative, resolve, sep } from "node:path";
import { chromium } from "playwright-core";

export const SITE = resolve(process.env.SITE_DIR ?? "site");
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".xml": "text/xml",
};
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The addresses of all HTML files of the site, without `index.html`. */
export function addresses() {
  const found = readdirSync(SITE, { recursive: true }).filter((name) => name.endsWith(".html"));
  if (found.length === 0) throw new Error(`${SITE} holds no page`);
  return found.map((name) => name.split(sep).join("/").replace(/(^|\/)index\.html$/, "$1")).sort();
}

/** The addresses of the pages: neither redirects nor the page for what is missing. */
export function pages() {
  return addresses().filter((address) => !address.startsWith("lean/") && address !== "404.html");
}

/** Serves the site below `/`, with 404.html for what is missing. */
export async function serve() {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    let file = join(SITE, path);
    if (path.endsWith("/")) file = join(file, "index.html");
    const there = !relative(SITE, file).startsWith("..") && statSync(file, { throwIfNoEntry: false })?.isFile();
    if (!there) file = join(SITE, "404.html");
    response.writeHead(there ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { root: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Starts the browser that `BROWSER_PATH` names. */
export async function start() {
  const folder = mkdtempSync(join(tmpdir(), "duizhao-browser-"));
  const options = { executablePath: process.env.BROWSER_PATH, headless: true, args: QUIET };
  const context = await chromium.launchPersistentContext(folder, options);
  const browser = context.browser();
  return {
    browser,
    /** A tab of its own, 1280 pixels wide unless said otherwise, in light colours unless said otherwise. */
    async tab({ width = 1280, height = 900, colours = "light" } = {}) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      page.setDefaultTimeout(60_000);
      await page.emulateMedia({ colorScheme: colours, reducedMotion: "reduce" });
      return page;
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
