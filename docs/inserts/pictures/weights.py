"""Pictures of weights.

* `fill`: the weight that a filled key keeps, for allowed scores from low to high.
* `shifted_query`: the weights before and after a vector is added to the query, and to every key.
* `row_sums`: how far the weights of equal scores add up beside 1, in float16.
* `vanished`: the score difference from which on a weight is 0.
* `cold`: the weight of the better key while the temperature falls.
* `columns`: the same scores, divided along rows and along columns.
* `unnormalised`: three ways to mask a key.
"""

import math
from fractions import Fraction

import numpy as np
from docs.inserts.pictures.drawing import Drawing, Scale, bars, short, table
from docs.inserts.pictures.picture import Picture

from duizhao.attention import attention_weights
from duizhao.mask import masked_softmax
from duizhao.softmax import softmax
from duizhao.temperature import zero_temperature_limit

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def fill() -> Picture:
    """The weight of a key that is filled with -10, for a score of the one allowed key from -20 to 0."""
    filled = -10.0
    drawing = Drawing(220)
    across, up = Scale(-20, 0, 45, 385), Scale(0, 1, 175, 20)
    points = [(s, float(softmax(np.array([s, filled]))[1])) for s in np.linspace(-20, 0, 81).tolist()]
    drawing.line(45, up(0), 385, up(0))
    drawing.line(45, up(0.5), 385, up(0.5), "soft")
    drawing.line(across(filled), up(0), across(filled), up(1), "soft")
    drawing.curve([(across(s), up(weight)) for s, weight in points])
    at = float(softmax(np.array([filled - 1, filled]))[1])
    drawing.mark(across(filled - 1), up(at), inside=False)
    drawing.text(across(filled - 1) - 14, up(at) + 6, short(at), anchor="end")
    for tick in (-20.0, filled, 0.0):
        drawing.text(across(tick), 193, short(tick), "muted")
    for tick in (0.0, 0.5, 1.0):
        drawing.text(38, up(tick) + 5, short(tick), "muted", "end")
    drawing.text(215, 213, "许读的键的分数", "muted")
    drawing.text(388, 34, "不许读的键的权重", "muted", "end")
    return Picture(
        drawing,
        f"不许读的键填成 {short(filled)}。许读的键的分数从 −20 升到 0，不许读的键的权重从接近 1 降到接近 0；"
        f"许读的分数是 {short(filled - 1)} 时，它占 {short(at)}，超过一半。",
        "许读的分数只要低于填充值，不许读的键反而占大头。菱形是 Lean 的反例取的地方：比填充值低 1。",
    )


def shifted_query() -> Picture:
    """A query 0 and keys 0 and 1: as they are, with 1 added to the query, and with 1 added to every key."""
    query, key, added = np.array([[0.0]]), np.array([[0.0], [1.0]]), 1.0
    drawing = Drawing(190)
    cases = (
        ("原来", query, key),
        ("查询加 1", query + added, key),
        ("每个键加 1", query, key + added),
    )
    told = []
    for index, (name, one_query, one_key) in enumerate(cases):
        weights = attention_weights(one_query, one_key)[0].tolist()
        x = 10 + 130 * index
        bars(drawing, (x, 45, 115, 105), weights, ["键 0", "键 1"])
        drawing.text(x + 57, 20, name)
        told.append(f"{name}：{short(weights[0])} 和 {short(weights[1])}")
    return Picture(
        drawing,
        f"两个键的权重。{'；'.join(told)}。",
        "给查询加上一个数，权重变了；给每个键加上同一个数，权重没有变。",
    )


