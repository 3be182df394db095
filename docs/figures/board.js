// Pictures with JSXGraph, which is loaded from this site. Colours are those of the style sheet, by class.
import { onStep } from "./state.js";
import { words } from "./words.js";

const home = new URL("../assets/jsxgraph/", import.meta.url);
let loading;
let count = 0;

function load() {
  loading ??= new Promise((ready, failed) => {
    const styles = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("jsxgraph.css", home) });
    const script = Object.assign(document.createElement("script"), { src: new URL("jsxgraphcore.js", home) });
    script.onload = () => ready(globalThis.JXG);
    script.onerror = () => failed(new Error(`${script.src} cannot be loaded`));
    document.head.append(styles, script);
  });
  return loading;
}

/** A board in a box: `label` names it, `bounds` are left, top, right, bottom. */
export async function board(box, name, bounds) {
  const JXG = await load();
  const place = document.createElement("div");
  Object.assign(place, { id: `board-${++count}`, className: "board" });
  place.style.aspectRatio = `${bounds[2] - bounds[0]} / ${bounds[1] - bounds[3]}`;
  box.append(place);
  JXG.Options.text.display = "internal";
  Object.assign(JXG.Options.elements, { transitionDuration: 0, transitionProperties: [], highlight: false });
  return JXG.JSXGraph.initBoard(place.id, {
    boundingbox: bounds, keepaspectratio: true, axis: false, showCopyright: false, showNavigation: false, showInfobox: false,
    pan: { enabled: false }, zoom: { enabled: false }, browserPan: true, title: name,
    keyboard: { enabled: true, panShift: false, panCtrl: false },
  });
}

const PLAIN = { fixed: true, highlight: false, tabindex: null, withLabel: false };

/** A line between two points, given as functions. */
export const segment = (on, from, to, cssClass, more = {}) =>
  on.create("segment", [from, to].map((end) => on.create("point", [() => end()[0], () => end()[1]], { ...PLAIN, visible: false })),
    { ...PLAIN, cssClass, highlightCssClass: cssClass, ...more });

/** A text at a place, both given as functions. */
export const label = (on, at, text, cssClass = "label", more = {}) =>
  on.create("text", [() => at()[0], () => at()[1], text],
    { ...PLAIN, cssClass, highlightCssClass: cssClass, fontSize: 14, anchorX: "middle", anchorY: "middle", ...more });

/** A dot that shows a place, given as a function. */
export const dot = (on, at, cssClass, more = {}) =>
  on.create("point", [() => at()[0], () => at()[1]], { ...PLAIN, size: 6, cssClass, highlightCssClass: cssClass, ...more });

/** A filled shape; `corners` gives its corners, at least one, anew at each update. */
export function shape(on, corners, cssClass) {
  const curve = on.create("curve", [[0], [0]], { ...PLAIN, cssClass, highlightCssClass: cssClass, fillColor: "#888888", fillOpacity: 1 });
  curve.updateDataArray = function update() {
    const round = corners();
    const closed = round.length > 0 ? [...round, round[0]] : [];
    [this.dataX, this.dataY] = [0, 1].map((axis) => closed.map((corner) => corner[axis]));
  };
  return curve;
}

/** A point that mouse, touch and arrow keys move by the steps of its field; `moved` gets its place. Give `free` a function. */
export function handle(on, start, field, name, moved, cssClass, more = {}) {
  const point = on.create("point", start, {
    name: "", withLabel: false, size: 9, cssClass, highlightCssClass: cssClass, highlight: false, tabindex: 0, showInfobox: false,
    snapToGrid: true, snapSizeX: field.step, snapSizeY: field.step, ...more,
  });
  const tell = () => {
    const [x, y] = [point.X(), point.Y()].map((value) => onStep(field, value));
    const node = point.rendNode;
    for (const [key, value] of Object.entries({
      role: "slider", "aria-label": words.position(name, x, y), "aria-valuemin": field.min, "aria-valuemax": field.max,
      "aria-valuenow": x, "aria-valuetext": `${x}，${y}`, "data-handle": name,
    })) node.setAttribute(key, value);
  };
  point.on("drag", () => moved([point.X(), point.Y()].map((value) => onStep(field, value))));
  return {
    point,
    show(place, locked, masked = false) {
      point.setPositionDirectly(1, place);
      point.setAttribute({ fixed: locked });
      tell();
      point.rendNode.dataset.masked = String(masked);
    },
  };
}
