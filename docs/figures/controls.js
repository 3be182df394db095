// The form controls of a figure, each a native one, so that keys, touch and screen readers work.
import { onStep, readField } from "./state.js";
import { words } from "./words.js";

/** An element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A radio group; `pick` gets what is picked. */
export function radios(name, legend, options, pick) {
  const inputs = options.map(([value, text]) => {
    const input = make("input", { type: "radio", name, value, onchange: () => pick(value) });
    return [value, input, make("label", {}, input, ` ${text}`)];
  });
  const element = make("fieldset", { class: "choice" }, make("legend", {}, legend), ...inputs.map(([, , label]) => label));
  return { element, show: (now) => inputs.forEach(([value, input]) => (input.checked = value === now)) };
}

function box(field, label, named, take, unique) {
  const { min, max, step } = field;
  const said = make("span", { class: "wrong", id: `${unique}-wrong`, hidden: true }, words.outside(min, max));
  const input = make("input", {
    type: "number", min, max, step: "any", inputmode: "decimal", ...named, "aria-label": label, "aria-describedby": said.id,
    oninput: () => {
      const value = readField({ ...field, kind: "number" }, input.value);
      said.hidden = value !== undefined;
      input.setAttribute("aria-invalid", String(value === undefined));
      if (value !== undefined) take(value);
    },
    onkeydown: (event) => {
      const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (way === undefined) return;
      event.preventDefault();
      take(onStep(field, Number(input.value) + way * step));
      said.hidden = true;
    },
  });
  const show = (value) => {
    if (document.activeElement !== input || Number(input.value) !== value) input.value = String(value);
    if (document.activeElement !== input) {
      said.hidden = true;
      input.setAttribute("aria-invalid", "false");
    }
  };
  return { input, said, show };
}

const precise = (x) => Number(x.toPrecision(3));

function number(name, field, label, set, unique) {
  const { min, max, step, log, zero } = field;
  const lowest = log && zero ? Math.log(min) - 0.1 : undefined;
  const to = (x) => (log ? (x === 0 ? lowest : Math.log(x)) : x);
  const from = (x) => (log ? (zero && x < lowest + 1e-6 ? 0 : precise(Math.exp(x))) : onStep(field, x));
  const inside = (x) => (zero && x === 0 ? 0 : Math.min(max, Math.max(min, x)));
  const slider = make("input", {
    type: "range", min: lowest ?? to(min), max: to(max), step: log ? (to(max) - (lowest ?? to(min))) / 200 : step,
    id: `${unique}-${name}`, "data-slider": name, oninput: () => set({ [name]: inside(from(Number(slider.value))) }),
  });
  const typed = box(field, `${label}，数字`, { "data-field": name }, (value) => set({ [name]: value }), `${unique}-${name}`);
  const element = make("div", { class: "number" }, make("label", { for: slider.id }, label), slider, typed.input, typed.said);
  return {
    element,
    show: (value) => {
      if (from(Number(slider.value)) !== value) slider.value = String(to(value));
      slider.setAttribute("aria-valuetext", String(precise(value)));
      typed.show(precise(value) === value || !Number.isFinite(value) ? value : Number(value.toPrecision(6)));
    },
  };
}

function numbers(name, field, { label, each }, set, unique) {
  let now = field.start;
  const boxes = field.start.map((_, place) => box(field, each(place), { "data-field": `${name}-${place}` }, (value) =>
    set({ [name]: now.map((old, other) => (other === place ? value : old)) }), `${unique}-${name}-${place}`));
  const element = make("fieldset", { class: "numbers" }, make("legend", {}, label),
    ...boxes.map(({ input, said }, place) => make("span", {}, make("span", { "aria-hidden": "true" }, each(place)), input, said)));
  return { element, show: (value) => ((now = value), boxes.forEach((one, place) => one.show(Number(value[place].toPrecision(6))))) };
}

function flags(name, field, { label, each }, set) {
  let now = field.start;
  const inputs = [...field.start].map((_, place) => make("input", {
    type: "checkbox", "data-field": `${name}-${place}`,
    onchange: () => set({ [name]: [...now].map((old, other) => (other === place ? String(1 - old) : old)).join("") }),
  }));
  const labels = inputs.map((input, place) => make("label", {}, input, ` ${each(place)}`));
  const element = make("fieldset", { class: "choice" }, make("legend", {}, label), ...labels);
  return { element, show: (value) => ((now = value), inputs.forEach((input, place) => (input.checked = value[place] === "1"))) };
}

/** The control of one field: its element, and how it shows a value. `set` takes a change of the state. */
export function control(name, field, text, set, unique) {
  if (field.kind === "number") return number(name, field, text, set, unique);
  if (field.kind === "numbers") return numbers(name, field, text, set, unique);
  if (field.kind === "flags") return flags(name, field, text, set);
  if (field.kind === "choice") {
    const options = field.options.map((option) => [option, text.options[option]]);
    return radios(`${unique}-${name}`, text.label, options, (value) => set({ [name]: value }));
  }
  const input = make("input", { type: "checkbox", "data-field": name, onchange: () => set({ [name]: input.checked }) });
  return { element: make("label", { class: "switch" }, input, ` ${text}`), show: (value) => (input.checked = value) };
}
