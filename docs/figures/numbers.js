// Numbers as a reader sees them, and as Python reads them.

/** Three digits. A whole number stands without a point only if the number is exactly that: 0.9996 is 1.00, and 1 is 1. */
export function shown(x) {
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (Number.isInteger(x) && Math.abs(x) < 1000) return minus(String(x === 0 ? 0 : x));
  const size = Math.abs(Number(x.toPrecision(3)));
  return minus(size < 1e-3 || size >= 1000 ? x.toExponential(2) : x.toPrecision(3));
}

const minus = (text) => text.replace("e+", "e").replaceAll("-", "−");

/** The same for a point or a list. */
export const shownAll = (numbers) => `(${numbers.map(shown).join(", ")})`;

/** What a counterexample holds: numbers, truth values, and lists and records of them. */
export function told(value) {
  if (Array.isArray(value)) return `[${value.map(told).join(", ")}]`;
  if (value !== null && typeof value === "object") return `{${Object.entries(value).map(([name, one]) => `${name}: ${told(one)}`).join(", ")}}`;
  return typeof value === "number" ? shown(value) : { true: "True", false: "False" }[value] ?? String(value);
}

/** A number or a nested list as Python writes floats. */
export function python(value) {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (Number.isNaN(value)) return 'float("nan")';
  return Number.isInteger(value) ? `${Object.is(value, -0) ? 0 : value}.0` : String(value);
}

/** A nested list of truth values as Python writes it. */
export function pythonFlags(value) {
  if (Array.isArray(value)) return `[${value.map(pythonFlags).join(", ")}]`;
  return value ? "True" : "False";
}
