"""Random kernels in the classes that the rewriter is for, each with its launch file.

generate(seed) returns a Kernel: its class, the source, the launch file. The same seed gives the same
kernel. No undefined behaviour: signed ranges are tracked, shifts stay inside the width, floating-point
conversions saturate, every access stays inside its buffer, no two work-items write one element.
Therefore all builds of such a kernel must give the same bits.

Classes: elementwise, image (8-bit, interleaved, with borders), stencil (1 to 3 dimensions), window
(loops with constant or uniform bounds), staging (local memory that is a copy), stride (grid-stride
loops, flat indices, runs), product (sums over a shared index), columns (per-item sums). The set "hard" has the classes of
families.py: control flow, helpers, structures, vectors, pointers, groups and more; "rare" those of rare.py; "effects"
those of effects.py; "meaning" those of meaning.py.
"""
import os
import random
import sys
from dataclasses import dataclass, field

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import effects   # noqa: E402
import families  # noqa: E402
import meaning   # noqa: E402
import rare      # noqa: E402

SIGNED = {"char": 8, "short": 16, "int": 32, "long": 64}
UNSIGNED = {"uchar": 8, "ushort": 16, "uint": 32, "ulong": 64}
FLOATS = ("float", "double")
SMALL = ("char", "uchar", "short", "ushort")


@dataclass
class Kernel:
    seed: int
    kind: str
    source: str
    launch: str
    further: list = field(default_factory=list)  # sizes for the independent runner alone


