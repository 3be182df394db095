import { shown } from "../numbers.js";

const last = (now) => shown(now.outputs.at(-1));
const number = (block) => `块 ${block}`;

export const texts = {
  picture: "每读一块之后的输出，和一次读完的输出",
  unread: "还没有读完",
  names: {
    blocks: "各块：按一下就读",
    table: "每一步之后的状态",
    step: "步",
    block: "读的块",
    dense: "一次读完",
    number,
    key: (key, score, value) => `键 ${key}：分数 ${score}，值 ${value}`,
    state: (block, turn) => `${number(block)}${turn ? `，第 ${turn} 个读` : "，还没有读"}`,
  },
  columns: ["平移量 max", "指数和 sum", "加权和 acc", "输出"],
  buttons: { back: "退回一步", rest: "把余下的读完" },
  controls: {
    size: { label: "每块几个键", options: { 1: "1 个", 2: "2 个", 3: "3 个" } },
    scores: { label: "分数", each: (key) => `分数 ${key}` },
    values: { label: "值", each: (key) => `值 ${key}` },
    forget: "合并时忘记换算",
  },
  readouts: { dense: "一次读完的输出", off: "与一次读完相差" },
  steps: [
    {
      question: "读过块 0，再读块 1。合并后的指数和，是两块各自的指数和直接相加吗？",
      options: ["是，直接相加", "不是，要先换算"],
      why: (before, now) => `两块各自的指数和是 ${shown(before.states[0].sum)} 和 ${shown(now.own[1].sum)}，合并后是 ${shown(now.states[1].sum)}。平移量从 ${shown(before.states[0].max)} 变成 ${shown(now.states[1].max)}，先读的一块要乘上换算的系数再相加。`,
    },
    {
      question: "读完最后一块。输出和一次读完全部的键相比怎样？",
      options: ["一样", "只是近似"],
      why: (_, now) => `输出是 ${last(now)}，一次读完是 ${shown(now.dense)}。分块没有近似。`,
    },
    {
      question: "换一个次序：先读块 2，再读块 0 和块 1。最后的输出会变吗？",
      options: ["不变", "会变"],
      why: (_, now) => `中间的输出不同，读完之后仍是 ${last(now)}。`,
    },
    {
      question: "合并时忘记换算，把两块的指数和、加权和直接相加。最后的输出会怎样？",
      options: ["不变", "偏了"],
      why: (_, now) => `输出变成 ${last(now)}，一次读完是 ${shown(now.dense)}，相差 ${shown(now.off)}。各块的指数用的平移量不同，不换算就不能相加。`,
    },
  ],
  says: ({ size, forget, order }, { states, outputs, dense, done, off }) => {
    const steps = states.map((state, step) => `第 ${step + 1} 步读${number(order[step])}，平移量 ${shown(state.max)}，指数和 ${shown(state.sum)}，加权和 ${shown(state.acc)}，输出 ${shown(outputs[step])}`);
    const end = done ? (off === 0 ? "，和分块的输出相同" : `，和分块的输出相差 ${shown(off)}`) : "";
    return `六个键，每块 ${size} 个${forget ? "，合并时忘记换算" : ""}。${steps.length ? `${steps.join("；")}。` : "还没有读任何一块。"}一次读完的输出是 ${shown(dense)}${end}。`;
  },
};
