"""Plots of the stored figures of the reference systems, as SVG without a library: kernels/results/plots.

    plots.all_plots()     {file name: text}

Figures: kernels/results/systems (systems.py writes them), nvidia-h200.json and published.json in the same folder.
"""
import json
import math
import os
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(os.path.dirname(HERE), "kernels", "results")
FOLDER = os.path.join(RESULTS, "plots")

# Okabe and Ito's colours: distinct with every kind of colour vision.
BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK, GREY = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222", "#888888")
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)


def stored(name):
    path = os.path.join(RESULTS, "systems", name + ".json")
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        return json.load(f)


class Picture:
    """SVG elements, in pixels."""

    def __init__(self, width, height, title):
        self.size, self.parts, self.title = (width, height), [], title
        self.text(16, 24, title, size=15, weight="bold")

    def add(self, form, **attributes):
        self.parts.append("<%s %s/>" % (form, " ".join(
            '%s="%s"' % (k.replace("_", "-"), "%.1f" % v if isinstance(v, float) else v) for k, v in attributes.items())))

    def text(self, x, y, text, anchor="start", size=12, colour=BLACK, weight="normal", turn=0):
        turned = ' transform="rotate(%d %.1f %.1f)"' % (turn, x, y) if turn else ""
        self.parts.append('<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" font-weight="%s" fill="%s"%s>%s</text>' % (
            x, y, anchor, size, weight, colour, turned, escape(text)))

    def line(self, x1, y1, x2, y2, colour="#dddddd", width=1.0, dash=""):
        more = {"stroke_dasharray": dash} if dash else {}
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=colour, stroke_width=width, **more)

    def mark(self, x, y, colour, shape="circle", filled=True):
        # Hollow marks are larger and drawn last, so that neither hides the other.
        look = dict(fill=colour, stroke="none") if filled else dict(fill="none", stroke=colour, stroke_width=1.6)
        r = 4.4 if filled else 5.4
        if shape == "circle":
            self.add("circle", cx=float(x), cy=float(y), r=r, **look)
        elif shape == "square":
            self.add("rect", x=x - r, y=y - r, width=2 * r, height=2 * r, **look)
        else:
            r *= 1.3
            self.add("polygon", points="%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f" % (x, y - r, x + r, y, x, y + r, x - r, y), **look)

    def lines(self, points, colour, dash=""):
        more = {"stroke_dasharray": dash} if dash else {}
        self.add("polyline", points=" ".join("%.1f,%.1f" % p for p in points), fill="none", stroke=colour, stroke_width=2, **more)

    def __str__(self):
        width, height = self.size
        return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" '
                'font-family="Helvetica, Arial, sans-serif">\n<title>%s</title>\n<rect width="%d" height="%d" fill="white"/>\n%s\n</svg>\n' % (
                    width, height, width, height, escape(self.title), width, height, "\n".join(self.parts)))