def limits(t):
    if t in UNSIGNED:
        return 0, (1 << UNSIGNED[t]) - 1
    return -(1 << (SIGNED[t] - 1)), (1 << (SIGNED[t] - 1)) - 1


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.seed = seed
        self.inputs = []      # (name, type, low, high)
        self.scalars = []     # (name, type, value)
        self.temps = 0
        self.constants = []   # that sizes are chosen near to
        self.macros = []      # lines before the kernel

    # ------------------------------------------------------------------ expressions
    # An expression is (text, domain, low, high): domain "i" is a C int (or long) with known bounds,
    # "u" / "U" wraps in 32 / 64 bits, "f" / "d" is floating point.

    def pick(self, *options):
        return self.r.choice(options)

    def data_range(self, t):
        if t in SMALL:
            return self.pick(limits(t), limits(t), (0, 100) if t in UNSIGNED else (-50, 100))
        if t in UNSIGNED:
            return self.pick(limits(t), (0, 1000))
        return -1000, 1000

    def value_of(self, t, text, lo=None, hi=None):
        if t == "float":
            return text, "f", None, None
        if t == "double":
            return text, "d", None, None
        if t == "uint":
            return text, "u", None, None
        if t == "ulong":
            return text, "U", None, None
        a, b = limits(t)
        return text, "i", a if lo is None else lo, b if hi is None else hi

    def constant(self, domain):
        r = self.r
        if domain == "i":
            v = r.choice([0, 1, 2, 3, 5, 7, 9, 16, 100, 255, -1, -3, -128, r.randint(-40, 40)])
            return (f"{v}" if v >= 0 else f"({v})"), "i", v, v
        if domain in "uU":
            v = r.choice([1, 2, 3, 255, 65535, 0x9E3779B1, r.randint(0, 1 << 20)])
            return f"{v}u" + ("l" if domain == "U" else ""), domain, None, None
        v = r.choice(["0.5", "2.0", "1.25", "-0.75", "3.0", "0.1"])
        return (f"({v}f)" if domain == "f" else f"({v})"), domain, None, None

    def expr(self, leaves, domain, depth):
        """A random expression of a domain; the leaves are functions that return expressions."""
        r = self.r
        if depth == 0 or r.random() < 0.12:
            fitting = [l for l in leaves if l[1] == domain]
            if fitting and r.random() < 0.85:
                return r.choice(fitting)
            if leaves and r.random() < 0.7:
                return self.convert(r.choice(leaves), domain)
            return self.constant(domain)
        a = self.expr(leaves, domain, depth - 1)
        kind = r.random()
        if kind < 0.10:
            c = self.condition(leaves, depth - 1)
            b = self.expr(leaves, domain, depth - 1)
            return f"({c} ? {a[0]} : {b[0]})", domain, *self.hull(a, b)
        if kind < 0.18:
            other = r.choice([l[1] for l in leaves] or ["i"])
            return self.convert(self.expr(leaves, other, depth - 1), domain)
        if domain in "fd":
            return self.float_op(a, leaves, domain, depth)
        if domain in "uU":
            return self.wrap_op(a, leaves, domain, depth)
        return self.int_op(a, leaves, depth)

    def hull(self, a, b):
        return (None, None) if a[2] is None else (min(a[2], b[2]), max(a[3], b[3]))

    def float_op(self, a, leaves, d, depth):
        b = self.expr(leaves, d, depth - 1)
        one, half = ("1.0f", "0.5f") if d == "f" else ("1.0", "0.5")
        form = self.pick("{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} * {b} + {c}", "fmin({a}, {b})", "fmax({a}, {b})",
                         "fabs({a})", "-{a}", "{a} / ({b} * {b} + {one})", "sqrt(fabs({a}))", "{a} * {half}",
                         "fma({a}, {b}, {a})", "floor({a})")
        c = self.expr(leaves, d, depth - 1)[0] if "{c}" in form else ""
        return "(" + form.format(a=a[0], b=b[0], c=c, one=one, half=half) + ")", d, None, None

    def wrap_op(self, a, leaves, d, depth):
        b = self.expr(leaves, d, depth - 1)
        s, bits = ("u", 32) if d == "u" else ("ul", 64)
        n = self.r.randint(1, bits - 1)
        form = self.pick("{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} ^ {b}", "{a} & {b}", "{a} | {b}", "{a} << {n}", "{a} >> {n}",
                         "~{a}", "max({a}, {b})", "min({a}, {b})", "{a} / {k}{s}", "{a} % {k}{s}", "{a} << ({b} & {m}{s})")
        return "(" + form.format(a=a[0], b=b[0], n=n, k=self.pick(3, 7, 8, 10, 255, 1000), s=s, m=bits - 1) + ")", d, None, None

    def int_op(self, a, leaves, depth):
        r = self.r
        b = self.expr(leaves, "i", depth - 1)
        top = (1 << 31) - 1
        al, ah, bl, bh = a[2], a[3], b[2], b[3]
        for form in r.sample(["+", "-", "*", ">>", "/", "%", "&", "|^", "min", "max", "clamp", "abs", "neg", "cast", "hand", "<<", "not"], 17):
            if form in "+-*":
                corners = [p + q if form == "+" else p - q if form == "-" else p * q for p in (al, ah) for q in (bl, bh)]
                lo, hi, text = min(corners), max(corners), f"({a[0]} {form} {b[0]})"
            elif form == ">>":
                n = r.randint(1, 9)
                lo, hi, text = al >> n, ah >> n, f"({a[0]} >> {n})"
            elif form == "<<":
                n = r.randint(1, 6)
                if al < 0:
                    continue
                lo, hi, text = al << n, ah << n, f"({a[0]} << {n})"
            elif form == "/":
                k = r.choice([2, 3, 4, 5, 9, 16, 255])
                top_q = max(abs(al), abs(ah)) // k
                lo, hi, text = (-top_q if al < 0 else 0), top_q, f"({a[0]} / {k})"
            elif form == "%":
                k = r.choice([2, 3, 7, 8, 10, 256])
                lo, hi, text = (-(k - 1) if al < 0 else 0), (k - 1 if ah > 0 else 0), f"({a[0]} % {k})"
            elif form == "&":
                m = r.choice([1, 15, 127, 255, 4095])
                lo, hi, text = 0, m, f"({a[0]} & {m})"
            elif form == "|^":
                if al < 0 or bl < 0:
                    continue
                m = (1 << max(ah, bh, 1).bit_length()) - 1
                lo, hi, text = 0, m, f"({a[0]} {r.choice('|^')} {b[0]})"
            elif form in ("min", "max"):
                f = min if form == "min" else max
                lo, hi, text = f(al, bl), f(ah, bh), f"{form}((int){a[0]}, (int){b[0]})"
            elif form == "clamp":
                lo, hi = sorted(r.sample([-128, 0, 10, 127, 200, 255], 2))
                text = f"clamp((int){a[0]}, {lo}, {hi})" if lo >= 0 else f"clamp((int){a[0]}, ({lo}), {hi})"
            elif form == "hand":
                if len(a[0]) > 40:
                    continue
                lo, hi = 0, 255
                text = f"({a[0]} < 0 ? 0 : ({a[0]} > 255 ? 255 : {a[0]}))"
            elif form == "abs":
                lo, hi, text = 0, max(abs(al), abs(ah)), f"((int)abs((int){a[0]}))"
            elif form == "neg":
                lo, hi, text = -ah, -al, f"(-{a[0]})"
            elif form == "not":
                lo, hi, text = -ah - 1, -al - 1, f"(~{a[0]})"
            else:
                t = r.choice(["char", "uchar", "short", "ushort"])
                (lo, hi), text = limits(t), f"(({t}){a[0]})"
            if -top <= lo and hi <= top:
                return text, "i", lo, hi
        return a

    def convert(self, e, domain):
        text, d, lo, hi = e
        if d == domain:
            return e
        if domain in "fd":
            return f"(({'float' if domain == 'f' else 'double'}){text})", domain, None, None
        if domain in "uU":
            if d in "fd":
                return f"convert_{'uint' if domain == 'u' else 'ulong'}_sat({text})", domain, None, None
            return f"(({'uint' if domain == 'u' else 'ulong'}){text})", domain, None, None
        t = self.pick("char", "uchar", "short", "ushort")
        if d in "fd":
            rounding = self.pick("", "_rte", "_rtz", "_rtp")
            return f"convert_{t}_sat{rounding}({text})", "i", *limits(t)
        return f"(({t}){text})", "i", *limits(t)

    def condition(self, leaves, depth):
        d = self.r.choice([l[1] for l in leaves] or ["i"])
        a, b = self.expr(leaves, d, max(depth - 1, 0)), self.expr(leaves, d, 0)
        text = f"{a[0]} {self.pick('<', '>', '<=', '>=', '==', '!=')} {b[0]}"
        if depth > 1 and self.r.random() < 0.25:
            return f"({text} {self.pick('&&', '||')} {self.condition(leaves, 0)})"
        return f"({text})"

    # ------------------------------------------------------------------ parts of a kernel

    def add_input(self, t=None):
        t = t or self.pick("char", "uchar", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "float", "double")
        name = "abcde"[len(self.inputs)] + self.pick("", "_in", "Src", "0")
        lo, hi = self.data_range(t) if t not in FLOATS else (None, None)
        self.inputs.append((name, t, lo, hi))
        return self.inputs[-1]

    def add_scalar(self, t=None):
        t = t or self.pick("int", "float", "uint", "int")
        name = "k" + str(len(self.scalars))
        v = self.pick("1.5", "-0.25", "0.1") if t in FLOATS else str(self.r.randint(1, 20))
        self.scalars.append((name, t, v))
        return self.value_of(t, name, int(v), int(v)) if t == "int" else self.value_of(t, name)

    def load(self, inp, index):
        name, t, lo, hi = inp
        e = self.value_of(t, f"{name}[{index}]", lo, hi)
        if t == "long":  # kept separate: int arithmetic must not use 64-bit values
            return f"(int){e[0]}", "i", lo, hi
        return e

    def body(self, leaves, out_type, depth=3, indent="  "):
        """Statements that compute one value of the output's type: (lines, text of the value)."""
        lines, leaves = [], list(leaves)
        for _ in range(self.r.randint(0, 3)):
            self.temps += 1
            d = self.pick(*sorted({l[1] for l in leaves}) or ["i"])
            e = self.expr(leaves, d, 2)
            t = {"f": "float", "d": "double", "u": "uint", "U": "ulong", "i": "int"}[d]
            v = f"t{self.temps}"
            lines.append(f"{indent}{self.pick('', 'const ')}{t} {v} = {e[0]};")
            if self.r.random() < 0.3 and not lines[-1].strip().startswith("const"):
                f = self.expr(leaves, d, 2)
                lines.append(f"{indent}if ({self.condition(leaves, 1)})")
                lines.append(f"{indent}  {v} = {f[0]};")
                if self.r.random() < 0.4:
                    g = self.expr(leaves, d, 1)
                    lines += [f"{indent}else", f"{indent}  {v} = {g[0]};"]
                    e = (v, d, *self.hull(f, g))
                else:
                    e = (v, d, *self.hull(e, f))
            leaves += [(v, d, e[2], e[3])] * 3  # computed values are used most often
        d = {"float": "f", "double": "d", "uint": "u", "ulong": "U"}.get(out_type, "i")
        return lines, self.expr(leaves, d, depth)[0]

    def store_type(self):
        return self.pick("char", "uchar", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "float", "double")

    # ------------------------------------------------------------------ output

    def finish(self, kind, name, params, lines, args, glob, sizes, local=None, head="", offset=None, require=None):
        for s, t, v in self.scalars:
            params.append(f"{self.pick('', 'const ')}{t} {s}")
            args.append(f'{{ name: {s}, value: "{v}" }}')
        order = list(range(len(params)))
        self.r.shuffle(order)
        params, args = [params[i] for i in order], [args[i] for i in order]
        source = (f"// seed {self.seed}, {kind}\n{head}__kernel void {name}({', '.join(params)}) {{\n" + "\n".join(lines) + "\n}\n")
        q = lambda v: "[ " + ", ".join(f'"{e}"' for e in v) + " ]"
        y = [f"source: {name}.cl", f"kernel: {name}", "args:"] + [f"  - {a}" for a in args] + [f"global: {q(glob)}"]
        if local:
            y.append(f"local: {q(local)}")
        if offset:
            y.append(f"offset: {q(offset)}")
        y.append("sizes: [ " + ", ".join("{ " + ", ".join(f"{k}: {v}" for k, v in s.items()) + " }" for s in sizes) + " ]")
        if require:
            y.append(f"require: {q(require)}")
        return Kernel(self.seed, kind, source, "\n".join(y) + "\n")

    def in_param(self, inp, params, args, count):
        name, t, lo, hi = inp
        params.append(f"__global {self.pick('const ', '')}{t} *{self.pick('', '', 'restrict ')}{name}")
        data = ", data: { uniform: [-4, 4] }" if t in FLOATS else f", data: {{ range: [{lo}, {hi}] }}"
        if t not in FLOATS and (lo, hi) == limits(t):
            data = ""  # any bits; launch-file expressions cannot express 2^64 - 1
        args.append(f'{{ name: {name}, buffer: in, count: "{count}"{data} }}')

    def out_param(self, name, t, params, args, count, use="out"):
        params.append(f"__global {t} *{self.pick('', 'restrict ')}{name}")
        args.append(f'{{ name: {name}, buffer: {use}, count: "{count}", data: zero }}' if use == "inout" else
                    f'{{ name: {name}, buffer: {use}, count: "{count}" }}')

    def guard(self, cond, inner, invert=None):
        """A guard in one of its three forms around the inner lines (indented by two)."""
        form = self.pick("if", "return", "not") if invert is None else invert
        if form == "if":
            return [f"  if ({cond}) {{"] + ["  " + l for l in inner] + ["  }"]
        if form == "return":
            return [f"  if (!({cond}))", "    return;"] + inner
        return [f"  if (!({cond})) return;"] + inner

    def id_line(self, var, dim, add=""):
        t = self.pick("int", "uint", "size_t", "const int", "unsigned int", "int")
        return f"  {t} {var} = get_global_id({dim}){add};", t


