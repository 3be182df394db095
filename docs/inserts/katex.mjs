// Reads formulas as JSON, [{ tex, display }, …], and writes the HTML of each as a JSON list. Names on standard error every
// formula that KaTeX does not take, and exits 1 if there is one.
import { readFileSync } from "node:fs";
import katex from "katex";

const wrong = [];
const rendered = JSON.parse(readFileSync(0, "utf8")).map(({ tex, display }) => {
  try {
    return katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: "error", trust: false });
  } catch (error) {
    wrong.push(`formula ${JSON.stringify(tex)}: ${error.message}`);
    return "";
  }
});
if (wrong.length > 0) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
process.stdout.write(JSON.stringify(rendered));