class Scale:
    """Logarithmic: values from low to high are pixels from start to end."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value):
        value = min(max(value, self.low), self.high)
        return self.start + (self.end - self.start) * math.log(value / self.low) / math.log(self.high / self.low)

    def ticks(self):
        return [t for t in TICKS if self.low <= t <= self.high]


def scale_for(values, start, end):
    """Over all values and 1, with a margin."""
    values = list(values) + [1]
    return Scale(min(values) / 1.15, max(values) * 1.15, start, end)


def plain(value):
    return "%g" % value


def median(values):
    return values[len(values) // 2]


def legend(picture, x, y, entries):
    """entries: (text, colour, shape, filled)"""
    for text, colour, shape, filled in entries:
        picture.mark(x, y - 4, colour, shape, filled)
        picture.text(x + 10, y, text)
        x += 32 + 7.2 * len(text)


# ---- Speed-up by kernel and device

def by_kernel(title, note, rows, devices):
    """rows: [(kernel, {device: {rewritten: [..], hand: [..]}})]; devices: [(name, colour, shape)]."""
    step, top, left, width = 14 * len(devices) + 6, 78, 180, 850
    picture = Picture(width, top + step * len(rows) + 46, title)
    legend(picture, 24, 48, [(d, colour, shape, True) for d, colour, shape in devices] + [
        ("filled: rewritten", GREY, "circle", True), ("hollow: by hand", GREY, "circle", False)])
    picture.text(20, 66, note, size=11, colour="#555555")
    x = scale_for([v for _, of in rows for forms in of.values() for values in forms.values() for v in (values[0], values[-1])],
                  left, width - 24)
    bottom = top + step * len(rows)
    for t in x.ticks():
        picture.line(x(t), top, x(t), bottom, BLACK if t == 1 else "#dddddd")
        picture.text(x(t), bottom + 16, plain(t), "middle", 11)
    picture.text((left + width) / 2, bottom + 34, "speed-up over the original (logarithmic)", "middle", 11)
    for n, (kernel, of) in enumerate(rows):
        at = top + step * n
        if n % 2:
            picture.add("rect", x=0, y=at, width=width, height=step, fill="#000000", fill_opacity="0.03")
        picture.text(left - 10, at + step / 2 + 4, kernel, "end")
        for i, (device, colour, shape) in enumerate(devices):
            y = at + 3 + 14 * i + 7
            for form, filled in (("rewritten", True), ("hand", False)):
                values = of.get(device, {}).get(form)
                if values:
                    picture.line(x(values[0]), y, x(values[-1]), y, colour, 1.4)
                    picture.mark(x(median(values)), y, colour, shape, filled)
    return str(picture)


def ratios(entry):
    """{form: ratios} of those that were measured."""
    return {f: v for f, v in (entry or {}).items() if f in ("rewritten", "hand") and isinstance(v, list) and v}


def best_of_size(system, prefix):
    """The rewritten form and the best one by hand of laplace or sgemm, at the largest size: the rows of `sizes`."""
    sizes = stored(system).get("sizes", {})
    if not sizes:
        return {}
    forms = sizes[max(sizes, key=pixels)]
    hand = [v for f, v in forms.items() if f.startswith(prefix)]
    rewritten = [v for f, v in forms.items() if f.startswith("rewritten")]
    return dict(rewritten=rewritten[0] if rewritten else None, hand=max(hand, key=median) if hand else None)


def measured():
    pocl, gpu = stored("hpc"), stored("nvidia-h200").get("speed", {})
    rows = [(system, {"PoCL": ratios(best_of_size(system, system + "_")), "NVIDIA H200": ratios(gpu.get(system))})
            for system in ("laplace", "sgemm")]
    rows += [(k, {"PoCL": ratios(pocl[k].get("speed")), "NVIDIA H200": ratios(gpu.get(k))}) for k in sorted(pocl)]
    return by_kernel("Speed-up by kernel, measured", "Median of the ratios; the line reaches from the least to the largest.",
                     [r for r in rows if any(r[1].values())], [("PoCL", BLUE, "circle"), ("NVIDIA H200", RED, "square")])


def gains(entry):
    """{form: [gain]} by compiled cost."""
    original = entry.get("original")
    if not isinstance(original, (int, float)):
        return {}
    return {f: [original / entry[f]] for f in ("rewritten", "hand") if isinstance(entry.get(f), (int, float)) and entry[f]}


def compiled():
    devices = [("mali-t860", BLUE, "circle"), ("mali-g52", RED, "square"), ("powervr-bxs-4-64", GREEN, "diamond")]
    rows = [("laplace", {d: forms_gains("laplace", "laplace_stage", d) for d, _, _ in devices}),
            ("sgemm", {d: forms_gains("sgemm", "sgemm_", d) for d, _, _ in devices})]
    rows += [(k, {d: gains(e["compiled"].get(d, {})) for d, _, _ in devices})
             for k, e in sorted(stored("hpc").items()) if "compiled" in e]
    return by_kernel("Gain by kernel, compiled", "By Mesa's compilers: cycles (Mali) or instruction groups (PowerVR) of one "
                     "original work-item, whole blocks.", [r for r in rows if any(r[1].values())], devices)


def forms_gains(system, prefix, device):
    """Laplace and SGEMM: the planner's first choice, and the best form by hand."""
    forms = stored(system).get("forms", {}).get(device, {})
    hand = [v for f, v in forms.items() if f.startswith(prefix) and isinstance(v, (int, float))]
    return gains(dict(original=forms.get(system), rewritten=forms.get("rewritten"), hand=min(hand) if hand else None))


# ---- Speed-up by size