def elementwise(g):
    r = g.r
    params, args = [], []
    n_in = r.randint(1, 3)
    ins = [g.add_input() for _ in range(n_in)]
    if r.random() < 0.6:
        g.add_scalar()
    scal = [g.value_of(t, s, int(v), int(v)) if t == "int" else g.value_of(t, s) for s, t, v in g.scalars]
    outs = [("out" + str(i), g.store_type()) for i in range(r.choice([1, 1, 1, 2]))]
    guarded = r.random() < 0.7
    line, _ = g.id_line("i", 0)
    leaves = [g.load(i, "i") for i in ins] + scal
    inner = []
    for name, t in outs:
        ls, e = g.body(leaves, t)
        inner += ls
        inner.append(f"  {name}[i] = {e};")
    for i in ins:
        g.in_param(i, params, args, "n")
    for name, t in outs:
        g.out_param(name, t, params, args, "n", "inout" if r.random() < 0.1 else "out")
    glob = "n"
    if guarded:
        params.append(g.pick("int n", "uint n", "const int n"))
        args.append('{ name: n, value: "n" }')
        glob = "roundup(n, 64)"
        inner = g.guard("i < n", inner)
    return g.finish("elementwise", f"ew{g.seed}", params, [line] + inner, args, [glob],
                    [{"n": 1037}, {"n": 256}, {"n": 67}, {"n": 5}, {"n": 1}], ["64"] if guarded and r.random() < 0.5 else None)


