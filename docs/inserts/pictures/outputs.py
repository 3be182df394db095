"""Pictures of outputs, and the range that they keep or leave.

* `hypotheses`: the output for weights from -1 to 2.
* `output_projection`, `residual`: the range before and after.
* `heads`: two heads side by side, and added.
* `one_ulp`: floats near 0.1, and an output beside its range.
* `empty_row`: what programs give where no key is allowed.
* `same_weights`: the same weights with two sets of values.
"""

import math

import numpy as np
from docs.inserts.pictures.drawing import Drawing, Scale, band, number_line, short, table
from docs.inserts.pictures.picture import Picture

from duizhao.attention import attention, attention_weights, masked_attention
from duizhao.examples import example
from duizhao.mask import EmptyRow
from duizhao.multi_head import output_projection as projected
from duizhao.read import read

Numbers = list[float]


def _read(weights: Numbers, values: Numbers) -> float:
    return float(read(np.array(weights), np.array(values)))


def hypotheses() -> Picture:
    """The output `w·0 + (1 - w)·1` for weights inside and outside of [0, 1]."""
    drawing = Drawing(250)
    across, up = Scale(-1.2, 2.2, 40, 390), Scale(-1.2, 2.2, 205, 15)
    drawing.box(across(0), up(2.2), across(1) - across(0), up(-1.2) - up(2.2), "band")
    drawing.box(across(-1.2), up(1), across(2.2) - across(-1.2), up(0) - up(1), "band")
    for tick in (-1.0, 0.0, 1.0, 2.0):
        drawing.text(across(tick), 224, short(tick), "muted")
        drawing.text(30, up(tick) + 5, short(tick), "muted", "end")
    outputs = {w: _read([w, 1 - w], [0.0, 1.0]) for w in (-1.0, 0.25, 2.0)}
    ends = [(w, _read([w, 1 - w], [0.0, 1.0])) for w in (-1.2, 2.2)]
    drawing.curve([(across(w), up(output)) for w, output in ends], "axis")
    for w, output in outputs.items():
        drawing.mark(across(w), up(output), inside=0 <= output <= 1)
        side = -12 if w > 1 else 12
        told_here = f"{short(w)} → {short(output)}"
        drawing.text(across(w) + side, up(output) - side / 2, told_here, anchor="end" if w > 1 else "start")
    drawing.text(across(0.5), 245, "横：权重 w；纵：输出", "muted")
    told = "，".join(f"w = {short(w)} 时输出 {short(output)}" for w, output in outputs.items())
    return Picture(
        drawing,
        f"横轴是权重 w，纵轴是值 0 和 1 的读取结果，图像是一条下降的直线。{told}。"
        "w 在 0 与 1 之间时，输出才在 0 与 1 之间。",
        "竖的带子是许可的权重，横的带子是值的范围。直线只在两条带子相交的地方同时守规矩。",
    )


def _before_and_after(before: Numbers, after: Numbers, what: str) -> Drawing:
    """Draw two values and the output (in this order) before a step and after it, above the range of the values."""
    drawing = Drawing(195)
    scale = Scale(-0.3, 2.3, 20, 380)
    low, high = min(before[:2]), max(before[:2])
    for y in (55, 145):
        band(drawing, y, scale, low, high)
        number_line(drawing, y, scale, [0, 1, 2])
    band(drawing, 145, scale, min(after[:2]), max(after[:2]), "outline")
    for y, numbers in ((55, before), (145, after)):
        for value in numbers[:2]:
            drawing.line(scale(value), y - 11, scale(value), y + 11, "first")
        drawing.mark(scale(numbers[2]), y, inside=low <= numbers[2] <= high)
        drawing.text(scale(numbers[2]), y - 18, short(numbers[2]))
    drawing.text(20, 22, "读取的输出", "muted", "start")
    drawing.text(20, 112, what, "muted", "start")
    return drawing


