import { told } from "../numbers.js";

const example = (entry) => (entry.case === null ? `没有反例：${entry.reason}。` : `找到了反例：${entry.says}。`);

export const texts = {
  picture: "反例里的数，各在一行",
  nothing: "# 去掉一个条件，这里就会出现重现反例的程序。",
  search: "从头再找一遍：",
  names: {
    theorem: "定理",
    conditions: "条件（去掉一个勾，就去掉这个条件）",
    limit: "界",
    output: (name) => `${name}，算出`,
    proof: (title) => `Lean 里的反例：${title}`,
  },
  controls: {},
  readouts: { amount: "离结论" },
  verdict: (entry) => (entry === null ? "条件都在，结论成立。" : `去掉“${entry.hypothesis.replace(/。$/, "")}”，${entry.case === null ? "也" : "就"}${example(entry).replace("找到了反例", "有反例")}`),
  steps: [
    {
      question: "两个值的凸组合不出界。不再要求权重 w 不小于 0，结论还守得住吗？",
      options: ["守得住，没有反例", "守不住，有反例"],
      why: (_, { entry }) => `${example(entry)}负的权重把输出推到了两个值之外。`,
    },
    {
      question: "多个数值的读取不出界。权重仍然不为负，但不再要求总和为一，结论还守得住吗？",
      options: ["守得住，没有反例", "守不住，有反例"],
      why: (_, { entry }) => `${example(entry)}权重可以全是 0，输出就是 0。`,
    },
    {
      question: "分数减去最大的一个，softmax 不变。不再要求至少有一个键，会有反例吗？",
      options: ["没有反例", "有反例"],
      why: (_, { entry }) => example(entry),
    },
  ],
  says: (_, { chosen, entry }) => {
    const all = (numbers) => Object.entries(numbers).map(([name, value]) => `${name} 是 ${told(value)}`).join("，");
    if (entry === null) return `定理“${chosen.title}”，条件都在。`;
    const without = `定理“${chosen.title}”，去掉条件“${entry.hypothesis.replace(/。$/, "")}”。`;
    if (entry.case === null) return `${without}没有反例：${entry.reason}。`;
    const outputs = all(entry.outputs);
    return `${without}最小的反例：${all(entry.case)}。${outputs ? `算出 ${outputs}。` : ""}${entry.says}。`;
  },
};