def grid(g, dims, halo, channels, kind, types=None, taps=None):
    """Element (x, y, z) of an image or a grid, with neighbours at a distance of up to halo."""
    r = g.r
    params, args = [], []
    border = r.choice(["inner", "clamp", "copy", "padded"]) if halo else "inside"
    axes = "xyz"[:dims]
    ext = dict(x="w", y="h", z="d")
    perm = list(range(dims))
    if r.random() < 0.35:
        perm.reverse()
    names = {a: g.pick(a, {"x": "col", "y": "row", "z": "slab"}[a]) for a in axes}
    inp = g.add_input(r.choice(types) if types else None)
    out_t = inp[1] if border == "copy" or r.random() < 0.5 else g.store_type()
    lines = []
    for a in axes:
        lines.append(f"  {g.pick('int', 'const int', 'int')} {names[a]} = get_global_id({perm[axes.index(a)]});")
    pad = halo if border == "padded" else 0
    pitch = f"(w + {2 * pad})" if pad else "w"
    pitchy = f"(h + {2 * pad})" if pad else "h"

    def at(off, clamped=False, c=0):
        p = {}
        for a in axes:
            o = off.get(a, 0) + pad
            v = names[a] if o == 0 else f"{names[a]} {'+' if o > 0 else '-'} {abs(o)}"
            if clamped and off.get(a, 0):
                v = (f"clamp({v}, 0, {ext[a]} - 1)" if r.random() < 0.5 else
                     f"max({v}, 0)" if off[a] < 0 else f"min({v}, {ext[a]} - 1)")
            p[a] = f"({v})" if " " in v and not v.startswith(("clamp", "max", "min")) else v
        if dims == 1:
            i = p["x"]
        elif dims == 2:
            i = f"{p['y']} * {pitch} + {p['x']}"
        else:
            i = f"({p['z']} * {pitchy} + {p['y']}) * {pitch} + {p['x']}"
        if channels > 1:
            i = f"({i}) * {channels}" + (f" + {c}" if c else "")
        return i

    def plain(c=0):
        nonlocal pad
        keep, pad = pad, 0
        p = {a: names[a] for a in axes}
        i = p["x"] if dims == 1 else f"{p['y']} * w + {p['x']}" if dims == 2 else f"({p['z']} * h + {p['y']}) * w + {p['x']}"
        pad = keep
        return f"({i}) * {channels}" + (f" + {c}" if c else "") if channels > 1 else i

    offsets = [{}]
    for _ in range(taps or r.randint(1, 5) if halo else 0):
        offsets.append({a: r.randint(-halo, halo) for a in axes})
    inner = []
    if r.random() < 0.4:
        g.add_scalar()
    scal = [g.value_of(t, s, int(v), int(v)) if t == "int" else g.value_of(t, s) for s, t, v in g.scalars]
    state = r.getstate()
    for c in range(channels):
        if c:
            r.setstate(state)  # the same filter for each channel, as in hand-written code
        leaves = [g.load(inp, at(o, border == "clamp", c)) for o in offsets] + scal
        ls, e = g.body(leaves, out_t)
        inner += ls
        inner.append(f"  out[{plain(c)}] = {e};")
    whole = " && ".join(f"{names[a]} < {ext[a]}" for a in axes)
    rounded = r.random() < 0.6
    if border in ("inner", "copy"):
        inside = " && ".join(f"{names[a]} >= {halo} && {names[a]} < {ext[a]} - {halo}" for a in axes)
        if border == "copy":
            copy = [f"    out[{plain(c)}] = {inp[0]}[{at({}, False, c)}];" for c in range(channels)]
            inner = [f"  if ({inside}) {{"] + ["  " + l for l in inner] + ["  } else {"] + copy + ["  }"]
        else:
            inner = g.guard(inside, inner)
    if rounded:
        inner = g.guard(whole, inner)
    total = " * ".join(ext[a] for a in axes) + (f" * {channels}" if channels > 1 else "")
    padded = " * ".join(f"({ext[a]} + {2 * pad})" if pad else ext[a] for a in axes) + (f" * {channels}" if channels > 1 else "")
    g.in_param(inp, params, args, padded)
    g.out_param("out", out_t, params, args, total, "inout" if border == "inner" else "out")
    for a in axes:
        params.append(f"{g.pick('int', 'const int')} {ext[a]}")
        args.append(f'{{ name: {ext[a]}, value: "{ext[a]}" }}')
    glob = [None] * dims
    for a in axes:
        glob[perm[axes.index(a)]] = f"roundup({ext[a]}, 8)" if rounded else ext[a]
    some = {1: [dict(w=1037), dict(w=256), dict(w=67), dict(w=5)],
            2: [dict(w=67, h=19), dict(w=64, h=8), dict(w=17, h=5), dict(w=5, h=5)],
            3: [dict(w=35, h=9, d=6), dict(w=16, h=8, d=5), dict(w=5, h=5, d=5)]}[dims]
    return g.finish(kind, f"{kind}{g.seed}", params, lines + inner, args, glob, some)


