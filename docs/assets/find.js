// Finds results by their names: on find/ for what is asked for, on the page for missing pages for what its address may have meant.

const root = new URL("../", import.meta.url);

/** How many letters must be put in, taken out, changed or swapped with the next to make `a` of `b`. */
export function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] + 1 : Infinity;
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, change, swap);
    }
  }
  return rows[a.length][b.length];
}

/** Words of a name in lower case: `Softmax_sum` and `softmaxSum` have the same. */
function words(name) {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** The candidates most like `asked`, best first, at most five. */
export function nearest(asked, candidates) {
  const wanted = asked.toLowerCase();
  const parts = words(asked);
  return candidates
    .map((candidate) => {
      const name = candidate.key.toLowerCase();
      const shared = parts.filter((part) => words(candidate.key).includes(part)).length;
      const near = 1 - distance(wanted, name) / Math.max(wanted.length, name.length, 1);
      const inside = wanted.length > 2 && name.includes(wanted) ? 0.5 : 0;
      return { candidate, score: near + inside + shared / Math.max(parts.length, 1) };
    })
    .filter(({ score }) => score > 0.6)
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ candidate }) => candidate);
}

function show(place, asked, found) {
  const said = document.createElement("p");
  said.textContent = found.length > 0 ? "最接近的是：" : `没有与“${asked}”相近的名称。`;
  const list = document.createElement("ul");
  for (const { address, label, key } of found) {
    const link = document.createElement("a");
    link.href = new URL(address, root);
    link.textContent = label;
    const code = document.createElement("code");
    code.textContent = key;
    const item = document.createElement("li");
    item.append(link, " ", code);
    list.append(item);
  }
  place.replaceChildren(said, ...(found.length > 0 ? [list] : []));
}

async function start() {
  const place = document.querySelector("[data-suggest]");
  if (place === null) return;
  const onPath = place.dataset.suggest === "path";
  const asked = onPath
    ? decodeURIComponent(location.pathname).replace(/(?:\/(?:index\.html)?)+$/, "").split("/").pop()
    : (new URLSearchParams(location.search).get("name") ?? "").trim();
  if (!asked) return;
  if (!onPath) document.getElementById("name").value = asked;
  const { results, pages } = await (await fetch(new URL("results.json", root))).json();
  const exact = results.find(({ id, name, page }) => page !== null && (id === asked || name === asked));
  if (exact !== undefined && !onPath) {
    location.replace(new URL(exact.page, root));
    return;
  }
  const candidates = results
    .filter(({ page }) => page !== null)
    .map(({ id, title, page }) => ({ key: id, label: title, address: page }));
  for (const { title, address } of onPath ? pages : []) {
    candidates.push({ key: address.replace(/\/$/, "").split("/").pop() || address, label: title, address });
  }
  show(place, asked, nearest(asked.replace(/^NeuralNetworks\.(?:Counterexample\.)?/, ""), candidates));
}

if (typeof document !== "undefined") await start();
