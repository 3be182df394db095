import { shown } from "../numbers.js";

const places = { inside: "在两个值之间，没有碰到界", reached: "正好等于界", outside: "越过了界" };

export const texts = {
  picture: "权重条和数轴：两个值、两个界和输出",
  places,
  names: { weights: ["u 的权重", "v 的权重"], values: ["值 u", "值 v"], output: "输出" },
  controls: {
    gap: "分数差（v 的分数减 u 的分数）",
    temperature: "温度",
    u: "值 u",
    v: "值 v",
    dtype: { label: "计算用的数", options: { float64: "float64", float16: "float16" } },
  },
  readouts: {
    weight_u: "u 的权重",
    weight_v: "v 的权重",
    output: "输出",
    low: "下界",
    high: "上界",
    distance: "实数里，输出离较近的界",
    float_distance: "浮点数里，输出离较近的界",
    place: "浮点数的输出",
  },
  steps: [
    {
      question: "两个分数相等，输出在中点。现在把 v 的分数提高 2，输出往哪边走？",
      options: ["朝 v 走", "朝 u 走", "不动"],
      why: (before, after) => `输出从 ${shown(before.output)} 走到了 ${shown(after.output)}：分数高的值得到更大的权重。`,
    },
    {
      question: "分数差是 2。把温度从 1 降到 0.2，v 的权重变大还是变小？",
      options: ["变大", "变小"],
      why: (before, after) => `v 的权重从 ${shown(before.weights[1])} 变成 ${shown(after.weights[1])}：温度越低，权重越集中在分数高的值上。`,
    },
    {
      question: "分数差从 10 加到 20。在实数里，输出会碰到上界吗？",
      options: ["不会，只是更近", "会，正好碰到"],
      why: (_, after) => `离界还有 ${shown(after.distance)}。在实数里 u 的权重总是正的，所以永远碰不到。`,
    },
    {
      question: "分数差是 10，改用 float16 计算。输出还会留在界内而不碰到界吗？",
      options: ["会，离界还有一点", "不会，正好等于界"],
      why: (_, after) => `float16 里 u 的权重是 ${shown(after.weights[0])}，输出是 ${shown(after.output)}，${places[after.place]}。舍入把剩下的一点抹掉了。`,
    },
  ],
  says: ({ gap, temperature, u, v, dtype }, { weights, output, distance, place }) =>
    `两个值是 ${shown(u)} 和 ${shown(v)}，分数差 ${shown(gap)}，温度 ${shown(temperature)}。用 ${dtype} 计算，权重是 ${shown(weights[0])} 和 ` +
    `${shown(weights[1])}，输出 ${shown(output)}，${places[place]}。在实数里，输出离较近的界 ${shown(distance)}${distance > 0 ? "，永远不为零" : ""}。`,
};