def pixels(size):
    """Of "w=768,h=432"; the elements of a matrix, of "n=64"."""
    values = [int(pair.split("=")[1]) for pair in size.split(",")]
    return values[0] * values[-1]


def panel(picture, title, box, sizes, label, series, y):
    """Lines over sizes, evenly spaced. box: left, top, right, bottom; series: [(name, colour, shape, filled,
    {size: ratios})]."""
    left, top, right, bottom = box
    picture.text((left + right) / 2, top - 10, title, "middle", 13, weight="bold")
    x = {s: left + (right - left) * (n + 0.5) / len(sizes) for n, s in enumerate(sizes)}
    for t in y.ticks():
        picture.line(left, y(t), right, y(t), BLACK if t == 1 else "#dddddd")
        picture.text(left - 6, y(t) + 4, plain(t), "end", 11)
    for size in sizes:
        picture.line(x[size], top, x[size], bottom, "#eeeeee")
        picture.text(x[size], bottom + 16, label(size), "middle", 11)
    for name, colour, shape, filled, values in series:
        there = [s for s in sizes if values.get(s)]
        picture.lines([(x[s], y(median(values[s]))) for s in there], colour, "" if filled else "5 3")
        for s in there:
            picture.line(x[s], y(values[s][0]), x[s], y(values[s][-1]), colour, 1.2)
            picture.mark(x[s], y(median(values[s])), colour, shape, filled)


LOOKS = ((SKY, "circle"), (BLUE, "square"), (GREEN, "diamond"), (ORANGE, "circle"), (PINK, "square"), (GREY, "diamond"),
         (BLACK, "circle"))


def by_size(figures):
    """{form: {size: ratios}}; the rewritten form's passes differ by size and are left out."""
    forms = {}
    for size, of in figures.items():
        for form, values in of.items():
            if values:
                forms.setdefault("rewritten" if form.startswith("rewritten") else form, {})[size] = values
    return forms


def line_series(forms, shown):
    """shown: [(form, name)]. The rewritten form stands out."""
    looks = iter(LOOKS)
    series = []
    for form, name in shown:
        colour, shape = (RED, "diamond") if form == "rewritten" else next(looks)
        if form in forms:
            series.append((name, colour, shape, form == "rewritten", forms[form]))
    return series


def laplace_sizes():
    published = stored("published").get("laplace", {}).get("speedup", {})
    own = by_size(stored("laplace").get("sizes", {}))
    stages = [("laplace_stage%d" % n, "stage %d" % n) for n in range(1, 6)]
    left = line_series(own, stages + [("rewritten", "rewritten")])
    right = line_series(by_size({s: {f: [v] for f, v in of.items()} for s, of in published.items()}), stages)
    picture = Picture(980, 430, "Laplace: speed-up over the scalar kernel by image size")
    legend(picture, 24, 50, [(name, c, shape, filled) for name, c, shape, filled, _ in left])
    sizes = sorted({s for of in (published, stored("laplace").get("sizes", {})) for s in of}, key=pixels)
    y = scale_for([v for _, _, _, _, of in left + right for values in of.values() for v in (values[0], values[-1])], 376, 92)
    label = lambda s: "x".join(v.split("=")[1] for v in s.split(","))  # noqa: E731
    panel(picture, "measured: PoCL", (60, 92, 485, 376), sizes, label, left, y)
    panel(picture, "published: Mali-T604 (Arm's talk)", (540, 92, 965, 376), sizes, label, right, y)
    once = [label(s) for s, of in sorted(stored("laplace").get("sizes", {}).items(), key=lambda x: pixels(x[0]))
            if all(len(ratios) == 1 for ratios in of.values())]
    picture.text(16, 424, "PoCL: median, line from the least to the largest ratio" +
                 ("; measured once: " + ", ".join(once) if once else ""), size=11, colour="#555555")
    return str(picture)


