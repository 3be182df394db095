// The GitHub workflows under actionlint, which reads them as GitHub does. Run by `make lint-workflows`.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import test from "node:test";

const folder = new URL("../../.github/workflows/", import.meta.url);
const { createLinter } = createRequire(import.meta.url)("actionlint");
const lint = await createLinter();

/** What actionlint says of a workflow, a line each. */
function problems(text, path) {
  return lint(text, path).map(({ line, column, message, kind }) => `${path}:${line}:${column}: ${message} [${kind}]`);
}

const names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name));

test("there are workflows to look at", () => {
  assert.ok(names.length >= 3, names.join(", "));
});

for (const name of names) {
  test(`${name} is right`, async () => {
    const text = await readFile(new URL(name, folder), "utf8");
    assert.deepEqual(problems(text, `.github/workflows/${name}`), []);
  });
}

const right = `on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: make test
`;

test("a workflow in which nothing is wrong is let through", () => {
  assert.deepEqual(problems(right, "right.yml"), []);
});

for (const [what, wrong, kind] of [
  ["a key that GitHub does not know", right.replace("runs-on", "run-on"), "syntax-check"],
  ["a system that there is none of", right.replace("ubuntu-latest", "ubuntu-lates"), "runner-label"],
  ["an expression that names nothing", right.replace("make test", "make ${{ matrix.target }}"), "expression"],
  ["an event that there is none of", right.replace("on: push", "on: pusch"), "events"],
  ["a step that does nothing", right.replace("run: make test", "name: nothing"), "syntax-check"],
  ["an action without a version", right.replace("run: make test", "uses: actions/checkout"), "action"],
]) {
  test(`${what} is found`, () => {
    const kinds = lint(wrong, "wrong.yml").map((found) => found.kind);
    assert.ok(kinds.includes(kind), `${kinds.join(", ") || "nothing"} was found`);
  });
}

// It gives up for good at such text, so this test is the last one.
test("text that is no YAML is not let through", () => {
  assert.throws(() => lint("on: [push\n", "wrong.yml"));
});