def image(g):
    return grid(g, 2, g.r.choice([0, 1, 1, 2]), g.r.choice([1, 3, 3, 4]), "image", ["uchar"])


def stencil(g):
    return grid(g, g.r.choice([1, 2, 2, 3]), g.r.choice([1, 1, 2]), 1, "stencil")


def window(g):
    r = g.r
    params, args = [], []
    inp = g.add_input()
    d = g.load(inp, "0")[1]
    acc_t = {"f": "float", "d": "double", "u": "uint", "U": "ulong", "i": "int"}[d]
    uniform = r.random() < 0.5
    taps = r.randint(2, 9)
    bound = "m" if uniform else str(taps)
    weighted = r.random() < 0.5
    line, _ = g.id_line("i", 0)
    load = g.load(inp, "i + k")[0]
    w = g.add_input(inp[1] if inp[1] not in ("long",) else "int") if weighted else None
    if weighted:
        if w[1] not in FLOATS + ("uint", "ulong"):
            g.inputs[-1] = w = (w[0], w[1], 0 if w[1] in UNSIGNED else -20, 20)
        term = f"{g.load(w, 'k')[0]} * {load}"
    else:
        term = load
    if r.random() < 0.25 and d in "iuU":
        step = f"acc = {'max' if r.random() < .5 else 'min'}(acc, ({acc_t})({term}));"
    else:
        step = f"acc += {term};"
    zero = {"f": "0.0f", "d": "0.0"}.get(d, "0")
    loop = g.pick(f"  for (int k = 0; k < {bound}; k++)\n    {step}", f"  for (int k = 0; k < {bound}; ++k) {{\n    {step}\n  }}",
                  f"  int k = 0;\n  while (k < {bound}) {{\n    {step}\n    k++;\n  }}")
    out_t = g.store_type()
    e = g.convert(("acc", d, -(1 << 30), 1 << 30), {"float": "f", "double": "d", "uint": "u", "ulong": "U"}.get(out_t, "i"))[0]
    inner = [f"  {acc_t} acc = {zero};", loop, f"  out[i] = {e};"]
    inner = [l for part in inner for l in part.split("\n")]
    g.in_param(inp, params, args, f"n + {taps}")
    if weighted:
        g.in_param(w, params, args, str(taps))
    g.out_param("out", out_t, params, args, "n")
    params.append("int n")
    args.append('{ name: n, value: "n" }')
    if uniform:
        params.append("int m")
        args.append(f'{{ name: m, value: "{taps}" }}')
    inner = g.guard("i < n", inner)
    return g.finish("window", f"window{g.seed}", params, [line] + inner, args, ["roundup(n, 32)"],
                    [{"n": 1037}, {"n": 256}, {"n": 67}, {"n": 5}, {"n": 1}])