def row_sums() -> Picture:
    """The distance from 1 of the sum of n equal weights in float16, for n up to 32, in units of the roundoff."""
    most = 32
    unit = Fraction(1, 2**11)
    gaps = {
        n: (sum(map(Fraction, softmax(np.zeros(n, dtype=np.float16)).tolist())) - 1) / unit
        for n in range(1, most + 1)
    }
    reach = math.ceil(max(abs(gap) for gap in gaps.values()) * 2) / 2
    drawing = Drawing(200)
    across, up = Scale(0.5, most + 0.5, 45, 390), Scale(-reach, reach, 160, 25)
    drawing.line(45, up(0), 390, up(0))
    for n, gap in gaps.items():
        drawing.line(across(n), up(0), across(n), up(float(gap)), "soft")
        drawing.mark(across(n), up(float(gap)), inside=not gap, size=4.5)
    for tick in (-reach, 0.0, reach):
        drawing.text(38, up(tick) + 5, short(tick), "muted", "end")
    for tick in (1.0, 8.0, 16.0, 24.0, 32.0):
        drawing.text(across(tick), 180, short(tick), "muted")
    drawing.text(215, 198, "键的个数", "muted")
    right = "、".join(str(n) for n, gap in gaps.items() if not gap)
    worst = short(float(max(abs(gap) for gap in gaps.values())), 2)
    return Picture(
        drawing,
        f"分数全相等的 1 到 {most} 个键，用 float16 算权重，准确地加起来再减 1，以单位舍入为一格。"
        f"只有 {right} 个键时恰好是 1，别的都偏离，最多偏 {worst} 格。",
        "float16 里，相等的权重加起来离 1 有多远。一格是 float16 的单位舍入；只有几种个数恰好没有误差。",
    )


def vanished() -> Picture:
    """The logarithm of the smaller of two weights over the score difference, in float64: from some point on it is 0."""
    drawing = Drawing(210)
    across, up = Scale(0, 800, 65, 385), Scale(-350, 0, 160, 20)
    weights = [(gap, float(softmax(np.array([0.0, -float(gap)]))[1])) for gap in range(801)]
    first = next(gap for gap, weight in weights if weight == 0)
    ones = next(gap for gap, _ in weights if float(softmax(np.array([0.0, -float(gap)]))[0]) == 1)
    drawing.line(65, up(0), 385, up(0))
    drawing.curve([(across(gap), up(math.log10(weight))) for gap, weight in weights if weight > 0])
    drawing.ring(across(first), up(math.log10(weights[first - 1][1])))
    for gap in (ones, first):
        drawing.line(across(gap), up(0), across(gap), 168, "soft")
        drawing.text(across(gap), 184, str(gap), "muted")
    for power in (0, -150, -300):
        label = "1" if power == 0 else "10" + str(power).translate(RAISED)
        drawing.text(58, up(power) + 5, label, "muted", "end")
    drawing.text(220, 205, "两个分数之差", "muted")
    drawing.text(across(first) - 8, 50, f"从 {first} 起，小的恰好是 0", "ink", "end")
    drawing.text(across(ones) + 6, 150, f"从 {ones} 起，大的恰好是 1", "ink", "start")
    return Picture(
        drawing,
        f"float64 里两个键中较小的权重，随分数差下降。分数差到 {ones}，"
        f"较大的权重已经恰好是 1；到 {first}，较小的权重恰好是 0。",
        "纵轴每格差 10 的许多次方。实数里这条线永远不会碰到零，浮点数里它到空圈处就断了。",
    )


