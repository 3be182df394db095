// All figures: how much code they are.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../docs/figures/", import.meta.url);

test("the code of each figure, and each module that they share, is under 15 kB", (context) => {
  const sizes = readdirSync(FOLDER).filter((name) => name.endsWith(".js")).map((name) => [name, statSync(new URL(name, FOLDER)).size]);
  assert.ok(sizes.length > 5);
  context.diagnostic(sizes.map(([name, size]) => `${name} ${size}`).join(", "));
  assert.deepEqual(sizes.filter(([, size]) => size >= 15_000), []);
});
