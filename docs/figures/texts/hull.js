import { shown, shownAll } from "../numbers.js";

const places = {
  inside: "在值的凸包里",
  moved: "出了值的凸包，但在变换过的值的凸包里",
  outside: "在两个凸包之外",
  nothing: "没有可读的键，也就没有凸包",
};
const where = (after) => `输出在 ${shownAll(after.final)}，${places[after.place]}。`;
const after = { options: ["仍在值的凸包里", "出了值的凸包，但在变换过的值的凸包里", "在两个凸包之外"] };

export const texts = {
  picture: "平面上的四个值、它们的凸包和输出",
  places,
  names: {
    value: (key) => `v${key}`,
    key: (key) => `k${key}`,
    output: "输出",
    query: "查询",
    queries: "查询和四个键",
  },
  controls: {
    mask: { label: "允许读哪些键", each: (key) => `k${key} 和 v${key}` },
    projection: "输出投影：转四分之一圈，放大到 1.2 倍",
    residual: "残差相加：加上 (2.4, 1)",
    query: { label: "查询", each: (axis) => ["横坐标", "纵坐标"][axis] },
    values: { label: "值", each: (at) => `v${Math.floor(at / 2)} ${at % 2 ? "纵" : "横"}` },
  },
  readouts: {
    weight_0: "v0 的权重",
    weight_1: "v1 的权重",
    weight_2: "v2 的权重",
    weight_3: "v3 的权重",
    x: "读取，横坐标",
    y: "读取，纵坐标",
    final_x: "输出，横坐标",
    final_y: "输出，纵坐标",
    away: "离值的凸包",
    away_moved: "离变换过的值的凸包",
    place: "输出",
  },
  steps: [
    {
      question: "查询从原点走到 k0 的方向上很远的地方。输出会跑到凸包外面吗？",
      options: ["不会，仍在凸包里", "会，跑到外面"],
      why: (_, now) => `${where(now)}查询只能改变权重，v0 的权重现在是 ${shown(now.weights[0])}。`,
    },
    {
      question: "遮住 k0 和 v0，凸包缩小了。输出在哪里？",
      options: ["在缩小后的凸包里", "在缩小后的凸包外"],
      why: (_, now) => `${where(now)}遮住的值权重正好是 0，余下的权重总和仍是一。`,
    },
    {
      question: "读取之后加上残差 (2.4, 1)。输出在哪里？",
      ...after,
      why: (_, now) => `${where(now)}每个值都加上同样的残差，它们的凸包跟着平移。`,
    },
    {
      question: "读取之后乘以一个矩阵：转四分之一圈，放大到 1.2 倍。输出在哪里？",
      ...after,
      why: (_, now) => `${where(now)}把每个值也投影一遍，输出在投影过的值的凸包里。`,
    },
  ],
  says: ({ query, projection, residual }, { values, allowed, weights, output, final, place }) => {
    const kept = values.map((value, key) => (allowed[key] ? `v${key} 在 ${shownAll(value)}，权重 ${shown(weights[key])}` : `v${key} 被遮住`));
    const then = [projection ? "投影" : "", residual ? "残差相加" : ""].filter(Boolean).join("和");
    return `查询在 ${shownAll(query)}。${kept.join("；")}。读取的结果是 ${shownAll(output)}${then ? `，${then}之后是 ${shownAll(final)}` : ""}，${places[place]}。`;
  },
};
