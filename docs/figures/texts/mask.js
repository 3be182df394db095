import { shown } from "../numbers.js";

const list = (numbers) => numbers.map(shown).join("、");
const empties = { zero: "全取 0", mean: "平分，各 1/4", nan: "NaN", error: "报错" };

export const texts = {
  picture: "权重表：四个查询，四个键",
  names: {
    key: (key) => `键 ${key}`,
    query: (row) => `查询 ${row}`,
    sum: "总和",
    output: "输出",
    moved: "移动",
    cell: (row, key, allowed, weight) => `查询 ${row} 读键 ${key}：${allowed ? "允许" : "遮住"}，权重 ${weight}`,
  },
  presets: { causal: "因果遮罩", all: "全部允许" },
  controls: {
    temperature: "温度（0 表示趋于零）",
    values: { label: "值", each: (key) => `v${key}` },
    empty: { label: "全遮罩行", options: empties },
    after: "先 softmax，后遮罩",
  },
  readouts: { error: "Python 报错" },
  steps: [
    {
      question: "换成因果遮罩：每个查询只许读自己和更早的位置。每行的总和会怎样？",
      options: ["仍然是 1", "有的变小"],
      why: (_, now) => `四行的总和是 ${list(now.sums)}。遮罩在 softmax 里面，权重只在允许的键上分。`,
    },
    {
      question: "还是因果遮罩，但先对全部的键算 softmax，再把不许读的权重改成 0。每行的总和会怎样？",
      options: ["仍然是 1", "有的变小"],
      why: (_, now) => `四行的总和是 ${list(now.sums)}。遮住的权重被扔掉了，没有分给别的键。`,
    },
    {
      question: "因果遮罩下，把值 v2 从 3 改成 9。哪些输出会动？",
      options: ["查询 2 和查询 3 的", "全部", "只有查询 2 的"],
      why: (_, now) => `四个输出移动了 ${list(now.moved)}。读不到 v2 的查询，输出一点不动。`,
    },
    {
      question: "没有遮罩。温度从 1 降到趋于零，权重会怎样？",
      options: ["集中到每行分数最大的键上", "每行四个键平分"],
      why: (_, now) => `查询 0 的权重是 ${list(now.weights[0])}，查询 1 的两个最大分数相等，各得 ${shown(now.weights[1][1])}。`,
    },
    {
      question: "查询 0 一个键也不许读。按 Lean 的约定，它的权重是多少？",
      options: ["全是 0", "各 1/4"],
      why: (_, now) => `查询 0 的权重是 ${list(now.weights[0])}，总和 ${shown(now.sums[0])}。别的程序有平分的，有给 NaN 的，也有报错的。`,
    },
  ],
  says: ({ temperature, values, empty, after }, { allowed, weights, sums, outputs, moved, error }) => {
    const how = after ? "先 softmax，后遮罩" : `遮罩在 softmax 里面，全遮罩行${empties[empty]}`;
    if (error !== null) return `${how}。Python 报错：${error}。`;
    const said = weights.map((row, at) => {
      const masked = allowed[at].map((here, key) => (here ? "" : key)).filter((key) => key !== "");
      return `查询 ${at} ${masked.length ? `遮住键 ${masked.join("、")}，` : ""}权重 ${list(row)}，总和 ${shown(sums[at])}，输出 ${shown(outputs[at])}${moved[at] === 0 ? "" : `，移动了 ${shown(moved[at])}`}`;
    });
    return `温度${temperature === 0 ? "趋于零" : ` ${shown(temperature)}`}，值是 ${list(values)}，${how}。${said.join("；")}。`;
  },
};