def output_projection() -> Picture:
    """Values 0 and 1, and the projection 2."""
    values, weights, matrix = np.array([[0.0], [1.0]]), np.array([0.25, 0.75]), np.array([[2.0]])
    output = read(weights, values)
    before = [*values.ravel().tolist(), float(output[0])]
    after = [
        *projected(values, matrix).ravel().tolist(),
        float(projected(output.reshape(1, 1), matrix)[0, 0]),
    ]
    return Picture(
        _before_and_after(before, after, "乘以 2 之后"),
        f"上面的数轴：值 {short(before[0])} 和 {short(before[1])}，输出 {short(before[2])} 在它们之间。下面的数轴："
        f"乘以 2 之后，输出 {short(after[2])} 超出了原来的范围，"
        f"但在投影过的值 {short(after[0])} 和 {short(after[1])} 之间。",
        "带子是原来的值的范围，线框是投影过的值的范围。输出出了带子，没有出线框。",
    )


def residual() -> Picture:
    """Values 0 and 1, and the residual 1."""
    values, weights, added = [0.0, 1.0], [0.25, 0.75], 1.0
    before = [*values, _read(weights, values)]
    after = [number + added for number in before]
    return Picture(
        _before_and_after(before, after, "加上输入 1 之后"),
        f"上面的数轴：值 {short(before[0])} 和 {short(before[1])}，输出 {short(before[2])} 在它们之间。下面的数轴："
        f"加上输入 1 之后是 {short(after[2])}，超出了原来的范围，"
        f"但在平移过的值 {short(after[0])} 和 {short(after[1])} 之间。",
        "带子是原来的值的范围，线框是整个平移之后的范围。输出出了带子，没有出线框。",
    )


def heads() -> Picture:
    """Two heads, each with values 0 and 1: the pair stays in the square, the sum need not."""
    weights = ([0.25, 0.75], [0.5, 0.5])
    first, second = (_read(one, [0.0, 1.0]) for one in weights)
    drawing = Drawing(250)
    across, up = Scale(0, 1, 50, 170), Scale(0, 1, 170, 50)
    drawing.box(across(0), up(1), 120, 120, "band")
    drawing.mark(across(first), up(second))
    drawing.text(across(first) - 12, up(second) - 10, f"（{short(first)}，{short(second)}）")
    for tick in (0.0, 1.0):
        drawing.text(across(tick), 188, short(tick), "muted")
        drawing.text(42, up(tick) + 5, short(tick), "muted", "end")
    drawing.text(110, 28, "拼接：各占一个坐标")
    drawing.text(110, 210, "横：第一个头", "muted")
    drawing.text(110, 232, "纵：第二个头", "muted")
    scale = Scale(-0.2, 1.6, 215, 390)
    band(drawing, 110, scale, 0, 1)
    number_line(drawing, 110, scale, [0, 1])
    total = first + second
    drawing.mark(scale(total), 110, inside=0 <= total <= 1)
    drawing.text(scale(total), 92, short(total))
    drawing.text(300, 28, "相加：只剩一个数")
    return Picture(
        drawing,
        f"左边：两个头的输出 {short(first)} 和 {short(second)} 拼接成平面上的一点，在边长为 1 的正方形里。"
        f"右边：两个输出相加得 {short(total)}，在从 0 到 1 的带子之外。",
        "左边每个坐标守着自己那个头的界；右边加起来以后，没有一个头的界管得住它。",
    )