def sgemm_orders():
    figures = stored("sgemm").get("sizes", {})
    forms = by_size(figures)
    shown = [(f, f) for f in sorted(forms) if f.startswith("sgemm_") and not f.endswith("_barrier")] + [("CLBlast", "CLBlast"), ("rewritten", "rewritten")]
    series = line_series(forms, shown)
    picture = Picture(900, 430, "SGEMM: speed-up over the naive kernel by order, PoCL")
    legend(picture, 24, 50, [(name, c, shape, filled) for name, c, shape, filled, _ in series])
    sizes = sorted(figures, key=pixels)
    if sizes:
        y = scale_for([v for _, _, _, _, of in series for values in of.values() for v in (values[0], values[-1])], 376, 76)
        panel(picture, "", (60, 76, 880, 376), sizes, lambda s: s.split("=")[1], series, y)
    picture.text(16, 424, "order of the matrices; median, line from the least to the largest ratio", size=11, colour="#555555")
    return str(picture)


# ---- Compiled against published

def scatter(picture, title, box, axes, points):
    """points: [(x, y, text, colour, shape, filled)]. The diagonal is where both are equal."""
    left, top, right, bottom = box
    both = [v for p in points for v in p[:2]]
    x, y = scale_for(both, left, right), scale_for(both, bottom, top)
    picture.text((left + right) / 2, top - 12, title, "middle", 13, weight="bold")
    for t in x.ticks():
        picture.line(x(t), top, x(t), bottom)
        picture.line(left, y(t), right, y(t))
        picture.text(x(t), bottom + 16, plain(t), "middle", 11)
        picture.text(left - 6, y(t) + 4, plain(t), "end", 11)
    picture.line(left, bottom, right, top, GREY, 1.0, "4 3")
    picture.text((left + right) / 2, bottom + 34, axes[0], "middle", 11)
    picture.text(left - 34, (top + bottom) / 2, axes[1], "middle", 11, turn=-90)
    taken = [(x(p[0]) - 5, y(p[1]) - 5, x(p[0]) + 5, y(p[1]) + 5) for p in points]
    for px, py, text, colour, shape, filled in points:
        picture.mark(x(px), y(py), colour, shape, filled)
        if text:
            label_point(picture, x(px), y(py), text, colour, taken)


def label_point(picture, x, y, text, colour, taken):
    """Beside the point, where no mark or label is; adds the label's box to taken."""
    wide = 6.6 * len(text)
    for left, base in ((x + 9, y + 4), (x - 9 - wide, y + 4), (x - wide / 2, y - 10), (x - wide / 2, y + 18)):
        box = (left, base - 9, left + wide, base + 2)
        if not any(box[0] < t[2] and t[0] < box[2] and box[1] < t[3] and t[1] < box[3] for t in taken):
            break
    taken.append(box)
    picture.text(left, base, text, size=11, colour=colour)


def published():
    known = stored("published")
    cycles = known.get("laplace", {}).get("cycles", {})
    mesa = stored("laplace").get("forms", {}).get("mali-t860", {})
    points = []
    for form, of in cycles.items():
        name = form.replace("laplace_stage", "stage ").replace("laplace", "scalar")
        if isinstance(mesa.get(form), (int, float)):
            points.append((of["published"], mesa[form], name, BLUE, "circle", True))
        points.append((of["published"], of["model"], "", RED, "diamond", False))
    picture = Picture(980, 470, "Compiled against published figures")
    legend(picture, 24, 50, [("Mesa, Mali-T860: laplace", BLUE, "circle", True), ("cost model", RED, "diamond", False),
                             ("gain, rewritten", GREEN, "square", True), ("gain, by hand", PINK, "square", False)])
    scatter(picture, "Laplace: cycles for one pixel", (70, 92, 470, 410), ("published: Arm's compiler, Mali-T604", "here"), points)
    points = []
    for kernel, gain in sorted(known.get("hpc", {}).get("gain", {}).items()):
        of = gains(stored("hpc").get(kernel, {}).get("compiled", {}).get("mali-t860", {}))
        for form, colour, filled in (("rewritten", GREEN, True), ("hand", PINK, False)):
            if form in of:
                points.append((gain, of[form][0], kernel if form == "rewritten" else "", colour, "square", filled))
    scatter(picture, "HPC kernels: gain over the plain kernel", (560, 92, 960, 410),
            ("published: measured on a Mali-T604", "compiled for a Mali-T860"), points)
    picture.text(16, 462, "On the dashed line both are equal.", size=11, colour="#555555")
    return str(picture)


def all_plots():
    return {"measured.svg": measured(), "compiled.svg": compiled(), "laplace-sizes.svg": laplace_sizes(),
            "sgemm-orders.svg": sgemm_orders(), "published.svg": published()}
