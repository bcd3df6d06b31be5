"""Classes of random kernels that go wrong only in rare cases: at sizes, scalars and ids where an integer
wraps around, changes its sign, or a shift passes the width of its type.

Ids that wrap (sums, products, shifts, hashes of ids), casts between widths and signs, shifts and
divisions by scalars, early returns, in-place updates, macros with the names of built-ins, barriers with
global fences, rows with wrapped coordinates, loops with unsigned counters.

Like all generated kernels they have no undefined behaviour and no race: unsigned arithmetic wraps,
a shift amount is taken modulo the width, a cast to a narrower type is modulo (as all compilers for
OpenCL have it), and nothing is computed in signed types that may overflow.

The launch files list small sizes. Kernel.further holds sizes that only the independent runner is told:
on both sides of 2^12, 2^15, 2^16 and 2^17, and around the kernel's constants c, 2^31 / c and 2^32 / c.
"""

BOUNDS = [1 << 12, 1 << 15, 1 << 16, 1 << 17]
LARGEST = 140000  # work-items of a further size
CONSTANTS = [3, 5, 7, 9, 257, 1001, 4097, 5001, 5002, 40503, 65537, 1000003, 2654435761, 0x9E3779B1]
DATA = ("char", "uchar", "short", "ushort", "int", "uint")


def number(g):
    """A constant that the sizes go around."""
    c = g.pick(*CONSTANTS, g.r.randint(3, 60), g.r.randint(61, 5000), g.r.randint(5000, 130000))
    g.constants.append(c)
    return c