def staging(g):
    r = g.r
    params, args = [], []
    inp = g.add_input()
    t = inp[1]
    L, H = r.choice([16, 32, 64]), r.choice([0, 1, 2, 3])
    argument = r.random() < 0.3
    form = r.choice(["branches", "loop", "clamped"]) if H else "own"
    n_local = L + 2 * H
    lines = []
    if argument:
        params.append(f"__local {t} *tile")
        args.append(f'{{ name: tile, local: "{n_local} * {dict(char=1, uchar=1, short=2, ushort=2, int=4, uint=4, float=4).get(t, 8)}" }}')
    else:
        lines.append(f"  __local {t} tile[{n_local}{g.pick('', ' + 1')}];")
    lines += ["  int g = get_global_id(0);", "  int l = get_local_id(0);"]
    a = inp[0]
    if form == "own":
        lines.append(f"  tile[l] = {a}[g];")
        at = lambda o: f"tile[{g.pick('l', f'{L - 1} - l', f'(l + 1) % {L}') if o else 'l'}]"
    else:
        at = lambda o: f"tile[l + {H + o}]" if H + o else "tile[l]"
        if form == "branches":  # the input is padded by the halo
            lines += [f"  tile[l + {H}] = {a}[g + {H}];", f"  if (l < {H}) {{", f"    tile[l] = {a}[g];",
                      f"    tile[l + {L + H}] = {a}[g + {L + H}];", "  }"]
        elif form == "loop":
            lines += [f"  for (int k = l; k < {n_local}; k += {L})", f"    tile[k] = {a}[get_group_id(0) * {L} + k];"]
        else:
            zero = r.random() < 0.5
            val = lambda ix: (f"({ix}) >= 0 && ({ix}) < n ? {a}[{ix}] : ({t})0" if zero else f"{a}[clamp({ix}, 0, n - 1)]")
            lines += [f"  tile[l + {H}] = {val('g')};", f"  if (l < {H}) {{", f"    tile[l] = {val(f'g - {H}')};",
                      f"    tile[l + {L + H}] = {val(f'g + {L}')};", "  }"]
    lines.append("  barrier(CLK_LOCAL_MEM_FENCE);")
    offs = [0] + [r.randint(-H, H) for _ in range(r.randint(1, 4))] if H else [0, 1]
    name, ty, lo, hi = inp
    leaves = []
    for o in offs:
        e = g.value_of(ty, at(o), min(lo, 0) if lo is not None else None, max(hi, 0) if hi is not None else None)
        leaves.append(("(int)" + e[0], "i", min(lo, 0), max(hi, 0)) if ty == "long" else e)
    out_t = g.store_type()
    ls, e = g.body(leaves, out_t)
    exact = form in ("own", "branches", "loop")
    inner = ls + [f"  out[g] = {e};"]
    if not exact:
        params.append("int n")
        args.append('{ name: n, value: "n" }')
        inner = g.guard("g < n", inner, "if")
    g.in_param(inp, params, args, f"n + {2 * H}" if form in ("branches", "loop") else "n")
    g.out_param("out", out_t, params, args, "n")
    sizes = [{"n": L * 9}, {"n": L * 2}, {"n": L}] if exact else [{"n": 333}, {"n": L}, {"n": 7}]
    return g.finish("staging", f"staging{g.seed}", params, lines + inner, args, ["n" if exact else f"roundup(n, {L})"],
                    sizes, [str(L)], require=[f"n % {L} == 0"] if exact else None)