def cold() -> Picture:
    """The weight of the better of two keys with the scores 0 and 1 over the temperature, and where T = 0 is."""
    scores = np.array([0.0, 1.0])
    drawing = Drawing(220)
    across, up = Scale(0, 3, 45, 385), Scale(0.4, 1.02, 175, 20)
    points = [(t, float(softmax(scores, temperature=t)[1])) for t in np.linspace(0.02, 3, 150).tolist()]
    limit = float(zero_temperature_limit(scores)[1])
    by_rule = float(softmax(np.zeros(2))[1])
    drawing.line(45, up(0.4), 385, up(0.4))
    drawing.line(45, up(0.5), 385, up(0.5), "soft")
    drawing.curve([(across(t), up(weight)) for t, weight in points])
    drawing.ring(across(0), up(limit))
    drawing.mark(across(0), up(by_rule), inside=False)
    drawing.text(across(0) + 14, up(by_rule) - 8, f"Lean 的 x / 0 = 0：{short(by_rule)}", anchor="start")
    drawing.text(across(0.45), up(limit) + 6, f"极限：{short(limit)}", anchor="start")
    for tick in (0.0, 1.0, 2.0, 3.0):
        drawing.text(across(tick), 193, short(tick), "muted")
    for tick in (0.5, 1.0):
        drawing.text(33, up(tick) + 5, short(tick), "muted", "end")
    drawing.text(215, 213, "温度 T", "muted")
    return Picture(
        drawing,
        f"分数 0 和 1。温度从 3 降向 0，较大分数的权重升向 {short(limit)}，但 {short(limit)} 处是空圈，达不到；"
        f"温度写成 0 时，Lean 按 x / 0 = 0 给出 {short(by_rule)}，与极限相去甚远。",
        "曲线是较大分数的权重。空圈是它的极限，菱形是把 T = 0 直接代进 Lean 的式子得到的数。",
    )


def columns() -> Picture:
    """The scores 0, 0, 0, 1 in two rows: softmax along the rows and along the columns, with the sums of the rows."""
    scores = np.array([[0.0, 0.0], [0.0, 1.0]])
    drawing = Drawing(200)
    told = []
    for x, weights, name in (
        (30, softmax(scores), "每行归一化"),
        (225, softmax(scores.T).T, "每列归一化"),
    ):
        drawing.text(x + 46, 22, name)
        table(drawing, x, 36, weights.tolist())
        for i, total in enumerate(weights.sum(axis=1).tolist()):
            drawing.text(x + 102, 64 + 46 * i, f"和 {short(total, 2)}", anchor="start")
        for j, total in enumerate(weights.sum(axis=0).tolist()):
            drawing.text(x + 23 + 46 * j, 150, short(total, 2), "muted")
        drawing.text(x + 46, 174, "每列的和", "muted")
        rows = "、".join(short(total, 2) for total in weights.sum(axis=1).tolist())
        told.append(f"{name}，两行的和是 {rows}")
    return Picture(
        drawing,
        f"同一张两行两列的分数表。{'；'.join(told)}。",
        "右边的表里，每一列都分完了一份，两行却一行不到 1，一行超过 1。",
    )


def unnormalised() -> Picture:
    """Scores 0, ln 2, ln 5, the third key not allowed: softmax, zeroed after it, and masked before it."""
    scores, allowed = np.log(np.array([1.0, 2.0, 5.0])), np.array([True, True, False])
    plain = softmax(scores)
    cases = (
        ("没有遮罩", plain.tolist()),
        ("先归一，再清零", (plain * allowed).tolist()),
        ("先遮罩，再归一", masked_softmax(scores, allowed).tolist()),
    )
    drawing = Drawing(170)
    across = Scale(0, 1, 20, 380)
    told = []
    for index, (name, weights) in enumerate(cases):
        y = 28 + 48 * index
        drawing.text(20, y - 6, name, "ink", "start")
        drawing.text(380, y - 6, f"和 {short(math.fsum(weights))}", "muted", "end")
        start = 0.0
        drawing.box(across(0), y, across(1) - across(0), 22, "outline")
        for number, weight in enumerate(weights):
            if weight > 0:
                drawing.box(across(start), y, across(start + weight) - across(start), 22, f"share-{number}")
                drawing.text(across(start + weight / 2), y + 16, short(weight))
            start += weight
        told.append(f"{name}：{'、'.join(short(one) for one in weights)}，和是 {short(math.fsum(weights))}")
    return Picture(
        drawing,
        f"三个键的权重排成一条。{'；'.join(told)}。",
        "清零以后，第三个键的份额空在那里，谁也没有得到；先遮罩，才会把它分给别的键。",
    )


PICTURES = (fill, shifted_query, row_sums, vanished, cold, columns, unnormalised)
