// float16 arithmetic, each operation rounded once, to nearest, ties to even. Its numbers are those of float16 held as JavaScript's.
//
// Each operation is done in float64 and then rounded, which is the same as rounding once:
// - Sums, differences and products of two float16 numbers are exact in float64: they need at most 42 of its 53 bits.
// - A quotient of two 11-bit numbers is a midpoint between two float16 numbers, or differs from it by over 2^-24 of itself, and
//   float64 errs by 2^-53.
// - exp of a float16 number other than 0 is never within 2^-27 of itself of a midpoint (tests/figures looks at them all).
// So that the exponential of float64 must be right to 2^-28, which every browser's is by far.

const SMALLEST = 2 ** -24;
const LARGEST = 65504;

const bits = new DataView(new ArrayBuffer(8));

/** The exponent of a positive, normal float64: the integer e with 2^e ≤ x < 2^(e + 1). */
function exponent(x) {
  bits.setFloat64(0, x);
  return (bits.getUint16(0) >> 4) - 1023;
}

function tiesToEven(x) {
  const below = Math.floor(x);
  const rest = x - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

/** The float16 number nearest to a float64: infinite from 65520 on. */
export function round(x) {
  const size = Math.abs(x);
  if (size === 0 || !Number.isFinite(x)) return x;
  const unit = size < 2 ** -14 ? SMALLEST : 2 ** (exponent(size) - 10);
  const rounded = tiesToEven(size / unit) * unit;
  return Math.sign(x) * (rounded > LARGEST ? Infinity : rounded) || x * 0;
}

export const float16 = {
  name: "float16",
  round,
  add: (a, b) => round(a + b),
  sub: (a, b) => round(a - b),
  mul: (a, b) => round(a * b),
  div: (a, b) => round(a / b),
  exp: (a) => round(Math.exp(a)),
};