def stride(g):
    r = g.r
    params, args = [], []
    inp = g.add_input()
    out_t = g.store_type()
    form = r.choice(["grid", "flat", "run", "reverse", "even"])
    g.in_param(inp, params, args, {"flat": "w * h", "even": "2 * n", "run": "4 * n"}.get(form, "n"))
    g.out_param("out", out_t, params, args, {"flat": "w * h", "run": "4 * n"}.get(form, "n"))
    sizes = [{"n": 1037}, {"n": 256}, {"n": 67}, {"n": 5}, {"n": 1}]
    if form == "flat":
        params.append("int w")
        args.append('{ name: w, value: "w" }')
        leaves = [g.load(inp, "i"), ("x", "i", 0, 1 << 12), ("y", "i", 0, 1 << 12)]
        ls, e = g.body(leaves, out_t)
        lines = ["  int i = get_global_id(0);", "  int x = i % w;", "  int y = i / w;"] + ls + ["  out[i] = " + e + ";"]
        return g.finish("stride", f"stride{g.seed}", params, lines, args, ["w * h"], [dict(w=67, h=19), dict(w=64, h=8), dict(w=5, h=3)])
    params.append("int n")
    args.append('{ name: n, value: "n" }')
    if form == "grid":
        ls, e = g.body([g.load(inp, "i")], out_t, indent="    ")
        lines = ["  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {"] + ls + [f"    out[i] = {e};", "  }"]
        return g.finish("stride", f"stride{g.seed}", params, lines, args, ["64"], sizes)
    if form == "run":
        ls, e = g.body([g.load(inp, "4 * i + k")], out_t, indent="    ")
        lines = ["  int i = get_global_id(0);", "  for (int k = 0; k < 4; k++) {"] + ls + [f"    out[4 * i + k] = {e};", "  }"]
        lines = lines[:1] + g.guard("i < n", lines[1:])
        return g.finish("stride", f"stride{g.seed}", params, lines, args, ["roundup(n, 16)"], sizes)
    index = ["i"] + (["n - 1 - i"] if form == "reverse" else ["2 * i", "2 * i + 1"])
    leaves = [g.load(inp, x) for x in (index if form == "reverse" else index[1:])]
    ls, e = g.body(leaves, out_t)
    return g.finish("stride", f"stride{g.seed}", params, ["  int i = get_global_id(0);"] + g.guard("i < n", ls + [f"  out[i] = {e};"]),
                    args, ["roundup(n, 16)"], sizes)


