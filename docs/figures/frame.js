// The frame of every figure: predict, then show, then play; its controls, numbers, words and Python lines.
//
// A figure is { name, fields, steps, compute, readouts, python, draw }:
//   steps      [{ from, to, truth }]: changes of the start; truth gives the place of the right answer, from both results
//   fit        makes a state fit together again after a change, if a change can undo that
//   compute    the numbers of a state
//   readouts   what is read off, [[key, text, label], ...], from a state and its numbers; a label that its texts give may be left out
//   python     the lines that print the same, as a text
//   draw       makes the picture in a box, and gives the function that shows a state: ({ state, result, locked })
// Its texts are { picture, controls, steps: [{ question, options, why }], readouts, says }.
import { control, make, radios } from "./controls.js";
import { between, fromQuery, started, toQuery } from "./state.js";
import { words } from "./words.js";

const QUIET = 400;
const LASTS = 900;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

/** Puts a figure into the page, at the element that names it. */
export async function mount(figure, texts) {
  const root = document.querySelector(`[data-figure="${figure.name}"]`);
  const { fields, steps, fit = (state) => state } = figure;
  const unique = `figure-${figure.name}`;
  const read = fromQuery(fields, location.search, steps.length);
  const now = { state: fit(read.state), step: read.step, answer: null, seen: false, moving: 0 };
  let picture = () => {};
  let waiting = 0;

  const status = make("p", { role: "status", class: "hidden-but-read" });
  const say = (text) => (status.textContent = text);

  // What does not change is made once.
  const card = make("section", { class: "steps", "aria-label": words.steps });
  const drawing = make("div", { class: "drawing" });
  const set = (change) => {
    now.state = fit({ ...now.state, ...change });
    show();
  };
  const controls = Object.entries(fields).filter(([name]) => texts.controls[name])
    .map(([name, field]) => [name, control(name, field, texts.controls[name], set, unique)]);
  const form = make("fieldset", { class: "controls" }, make("legend", {}, words.controls), ...controls.map(([, { element }]) => element));
  const list = make("dl", { class: "readouts", "aria-label": words.numbers });
  const said = make("p", { class: "said" });
  const lines = make("code");
  const python = make("details", { class: "python" }, make("summary", {}, words.python),
    make("pre", { tabindex: "0" }, lines), make("p", {}, words.pythonNote));
  const buttons = make("p", { class: "buttons" },
    make("button", { type: "button", "data-do": "reset", onclick: reset }, words.reset), " ",
    make("button", { type: "button", "data-do": "copy", onclick: copy }, words.copy));
  root.replaceChildren(card, drawing, ...(controls.length > 0 ? [form] : []), list, said, buttons, python, status);

  function reset() {
    stop();
    Object.assign(now, { state: started(fields), step: now.step, answer: null, seen: false });
    if (now.step > 0) enter(now.step);
    else show();
    say(words.wasReset);
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      say(words.copied);
    } catch {
      say(words.notCopied);
    }
  }

  function stop() {
    cancelAnimationFrame(now.moving);
  }

  /** Goes to a step: 0 is free play, which keeps what the figure is set to. */
  function enter(step) {
    stop();
    Object.assign(now, { step, answer: null, seen: false });
    if (step > 0) now.state = { ...started(fields), ...steps[step - 1].from };
    deal();
    show();
  }

  /** Makes the card of the step. */
  function deal() {
    const button = (what, text, onclick) => make("button", { type: "button", "data-do": what, onclick }, text);
    if (now.step === 0) {
      card.replaceChildren(make("p", {}, make("strong", {}, words.free), ` ${words.freely} `, button("again", words.again, () => enter(1))));
      return;
    }
    const { question, options } = texts.steps[now.step - 1];
    const verdict = make("p", { class: "verdict" });
    const further = make("p", { class: "buttons" });
    const group = radios(`${unique}-answer`, question, options.map((text, place) => [String(place), text]), (place) => {
      now.answer = Number(place);
      verdict.textContent = "";
    });
    const reveal = button("show", words.show, () => {
      if (now.answer === null) verdict.textContent = words.choose;
      else demonstrate(group.element, reveal, verdict, further);
      if (now.answer === null) say(words.choose);
    });
    further.append(reveal, " ", button("free", words.skip, () => enter(0)));
    card.replaceChildren(make("p", {}, make("strong", {}, words.steps), ` ${words.step(now.step, steps.length)}`), group.element, further, verdict);
  }

  /** Shows what happens, then says whether it was predicted. */
  function demonstrate(group, reveal, verdict, further) {
    const step = steps[now.step - 1];
    const [from, to] = [now.state, { ...now.state, ...step.to }];
    const begun = performance.now();
    group.disabled = true;
    reveal.remove();
    const frame = (time) => {
      const part = still() ? 1 : Math.min(1, Math.max(0, (time - begun) / LASTS));
      now.state = between(fields, from, to, part);
      now.seen = part >= 1;
      show();
      if (part < 1) now.moving = requestAnimationFrame(frame);
      else finish();
    };
    const finish = () => {
      const [before, after] = [figure.compute(from), figure.compute(to)];
      const truth = step.truth(before, after);
      const { why } = texts.steps[now.step - 1];
      verdict.textContent = `${now.answer === truth ? words.right : words.wrong}${why(before, after)}`;
      verdict.dataset.right = String(now.answer === truth);
      const last = now.step === steps.length;
      const goOn = make("button", { type: "button", "data-do": "next", onclick: () => enter(last ? 0 : now.step + 1) }, last ? words.free : words.next);
      further.replaceChildren(goOn, ...(last ? [] : [" ", ...further.querySelectorAll("[data-do=free]")]));
      goOn.focus({ preventScroll: true });
      say(verdict.textContent);
    };
    if (still()) frame(begun);
    else now.moving = requestAnimationFrame(frame);
  }

  /** Shows the state everywhere. */
  function show() {
    const { state } = now;
    const locked = now.step > 0;
    const result = figure.compute(state);
    form.disabled = locked;
    for (const [name, { show: showControl }] of controls) showControl(state[name]);
    list.replaceChildren(...figure.readouts(state, result).map(([key, text, label]) =>
      make("div", {}, make("dt", {}, label ?? texts.readouts[key]), make("dd", { "data-readout": key }, text))));
    said.textContent = `${words.said}：${texts.says(state, result)}`;
    lines.textContent = figure.python(state, result);
    picture({ state, result, locked });
    root.dataset.state = JSON.stringify(state);
    clearTimeout(waiting);
    waiting = setTimeout(settle, QUIET);
  }

  /** Once nothing moves: the address, and what a screen reader says. */
  function settle() {
    const query = toQuery(fields, now.state, now.step);
    history.replaceState(null, "", `${location.pathname}${query && "?"}${query}${location.hash}`);
    if (now.step === 0) say(texts.says(now.state, figure.compute(now.state)));
  }

  const resume = now.state;
  enter(now.step);
  if (now.step === 0) set(resume);
  if (read.wrong.length > 0) card.prepend(make("p", { class: "wrong" }, words.wrong_address(read.wrong)));
  try {
    picture = await figure.draw(drawing, set, texts);
  } catch (error) {
    drawing.replaceChildren(make("p", { class: "wrong" }, words.noPicture));
    console.warn(error);
  }
  show();
  root.dataset.ready = "true";
}