def further(g, cross=1):
    """Sizes around the boundaries and the constants, at most eight of them; cross: one id step of n."""
    r = g.r
    near = []
    for c in g.constants:
        near += [v + d for v in (c, (1 << 31) // c, (1 << 32) // c) for d in (-1, 0, 1, 9, 40)]
    near = sorted({v // cross for v in near if 8 < v <= LARGEST})
    bounds = [b // cross + d for b in BOUNDS for d in (-1, 0, 1, 5)]
    return sorted(set(r.sample(near, min(len(near), 5)) + r.sample(bounds, 3)))


def mix(g, names, depth=None):
    """A 32-bit unsigned value of the ids (names are uint), which wraps around."""
    r = g.r
    depth = r.choice([1, 1, 1, 1, 2, 3]) if depth is None else depth
    a = r.choice(names) if depth <= 1 else mix(g, names, depth - 1)
    b = r.choice(names)
    c, d = number(g), number(g)
    form = g.pick("({a} * {c}u)", "({a} * {c}u)", "({a} + {c}u)", "({a} - {c}u)", "({c}u - {a})", "({a} << {k})",
                  "({a} * {b})", "(({a} + {c}u) * ({b} + {d}u))", "({a} ^ ({b} >> {k}))",
                  "(({a} ^ {a} >> {k}) * {c}u)", "rotate({a}, {k}u)", "mul_hi({a}, {c}u)", "({a} + {b} * {c}u)",
                  "~{a}", "({a} * {c}u + {d}u)", "(-{a})")
    if form.count("{a}") > 1 and len(a) > 60:
        form = "({a} * {c}u)"
    return form.format(a=a, b=b, c=c, d=d, k=r.randint(1, 31))


def cast(g, text):
    """(text of the value in another type, the type)"""
    if g.r.random() < 0.35:
        return f"(int){text}", "int"
    t, form = g.pick(("short", "(short){t}"), ("ushort", "(ushort){t}"),
                     ("char", "(char){t}"), ("uchar", "(uchar){t}"), ("uint", "{t}"), ("uint", "(uint)(ushort){t}"),
                     ("int", "(int)(short){t}"), ("ulong", "((ulong){t} + 1ul)"), ("long", "(long)(int){t}"),
                     ("long", "((long){t} - 70000)"), ("ulong", "((ulong){t} << {k})"), ("uint", "(uint)((ulong){t} * {c}ul >> {k})"))
    return form.format(t=text, k=g.r.randint(1, 31), c=number(g)), t


def decided(g, value, t):
    """A condition on a value of that type."""
    r = g.r
    signed = t in ("int", "long", "short", "char")
    if signed and r.random() < 0.6:
        return f"{value} {g.pick('<', '>=', '>', '<=')} 0"
    c = number(g) % {"char": 100, "uchar": 255, "short": 32000, "ushort": 65000, "int": 1 << 31}.get(t, 1 << 32)
    return f"{value} {g.pick('<', '>', '<=', '>=', '==', '!=')} {c}{'' if signed else 'u'}"


def reduced(g, value, t):
    """An integer made from the value without overflow."""
    r = g.r
    u = "" if t in ("int", "long", "short", "char") else "u"
    k = g.pick(2, 3, 7, 10, 16, 255, 1000)
    forms = ["{v} / {k}{u}", "{v} % {k}{u}", "{v} >> {s}", "{v} & {m}", "({v} ^ {m})"]
    if t in ("int", "uint"):
        forms += [f"max({{v}}, ({t}){k})", f"min({{v}}, ({t}){k})", f"clamp({{v}}, ({t}){k // 2}, ({t}){k * 9})", "abs({v})"]
    return "(" + g.pick(*forms).format(v=value, k=k, u=u, s=r.randint(1, 7), m=g.pick(1, 15, 255, 4095)) + ")"


def ids(g):
    """The kernel's id and its copy in 32 bits: (lines, name of the uint)"""
    if g.r.random() < 0.5:
        return ["  uint i = get_global_id(0);"], "i"
    if g.r.random() < 0.2:
        return ["  uint i = get_global_id(0);", f"  {g.pick('ushort', 'ushort', 'uchar')} q = i;", "  uint u = q;"], "u"
    t = g.pick("int", "size_t")
    return [f"  {t} i = get_global_id(0);", "  uint u = (uint)i;"], "u"


def operand(g, inp, index="i"):
    return f"(uint){inp[0]}[{index}]"


def inputs(g, params, args, count="n"):
    inp = g.add_input(g.pick(*DATA))
    g.in_param(inp, params, args, count)
    return inp


def stored(g, text, t):
    return f"({t})({text})"


def done(g, kind, params, args, lines, inner, more=(), glob=None, local=None, extra=None):
    """The end of a kernel over n work-items; extra: values of further variables, [listed, others]."""
    r = g.r
    small = [{"n": v} for v in (1037, 256, 67, 17, 5, 1)]
    large = [{"n": v} for v in more or further(g)]
    for name, (listed, others) in (extra or {}).items():
        for s in small:
            s[name] = r.choice(listed)
        large = [{**s, name: r.choice(listed)} for s in large] + [{**s, name: v} for s in small[:2] for v in others]
    require = None
    if local:
        up = lambda v: -(-v // local) * local
        small = [{"n": local * k} for k in (9, 2, 1)]
        large = [{**s, "n": up(s["n"])} for s in large]
        require = [f"n % {local} == 0"]
    else:
        params.append(g.pick("int n", "uint n"))
        args.append('{ name: n, value: "n" }')
        if r.random() < 0.75:
            inner = g.guard("i < n", inner)
            glob = "roundup(n, 16)"
    offset = [str(r.choice([1, 3, 8]))] if not local and glob and r.random() < 0.08 else None
    if offset:
        glob = f"roundup(n, 16) - {offset[0]}"
    k = g.finish(kind, f"{kind}{g.seed}", params, lines + inner, args, [glob or "n"], small, [str(local)] if local else None,
                 "\n".join(g.macros) + ("\n" if g.macros else ""), offset, require)
    k.further = large
    return k


def wrapped(g):
    """Values, conditions and indices made from ids that wrap around."""
    r = g.r
    params, args = [], []
    lines, u = ids(g)
    a = inputs(g, params, args, "n + 1024")
    value, t = cast(g, mix(g, [u]))
    out_t = g.pick(*DATA, *(("long", "ulong") * 3 if t in ("long", "ulong") else ()))
    inner = [f"  uint h = {mix(g, [u])};", f"  {t} v = {value};"]
    c, k = number(g), r.randint(1, 31)
    index = g.pick("i", "i", "i", "h & 1023", "h >> 22", "h % (uint)n", f"({u} - {number(g)}u) % (uint)n",
                   f"({u} * {c}u) / {c}u", f"({u} * {c}u) % 1024u", f"({u} << {k}) >> {k}", f"({u} + {c}u) - {c}u",
                   f"{u} & ~3u", f"{u} | 3u", f"{u} ^ 5u", f"{u} / {c}u * {c}u", f"({u} + {c}u) % {c}u % (uint)n",
                   f"min({u} - 1u, (uint)n - 1u)", f"(ushort){u}", f"(uchar){u}",
                   f"({u} + {number(g)}u < (uint)n ? {u} : 0u)")
    x, y = operand(g, a, index), operand(g, a)
    form = g.pick("select", "select", "branch", "sum", "store", "reduce", "return", "bound")
    if form == "select":
        inner.append(f"  out[i] = {stored(g, f'{decided(g, chr(118), t)} ? {x} : {g.pick(255, 77)}u - {y}', out_t)};")
    elif form == "branch":
        inner += [f"  uint s = {x};", f"  if ({decided(g, 'v', t)})", f"    s = s * 3u + {y};", "  else", f"    s ^= (uint)v;",
                  f"  out[i] = {stored(g, 's', out_t)};"]
    elif form == "sum":
        wide = "ulong" if out_t in ("long", "ulong") else "uint"
        inner.append(f"  out[i] = {stored(g, f'{x} * 5u + ({wide})v', out_t)};")
    elif form == "return":
        inner += [f"  if ({decided(g, 'v', t)})", "    return;", f"  out[i] = {stored(g, x, out_t)};"]
    elif form == "bound":
        bound = g.pick("max(v, ({t})0)", "min(v, ({t})100)", "clamp(v, ({t})0, ({t})100)", "(v < 0 ? ({t})0 : v)", "(v > 99 ? ({t})99 : v)",
                       "abs(v)")
        inner.append(f"  out[i] = {stored(g, f'{x} + (uint)' + bound.format(t=t), out_t)};")
    elif form == "store":
        inner += [f"  if ({decided(g, 'v', t)})", f"    out[i] = {stored(g, x, out_t)};"]
    else:
        inner.append(f"  out[i] = {stored(g, f'{x} + (uint)' + reduced(g, 'v', t), out_t)};")
    g.out_param("out", out_t, params, args, "n", "inout" if form in ("store", "return") else "out")
    return done(g, "wrapped", params, args, lines, inner)


def casts(g):
    """Chains of casts between widths and signs, over data and over ids."""
    r = g.r
    params, args = [], []
    lines, u = ids(g)
    a, b = inputs(g, params, args), inputs(g, params, args)
    text = g.pick(operand(g, a), f"({operand(g, a)} + {u})", f"({operand(g, a)} * {operand(g, b)})", f"({operand(g, a)} - {operand(g, b)} * {u})")
    inner = [f"  uint c0 = {text};"]
    last, t = "c0", "uint"
    for k in range(1, r.randint(2, 4)):
        value, t = cast(g, f"(uint){last}" if r.random() < 0.5 else f"({'ulong' if t in ('long', 'ulong') else 'uint'}){last}")
        inner.append(f"  {t} c{k} = {value};")
        last = f"c{k}"
    out_t = g.pick(*DATA, "long", "ulong", "float")
    end = g.pick(last, reduced(g, last, t), f"{decided(g, last, t)} ? (uint){last} : c0")
    inner.append(f"  out[i] = {stored(g, end, out_t)};")
    g.out_param("out", out_t, params, args, "n")
    return done(g, "casts", params, args, lines, inner)


def amounts(g):
    """Shifts and divisions by scalars, amounts beyond the width included."""
    r = g.r
    params, args = [], []
    lines, u = ids(g)
    a = inputs(g, params, args, "n + 1")
    wide = r.random() < 0.2
    kind = g.pick("shift", "shift", "left", "divide", "both")
    name = "s" if kind in ("shift", "left") else "d"
    params.append(f"{g.pick('int', 'uint')} {name}")
    args.append(f'{{ name: {name}, value: "{name}" }}')
    id_ = f"((ulong){u})" if wide else u
    one = "ul" if wide else "u"
    by = f"(uint){name}" if name == "s" else f"({'ulong' if wide else 'uint'}){name}"
    if kind == "shift":
        index = g.pick(f"{id_} >> {name}", f"{id_} >> ({name} + 1)", f"({id_} >> {name} << {name})" if r.random() < 0.5 else f"{id_} >> {name}")
    elif kind == "left":
        index = g.pick(f"({id_} << {name}) % (uint)n", f"({id_} << {name} >> {name}) % (uint)n", f"({id_} * (1{one} << {name})) % (uint)n")
    elif kind == "divide":
        index = g.pick(f"{id_} / {by}", f"{id_} % {by}", f"{id_} / {by} * {by}", f"{id_} - {id_} % {by}")
    else:
        index = f"({id_} / {by} + {id_} % {by}) % (uint)n"
    out_t = g.pick(*DATA)
    more = g.pick("", f" + ((uint){a[0]}[i] >> {name})", f" ^ ({u} / {by})" if name == "d" else f" ^ ({u} << {name})",
                  f" + (uint)((int){u} >> {name})" if name == "s" else f" + {u} % {by}")
    inner = [f"  out[i] = {stored(g, operand(g, a, index) + more, out_t)};"]
    if r.random() < 0.3:
        inner = [f"  if (({index}) {g.pick('<', '>=')} {number(g) % 1000})", "  " + inner[0]]
    g.out_param("out", out_t, params, args, "n", "inout")
    if name == "s":
        extra = {"s": ([0, 1, 2, 3, 4, 5, 8], [31, 32, 33, 36, 63, 64, 68, 255])}
    else:
        extra = {"d": ([1, 2, 3, 5, 8, 16, 100], [7, 9, 17, 255, 256, 65535, 65537, (1 << 31) - 1])}
    return done(g, "amounts", params, args, lines, inner, extra=extra)


def returns(g):
    """Early returns that ids and data decide."""
    r = g.r
    params, args = [], []
    lines, u = ids(g)
    a = inputs(g, params, args)
    out_t = g.pick(*DATA)
    inner = []
    for k in range(r.randint(1, 3)):
        value, t = cast(g, mix(g, [u]))
        condition = decided(g, value, t) if r.random() < 0.7 else decided(g, operand(g, a), "uint")
        inner += [f"  if ({condition})", "    return;"]
        if r.random() < 0.5:
            inner.append(f"  out[{g.pick('i', 'i', 'n + i')}] = {stored(g, operand(g, a) + f' * {k + 3}u', out_t)};")
    inner.append(f"  out[i] = {stored(g, g.pick(operand(g, a), u, f'{operand(g, a)} ^ {mix(g, [u], 1)}'), out_t)};")
    g.out_param("out", out_t, params, args, "2 * n", "inout")
    return done(g, "returns", params, args, lines, inner)


def inplace(g):
    """Updates in place: one's own element, the other half, the partner in a pair that one item does."""
    r = g.r
    params, args = [], []
    lines, u = ids(g)
    t = g.pick(*DATA)
    form = g.pick("own", "half", "pair", "odd", "far")
    v = mix(g, [u])
    inner = {
        "own": [f"  a[i] = {stored(g, f'(uint)a[i] * 3u + {v}', t)};"] + ([f"  if ({decided(g, *cast(g, v))})", f"    a[i] = {stored(g, '(uint)a[i] + 1u', t)};"] if r.random() < 0.6 else []),
        "half": [f"  a[i] = {stored(g, f'(uint)a[i] - (uint)a[n + i] * {number(g)}u', t)};"],
        "pair": [f"  {t} x = a[2 * i];", f"  if (x {g.pick('>', '<')} a[2 * i + 1]) {{", "    a[2 * i] = a[2 * i + 1];", "    a[2 * i + 1] = x;", "  }"],
        "odd": ["  if (i & 1)", "    return;", f"  a[i] = {stored(g, f'(uint)a[i + 1] + {v}', t)};"],
        "far": [f"  a[i] = {stored(g, f'(uint)a[i] + (uint)a[n + (i >> 1)] + {v}', t)};"],
    }[form]
    params.append(f"__global {t} *a")
    args.append('{ name: a, buffer: inout, count: "2 * n + 2" }')
    return done(g, "inplace", params, args, lines, inner)


MACROS = [
    ("clamp", "#define clamp(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))", "clamp({x}, 10u, 200u)"),
    ("clamp", "#define clamp(x, hi) ((x) > (hi) ? (hi) : (x))", "clamp({x}, 200u)"),
    ("min", "#define min(a, b) ((a) < (b) ? (a) : (b))", "min({x}, {y})"),
    ("min", "#define min(a, b) ((a) + (b))", "min({x}, {y})"),
    ("max", "#define max(a, b) ((a) > (b) ? (a) : (b))", "max({x}, {y})"),
    ("max", "#define max(a, b) ((b) ^ (a))", "max({x}, {y})"),
    ("abs", "#define abs(x) ((x) < 0 ? -(x) : (x))", "abs((int)({x} & 65535u) - 300)"),
    ("abs", "#define abs(x) ((x) >> 1)", "abs({x})"),
    ("abs_diff", "#define abs_diff(x, y) ((x) - (y))", "abs_diff({x}, {y})"),
    ("select", "#define select(a, b, c) ((c) ? (a) : (b))", "select({x}, {y}, {x} > {y})"),
    ("mad", "#define mad(a, b, c) ((a) + (b) * (c))", "mad({x}, {y}, 3u)"),
    ("convert_uchar_sat", "#define convert_uchar_sat(x) ((uchar)(x))", "convert_uchar_sat({x})"),
    ("vload4", "#define vload4(o, p) (p)[o]", "vload4(i, {a})"),
    ("rotate", "#define rotate(x, k) ((x) << (k))", "rotate({x}, 3u)"),
    ("uchar", "#define uchar unsigned char", "(uchar)({x})"),
    ("ushort", "#define ushort unsigned int", "(ushort)({x})"),
    ("short", "#define short int", "(short)({x})"),
    ("int4", "#define int4 int", "(int4)({x})"),
    ("vec", "#define vec(x) ((x) * 2u)", "vec({x})"),
    ("convert_uint", "#define convert_uint(x) ((x) / 2u)", "convert_uint({x})"),
]


def macros(g):
    """Macros with the names of built-ins and types, beside code that a rewrite prints with the built-in."""
    r = g.r
    params, args = [], []
    lines, _ = ids(g)
    t = g.pick("uchar", "ushort", "uint", "short", "int")
    chosen = []
    for name, define, use in r.sample(MACROS, r.randint(1, 3)):
        if name not in [c[0] for c in chosen]:
            chosen.append((name, define, use))
    a, b = g.add_input(t), g.add_input(t)
    g.in_param(a, params, args, "n")
    g.in_param(b, params, args, "n")
    inner = [f"  uint x = (uint){a[0]}[i];", f"  uint y = (uint){b[0]}[i];"]
    text = " + ".join("(uint)" + c[2].format(x="x", y="y", a=a[0]) for c in chosen)
    inner.append(f"  uint s = {text};")
    # What the rewriter writes as clamp, min, max or abs.
    inner += g.pick(["  s = s < 20u ? 20u : s > 240u ? 240u : s;"], ["  if (s > 255u)", "    s = 255u;"],
                    ["  s = x > y ? x - y : y - x;"], ["  s = s < y ? s : y;"], ["  int q = (int)(x & 511u) - 200;", "  s += q < 0 ? -q : q;"], [])
    out_t = g.pick("uchar", "ushort", "uint", "int")
    inner.append(f"  out[i] = {stored(g, 's', out_t)};")
    g.out_param("out", out_t, params, args, "n")
    g.macros = [c[1] for c in chosen]
    return done(g, "macros", params, args, lines, inner, more=[4097])


def fences(g):
    """Steps over global memory within a group, with global fences."""
    r = g.r
    params, args = [], []
    L = r.choice([4, 8, 16, 32])
    t = g.pick("uchar", "short", "int", "uint")
    local_too = r.random() < 0.4
    fence = g.pick("CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE")
    bar = f"  barrier({fence});"
    lines = ["  int i = get_global_id(0), l = get_local_id(0);", f"  int first = get_group_id(0) * {L};"]
    partner = g.pick("i ^ 1", f"first + {L - 1} - l", f"first + (l + 1) % {L}", f"first + (l ^ {L // 2})", "first", "i")
    inner = []
    if local_too:
        inner += [f"  __local {t} t[{L}];", "  t[l] = a[i];", bar if "LOCAL" in bar else "  barrier(CLK_LOCAL_MEM_FENCE);"]
    for k in range(r.randint(1, 3)):
        inner += [f"  uint x{k} = (uint)a[{partner}];", bar]
        change = f"  a[i] = {stored(g, f'x{k} * {g.pick(3, 5)}u + (uint)a[i]' + (f' + (uint)t[{L - 1} - l]' if local_too else ''), t)};"
        inner.append(change)
        if r.random() < 0.3:
            inner.append(f"  a[i] = {stored(g, '(uint)a[i] ^ 5u', t)};")
        inner.append(bar)
    if r.random() < 0.4:
        # Each element is written by one of the two partners: flags say by which.
        params.append("__global const uchar *f")
        args.append('{ name: f, buffer: in, count: "n" }')
        inner += ["  uint x = (uint)a[i ^ 1], y = (uint)a[i];", f"  out[i] = {stored(g, 'x * 7u + y', t)};", bar,
                  "  if (f[i] & 1)", f"    a[i ^ 1] = {stored(g, 'x + 1u', t)};",
                  "  if (!(f[i ^ 1] & 1))", f"    a[i] = {stored(g, 'y + 2u', t)};"]
    else:
        inner.append(f"  out[i] = {stored(g, f'(uint)a[{partner}] + (uint)a[i]', t)};")
    params.append(f"__global {t} *a")
    args.append('{ name: a, buffer: inout, count: "n" }')
    g.out_param("out", t, params, args, "n")
    return done(g, "fences", params, args, lines, inner, more=[4096 + L], local=L)


def rows(g):
    """Rows and columns with wrapped coordinates."""
    r = g.r
    params, args = [], []
    a = inputs(g, params, args, "w * h")
    t = g.pick("uint", "uint", "int")
    lines = [f"  {t} x = get_global_id(0), y = get_global_id(1);"]
    near = {"uint": ["(x + {c}u) % w", "(x - {c}u) % w", "(x == 0u ? w - 1u : x - 1u)", "min(x + {k}u, w - 1u)", "min(x - {k}u, w - 1u)", "(x * {c}u) % w", "x"],
            "int": ["(x + {k}) % w", "(x + w - 1) % w", "(x == 0 ? w - 1 : x - 1)", "(x >= {k} ? x - {k} : x)", "min(x + {k}, w - 1)", "x"]}[t]
    at = lambda text, v, e: text.format(c=number(g), k=r.randint(1, 20)).replace("x", v).replace("w", e)
    inner = ["  uint s = 0;"]
    for _ in range(r.randint(1, 4)):
        cx, cy = at(g.pick(*near), "x", "w"), at(g.pick(*near, near[-1], near[-1]), "y", "h")
        inner.append(f"  s = s * 3u + {operand(g, a, f'({cy}) * w + {cx}')};")
    if r.random() < 0.5:
        v, vt = cast(g, mix(g, ["(uint)x", "(uint)y"]))
        inner.append(f"  s = {decided(g, v, vt)} ? s : s + 1u;")
    out_t = g.pick(*DATA)
    inner.append(f"  out[y * w + x] = {stored(g, 's', out_t)};")
    inner = g.guard("x < w && y < h", inner)
    g.out_param("out", out_t, params, args, "w * h")
    for v in "wh":
        params.append(f"{t} {v}")
        args.append(f'{{ name: {v}, value: "{v}" }}')
    k = g.finish("rows", f"rows{g.seed}", params, lines + inner, args, ["roundup(w, 16)", "roundup(h, 4)"],
                 [dict(w=67, h=19), dict(w=64, h=8), dict(w=9, h=11), dict(w=17, h=1)])
    large = further(g)
    k.further = ([dict(w=v, h=1) for v in r.sample(large, min(2, len(large)))] + [dict(w=3, h=v // 3 + 1) for v in r.sample(large, 2)]
                 + [dict(w=w, h=h) for w, h in ((1, 70), (2, 33), (3, 5), (5, 1), (7, 40), (16, 257), (255, 129), (257, 255))])
    return k


def counters(g):
    """Loops with unsigned counters that pass zero or the end of their type."""
    r = g.r
    params, args = [], []
    lines, u = ids(g)
    a = inputs(g, params, args, "n + 64")
    taps = r.choice([2, 3, 4, 5, 8])
    m = f"(uint)n"
    head, index = g.pick(
        (f"for (uint k = {u} - {taps}u; k != {u} + {taps}u; ++k)", f"k % {m}"),
        (f"for (uint k = {u} - {taps}u; k < {u}; ++k)", f"k % {m}"),
        (f"for (uint k = {taps}u; k-- > 0u;)", f"min({u} + k, {m} - 1u)"),
        (f"for (uint k = min({u}, {taps}u); k > 0u; --k)", f"{u} - k"),
        (f"for (uchar k = 0; k < {taps}; ++k)", f"{u} + k"),
        (f"for (ushort k = (ushort){u}; k < (ushort)({u} + {taps}u); ++k)", "k"),
        (f"for (uchar k = (uchar){u}; k != (uchar)({u} + {taps}u); ++k)", f"min((uint)k, {m})"),
        (f"for (uint k = 0; k < {u} % {taps + 1}u; ++k)", f"{u} - k"),
        (f"for (uint k = {m} - 1u; k >= {m} - {taps}u && k < {m}; --k)", "k"),
        (f"for (uint k = {u}; k < {m}; k += {max(number(g) % 100000, 600)}u)", "k"),
        (f"for (uint k = {u} << {r.choice([4, 12, 20, 28])}, e = k + {taps}u; k < e; ++k)", f"k % {m}"))
    inner = ["  uint s = 0;", f"  {head}", f"    s = s * 3u + {operand(g, a, index)};"]
    if r.random() < 0.4:
        v, t = cast(g, mix(g, [u]))
        inner.append(f"  if ({decided(g, v, t)})\n    s = ~s;")
    out_t = g.pick(*DATA)
    inner.append(f"  out[i] = {stored(g, 's', out_t)};")
    g.out_param("out", out_t, params, args, "n")
    return done(g, "counters", params, args, lines, inner)


def pairs(g):
    """Two ids in one value: sums, products and hashes of both."""
    r = g.r
    params, args = [], []
    lines = ["  uint x = get_global_id(0), y = get_global_id(1);"]
    a = inputs(g, params, args, "w * h")
    out_t = g.pick(*DATA)
    v, t = cast(g, mix(g, ["x", "y", f"(x + y * {number(g)}u)", "(x * y)", "(y * w + x)"]))
    x = operand(g, a, "y * w + x")
    inner = [f"  {t} v = {v};", f"  out[y * w + x] = {stored(g, g.pick(f'{decided(g, chr(118), t)} ? {x} : 7u', f'{x} + (uint)v', f'{x} ^ (uint){reduced(g, chr(118), t)}'), out_t)};"]
    if r.random() < 0.6:
        inner = g.guard("x < w && y < h", inner)
    g.out_param("out", out_t, params, args, "w * h")
    for n in "wh":
        params.append(f"uint {n}")
        args.append(f'{{ name: {n}, value: "{n}" }}')
    k = g.finish("pairs", f"pairs{g.seed}", params, lines + inner, args, ["w", "h"],
                 [dict(w=67, h=19), dict(w=64, h=8), dict(w=9, h=11), dict(w=17, h=1)])
    large = further(g)
    k.further = ([dict(w=v, h=1) for v in r.sample(large, min(3, len(large)))] + [dict(w=2, h=v // 2 + 1) for v in r.sample(large, 2)]
                 + [dict(w=257, h=255), dict(w=1, h=65), dict(w=4098, h=17), dict(w=17, h=4098)])
    return k


def contracted(g):
    """Products and sums that the compiler may contract, in loops and beside casts."""
    r = g.r
    params, args = [], []
    taps = r.choice([2, 3, 4, 7, 8])
    args.append(f'{{ name: a, buffer: in, count: "n * {taps} + 1", data: {{ uniform: [-4, 4] }} }}')
    params.append("__global const float *a")
    for name in "xy":
        params.append(f"float {name}")
        args.append(f'{{ name: {name}, value: "{g.pick("1.7", "-0.3", "0.1", "3.25")}" }}')
    at = g.pick(f"i * {taps} + k", f"k * n + i")
    term = g.pick("a[{at}] + x * y", "a[{at}] * x + y", "a[{at}] * x", "x - a[{at}] * y", "a[{at}] * a[i] + x * y").format(at=at)
    to_int = r.random() < 0.5
    t = "int" if to_int else "float"
    step = g.pick("s += {v};", "s = s + {v};", "s = {v} + s;") if to_int else g.pick("s += {v};", "s = s * x + {v};", "s = fma(x, {v}, s);", "s = {v} - s * y;")
    value = f"convert_int_sat({term})" if to_int else f"({term})" if r.random() < 0.5 else term
    if to_int:
        value = f"({value} & 65535)"
    inner = [f"  {t} s = 0;", f"  for (int k = 0; k < {taps}; ++k)", "    " + step.format(v=value)]
    if r.random() < 0.4:
        inner[2:] = ["  {", f"    float q = {term};", "    " + step.format(v="(convert_int_sat(q) & 65535)" if to_int else "q"), "  }"]
    inner.append("  out[i] = s;")
    g.out_param("out", t, params, args, "n")
    return done(g, "contracted", params, args, ["  int i = get_global_id(0);"], inner, more=[4097])


def vectors(g):
    """Vectors of the source: shifts by vectors, rotations, selections, conversions between signs."""
    r = g.r
    params, args = [], []
    s, n = g.pick("uchar", "char", "ushort", "short", "uint", "int"), r.choice([2, 4, 8])
    u = s if s.startswith("u") else "u" + s
    for name in "ab":
        params.append(f"__global const {s}{n} *{name}")
        args.append(f'{{ name: {name}, buffer: in, count: "n" }}')
    lines = ["  int i = get_global_id(0);", f"  {u}{n} x = as_{u}{n}(a[i]), y = as_{u}{n}(b[i]);"]
    k = g.pick(1, 3, 7, 9, 31)
    form = g.pick("x << y", "x >> y", f"x << ({u}{n})({k})", "rotate(x, y)", "select(x, y, x > y)", "x * y + x", "max(x, y) - min(x, y)",
                  f"as_{u}{n}(a[i] >> as_{s}{n}(y))", f"as_{u}{n}(x > y) ^ y", "mul_hi(x, y)", "hadd(x, y)", "add_sat(x, y)", "clz(x)", "abs_diff(x, y)")
    lines += [f"  {u}{n} z = {form};"] + ([f"  z = z ^ ({u}{n})({g.pick('x.s0', 'y.s1', k)});"] if r.random() < 0.5 else [])
    if r.random() < 0.5:
        params.append(f"__global {u}{n} *out")
        inner = ["  out[i] = z;"]
        args.append('{ name: out, buffer: out, count: "n" }')
    else:
        g.out_param("out", u, params, args, "n")
        inner = ["  out[i] = " + " + ".join(f"z.s{q}" for q in range(n)) + ";"]
    return done(g, "vectors", params, args, lines, inner, more=[4097])


FAMILIES = [contracted, vectors, wrapped, wrapped, wrapped, casts, amounts, amounts, returns, inplace, macros, fences, rows, counters, pairs]