def product(g):
    r = g.r
    t = r.choice(["float", "float", "double", "int", "short", "char", "uchar"])
    acc = t if t in FLOATS else "int"
    a, b = g.add_input(t), g.add_input(t)
    if t == "int":
        g.inputs[:] = [a, b] = [(a[0], t, -100, 100), (b[0], t, -100, 100)]
    elif t not in FLOATS:
        g.inputs[:] = [a, b] = [(x[0], t, max(x[2], -1000), min(x[3], 1000)) for x in (a, b)]
    swap = r.random() < 0.5
    col, row = (1, 0) if swap else (0, 1)
    bt = r.random() < 0.2
    la, lb = f"{a[0]}[row * k + p]", f"{b[0]}[col * k + p]" if bt else f"{b[0]}[p * n + col]"
    scaled = t in FLOATS and r.random() < 0.5
    out = f"{'alpha * acc' if scaled else 'acc'}" + (f" + {g.pick('2', '0.5f' if t == 'float' else '2')} * c[row * n + col]" if r.random() < 0.4 else "")
    lines = [f"  {g.pick('int', 'const int')} col = get_global_id({col});", f"  int row = get_global_id({row});"]
    inner = [f"  {acc} acc = 0;", "  for (int p = 0; p < k; p++)", f"    acc += {la} * {lb};", f"  c[row * n + col] = {out};"]
    params, args = [], []
    guarded = r.random() < 0.5
    if guarded:
        inner = g.guard("row < m && col < n", inner)
    g.in_param(a, params, args, "m * k")
    g.in_param(b, params, args, "k * n")
    g.out_param("c", acc, params, args, "m * n", "inout")
    if scaled:
        params.append(f"{t} alpha")
        args.append('{ name: alpha, value: "1.5" }')
    for v in ("m", "n", "k"):
        params.append(f"int {v}")
        args.append(f'{{ name: {v}, value: "{v}" }}')
    glob = ["roundup(m, 8)" if guarded else "m", "roundup(n, 8)" if guarded else "n"]
    if not swap:
        glob.reverse()
    return g.finish("product", f"product{g.seed}", params, lines + inner, args, glob,
                    [dict(m=33, n=41, k=17), dict(m=16, n=32, k=8), dict(m=4, n=8, k=3), dict(m=1, n=1, k=1)])


def columns(g):
    r = g.r
    params, args = [], []
    inp = g.add_input()
    e0 = g.load(inp, "y * w + x" if r.random() < 0.7 else "x * h + y")
    d = e0[1]
    acc_t = {"f": "float", "d": "double", "u": "uint", "U": "ulong", "i": "int"}[d]
    if d == "i":  # a tracked bound for up to 64 terms
        lo, hi = e0[2], e0[3]
        e = e0[0] if max(abs(lo), abs(hi)) < 1 << 24 else f"({e0[0]} >> 8)"
    else:
        e = g.expr([e0], d, 2)[0]
    op = r.choice(["acc += {e};", "acc += {e};", "if ({e} > acc) acc = {e};", "acc = acc < {e} ? acc : {e};"])
    lines = ["  int x = get_global_id(0);"]
    inner = [f"  {acc_t} acc = 0;", "  for (int y = 0; y < h; y++)", "    " + op.format(e=e), "  out[x] = acc;"]
    g.in_param(inp, params, args, "w * h")
    g.out_param("out", acc_t, params, args, "w")
    for v in ("w", "h"):
        params.append(f"int {v}")
        args.append(f'{{ name: {v}, value: "{v}" }}')
    return g.finish("columns", f"columns{g.seed}", params, lines + g.guard("x < w", inner), args, ["roundup(w, 16)"],
                    [dict(w=131, h=33), dict(w=64, h=16), dict(w=7, h=5), dict(w=1, h=1)])


CLASSES = [elementwise, elementwise, image, image, stencil, stencil, window, staging, stride, product, columns]


SETS = {"plain": CLASSES, "hard": families.FAMILIES, "rare": rare.FAMILIES, "effects": effects.FAMILIES, "meaning": meaning.FAMILIES}


def generate(seed, classes="plain"):
    """The kernel of a seed in a set of classes. "all" takes one set after the other: a fifth of the seeds has the last
    set, so that the others keep the kernel that they had with four sets."""
    g = Gen(seed)
    if classes == "all":
        names = list(SETS)
        classes = names[-1] if seed % len(names) == len(names) - 1 else names[seed % (len(names) - 1)]
    return g.r.choice(SETS[classes])(g)


if __name__ == "__main__":
    k = generate(int(sys.argv[1]), sys.argv[2].strip("-") if len(sys.argv) > 2 else "plain")
    print(k.source + "\n" + k.launch)
    if k.further:
        print("further:", k.further)