def one_ulp() -> Picture:
    """The floats near 0.1, and the output of two values 0.1 with the weights 0.2 and 0.8."""
    value, weight = 0.1, 0.2
    output = weight * value + (1 - weight) * value
    near = [value]
    for _ in range(2):
        near = [math.nextafter(near[0], 0.0), *near, math.nextafter(near[-1], 1.0)]
    place = near.index(output)
    drawing = Drawing(130)
    scale = Scale(-0.5, len(near) - 0.5, 20, 380)
    drawing.line(20, 70, 380, 70)
    for index, one in enumerate(near):
        drawing.line(scale(index), 64, scale(index), 76)
        if index in (near.index(value), place):
            drawing.text(scale(index), 98 if one == value else 118, repr(one), "muted")
    drawing.line(scale(place), 80, scale(place), 104, "soft")
    drawing.mark(scale(near.index(value)), 70)
    drawing.mark(scale(place), 70, inside=False)
    drawing.text(scale(near.index(value)), 48, "两个值")
    drawing.text(scale(place), 48, "输出")
    return Picture(
        drawing,
        f"{len(near)} 个相邻的浮点数排在数轴上，0.1 在正中。两个值都是 0.1，"
        f"输出是 {output!r}，是右边的第 {place - near.index(value)} 个。",
        "刻度是 0.1 附近仅有的几个浮点数，相邻两个之间再没有别的浮点数。输出落在界外的第一格。",
    )


def empty_row() -> Picture:
    """The outputs that three policies give for values 1 and 3, which no key allows to read."""
    values, nothing, nobody = np.array([[1.0], [3.0]]), np.zeros((2, 1)), np.array([False, False])
    policies: tuple[tuple[EmptyRow, str], ...] = (("zero", "取零"), ("mean", "取平均"), ("nan", "取 NaN"))
    drawing = Drawing(150)
    scale = Scale(-0.5, 3.5, 90, 385)
    told = []
    for index, (policy, name) in enumerate(policies):
        y = 28 + 42 * index
        output = float(masked_attention(nothing[:1], nothing, values, nobody, empty_row=policy)[0, 0])
        band(drawing, y, scale, 1, 3)
        drawing.line(90, y, 385, y)
        drawing.text(78, y + 5, name, anchor="end")
        if math.isnan(output):
            drawing.text(scale(2), y + 5, "不是一个数")
            told.append(f"{name}，输出不是一个数")
        else:
            drawing.mark(scale(output), y, inside=1 <= output <= 3)
            drawing.text(scale(output) + 12, y - 8, short(output), anchor="start")
            told.append(f"{name}，输出 {short(output)}")
    for tick in (0.0, 1.0, 2.0, 3.0):
        drawing.text(scale(tick), 143, short(tick), "muted")
    return Picture(
        drawing,
        f"值是 1 和 3，一个键也不许读。{'；'.join(told)}。",
        "带子是值的范围。三种约定给出三种结果；第四种是报错，没有结果可画。",
    )


def same_weights() -> Picture:
    """The weights of three positions, and the outputs with the values of the lesson and with values of zero."""
    given = {name: np.asarray(one) for name, one in example("red-key").inputs(np, "float64").items()}
    query, key, value = (given["X"] @ given[name] for name in ("W_Q", "W_K", "W_V"))
    weights = attention_weights(query, key)
    drawing = Drawing(240)
    first = "、".join(short(one, 2) for one in weights[0].tolist())
    told = []
    for x, values, name in ((20, value, "原来的值"), (215, 0 * value, "全是零的值")):
        drawing.text(x + 75, 20, name)
        table(drawing, x + 6, 32, weights.tolist())
        drawing.arrow(x + 75, 174, x + 75, 192)
        output = attention(query, key, values)[0].tolist()
        drawing.text(x + 75, 212, f"（{short(output[0])}，{short(output[1])}）")
        drawing.text(x + 75, 234, "第一行的输出", "muted")
        told.append(f"{name}：第一行的输出是（{short(output[0])}，{short(output[1])}）")
    return Picture(
        drawing,
        f"两张一模一样的三行三列权重图，第一行都是 {first}。{'。'.join(told)}。",
        "两张权重图没有一格不同，读到的内容却一边有、一边没有。",
    )


PICTURES = (hypotheses, output_projection, residual, heads, one_ulp, empty_row, same_weights)
