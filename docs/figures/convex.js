// Convex hulls of a few points in the plane.

const cross = ([ox, oy], [ax, ay], [bx, by]) => (ax - ox) * (by - oy) - (ay - oy) * (bx - ox);

/** The corners of the convex hull, anticlockwise (Andrew's monotone chain): two for points on a line, one for one point. */
export function hull(points) {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by)
    .filter((point, place, all) => place === 0 || point.some((x, axis) => x !== all[place - 1][axis]));
  if (sorted.length < 3) return sorted;
  const half = (list) => {
    const chain = [];
    for (const point of list) {
      while (chain.length > 1 && cross(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

function toSegment([px, py], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - along * dx, py - ay - along * dy);
}

/** How far a point is from the convex hull with these corners: 0 inside, NaN if there is no corner. */
export function distance(point, corners) {
  if (corners.length === 0) return NaN;
  const sides = corners.map((corner, place) => [corner, corners[(place + 1) % corners.length]]);
  if (corners.length > 2 && sides.every(([a, b]) => cross(a, b, point) >= 0)) return 0;
  return Math.min(...sides.map(([a, b]) => toSegment(point, a, b)));
}
