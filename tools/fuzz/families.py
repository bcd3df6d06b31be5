"""More classes of random kernels: control flow, helpers, private arrays, structures, vectors in the source,
pointers, work-groups, tiles, windows with borders, steps over local memory, aliased buffers, gathers.

Like the kernels of generate.py they have no undefined behaviour and no race, so all builds must give the same
bits. Unlike those, some may rightly be refused (a loop with an early exit, group ids in values), so refusals
are not counted against the rewriter: the requirement is that no rewrite that it proposes is wrong.

Each function takes a generate.Gen and returns a Kernel; FAMILIES lists the functions.
"""

SIZES = [{"n": 1037}, {"n": 256}, {"n": 67}, {"n": 17}, {"n": 5}, {"n": 1}]
TYPE = {"f": "float", "d": "double", "u": "uint", "U": "ulong", "i": "int"}


def to(g, e, t):
    """The expression as a value of type t (any integer may be stored in a narrower one)."""
    return g.convert(e, {"float": "f", "double": "d", "uint": "u", "ulong": "U"}.get(t, "i"))[0]


def wide(g, e):
    """(text, domain) that can be summed without overflow: unsigned or floating point."""
    return e if e[1] in "fd" else g.convert(e, "u") if e[1] != "U" else e


def plain(g, *types):
    return g.add_input(g.pick(*(types or ("char", "uchar", "short", "ushort", "int", "uint", "float"))))


def close(g, kind, params, args, lines, inner, guard=True, glob="n", local=None, sizes=None, head="", offset=None, require=None, shared=False):
    """The usual end of a kernel: optional guard, all inputs as parameters."""
    if guard:
        params.append(g.pick("int n", "uint n", "const int n"))
        args.append('{ name: n, value: "n" }')
        inner = g.guard("i < n", inner)
        glob = f"roundup(n, {local[0] if local else 16})"
    return g.finish(kind, f"{kind}{g.seed}", params, lines + inner, args, [glob], sizes or SIZES, local, head, offset, require)


def control(g):
    r = g.r
    params, args = [], []
    inp = plain(g, "uchar", "short", "int", "uint", "float")
    other = plain(g, "char", "ushort", "int", "float")
    reach = 8
    g.in_param(inp, params, args, f"n + {reach + 24}")
    g.in_param(other, params, args, f"n + {reach + 24}")
    acc_d = g.pick("u", "u", "f")
    a, b = g.load(inp, "i + j"), g.load(other, "i")
    step = g.expr([g.convert(a, acc_d), ("acc", acc_d, None, None), g.convert(b, acc_d)], acc_d, 2)[0]
    whole = g.load(inp, "i")
    small = f"({g.convert(whole, 'u')[0]} & 7)" if whole[1] != "f" else f"(convert_uint_sat(fabs({whole[0]})) & 7)"
    m = g.r.randint(0, 8)
    bound = g.pick("8", "5", "1", "m", "m", f"(int){small}", "(int)(i & 3) + 1", "m - 1")
    loop = g.pick("for (int j = 0; j < {b}; j++) {{", "for (int j = 0; j < {b}; j += 2) {{", "for (int j = {b} - 1; j >= 0; --j) {{",
                  "int j = -1;\nwhile (++j < {b}) {{").format(b=bound).split("\n")
    cond = lambda: g.condition([a, b, ("acc", acc_d, None, None), ("j", "i", 0, 8)], 1)
    body = [f"  acc = {step};"]
    for _ in range(r.randint(0, 2)):
        extra = g.pick([f"  if {cond()}", "    break;"], [f"  if {cond()}", "    continue;"] if "while" not in loop[-1] else [],
                       [f"  if {cond()}", f"    acc += {g.convert(b, acc_d)[0]};", "  else", f"    acc = {step};"],
                       [f"  acc = {cond()} ? acc : {g.convert(a, acc_d)[0]};"],
                       ["  for (int q = 0; q < j; q++)", f"    acc += {g.convert(g.load(inp, 'i + q'), acc_d)[0]};"])
        body = extra + body if r.random() < 0.5 else body + extra
    inner = [f"{TYPE[acc_d]} acc = {g.convert(whole, acc_d)[0]};"] + loop + body + ["}"]
    if r.random() < 0.3:
        t = g.pick("acc & 3u", "acc >> 30") if acc_d == "u" else f"{small} & 3"
        inner += [f"switch ({t}) {{", "case 0:", f"  acc += {g.convert(b, acc_d)[0]};", "  break;", "case 2:", "case 3:", f"  acc = acc * 3{'u' if acc_d == 'u' else '.0f'};", "  break;",
                  "default:", "  acc = 1;", "}"]
    if r.random() < 0.3:
        inner += [f"if {g.condition([b, ('acc', acc_d, None, None)], 1)}", "  return;"]
    out_t = g.store_type()
    inner.append(f"out[i] = {to(g, ('acc', acc_d, None, None), out_t)};")
    params.append("int m")
    args.append(f'{{ name: m, value: "{m}" }}')
    g.out_param("out", out_t, params, args, "n", "inout")
    line = f"  {g.pick('int', 'int', 'size_t')} i = get_global_id(0);"
    return close(g, "control", params, args, [line], ["  " + l for l in inner], guard=r.random() < 0.8)


def helpers(g):
    r = g.r
    params, args = [], []
    a, b = plain(g, "uchar", "short", "int", "float"), plain(g, "char", "ushort", "float")
    for x in (a, b):
        g.in_param(x, params, args, "n + 3")
    t = g.pick("float", "uint", "int")
    d = {"float": "f", "uint": "u", "int": "i"}[t]
    lim = (-(1 << 14), 1 << 14) if d == "i" else (None, None)
    x, y = ("x", d, *lim), ("y", d, *lim)
    narrow = lambda e: f"clamp((int){g.convert(e, 'i')[0]}, -16384, 16384)" if d == "i" else g.convert(e, d)[0]
    one, two = g.expr([x, y], d, 2), g.expr([x, y], d, 2)
    form = g.pick("returns", "out", "loop", "pure")
    if form == "returns":
        head = f"{t} f({t} x, {t} y) {{\n  if {g.condition([x, y], 1)}\n    return {one[0]};\n  if {g.condition([x, y], 1)} {{\n    x = y;\n    return x;\n  }}\n  return {two[0]};\n}}\n"
    elif form == "out":
        head = f"void f({t} x, {t} y, {t} *r) {{\n  *r = {one[0]};\n  if {g.condition([x, y], 1)}\n    *r = {two[0]};\n}}\n"
    elif form == "loop":
        acc = "u" if d != "f" else "f"
        head = (f"{t} f({t} x, {t} y) {{\n  {TYPE[acc]} s = {g.convert(x, acc)[0]};\n  for (int k = 0; k < {r.randint(1, 5)}; ++k) {{\n    s = s * {'3u' if acc == 'u' else '0.5f'} + {g.convert(y, acc)[0]};\n"
                + (f"    if {g.condition([x, ('s', acc, None, None)], 1)}\n      {g.pick('break', 'continue')};\n" if r.random() < 0.4 else "") + f"  }}\n  return {'(int)(s & 4095u)' if d == 'i' else 's'};\n}}\n")
    else:
        head = f"{g.pick('inline ', 'static ', '')}{t} f(const {t} x, {t} y) {{ return {one[0]}; }}\n".replace("inline ", "")
    pa, pb = narrow(g.load(a, "i + 1")), narrow(g.load(b, "i"))
    call = lambda p, q: f"f({p}, {q})"
    inner = []
    if form == "out":
        inner += [f"  {t} u, v;", f"  f({pa}, {pb}, &u);", f"  f({pb}, {narrow(('u', d, *((-(1 << 31), (1 << 31) - 1) if d == 'i' else (None, None))))}, &v);"]
        res = [("u", d, *lim), ("v", d, *lim)]
    else:
        inner += [f"  {t} u = {call(pa, pb)};", f"  {t} v = {call(pb, pb)};"]
        res = [("u", d, *lim), ("v", d, *lim)]
    out_t = g.store_type()
    e = f"(uint)u + 3u * (uint)v" if d == "i" else g.expr(res, d, 2)[0]
    inner.append(f"  out[i] = {to(g, (e, 'u' if d == 'i' else d, None, None), out_t)};")
    g.out_param("out", out_t, params, args, "n")
    return close(g, "helpers", params, args, ["  int i = get_global_id(0);"], inner, guard=r.random() < 0.7, head=head)


def arrays(g):
    r = g.r
    params, args = [], []
    a = plain(g, "uchar", "short", "int", "float")
    n = r.choice([3, 4, 5, 8])
    t = "float" if a[1] == "float" else g.pick("int", a[1])
    inner = [f"  {t} t[{n}];", f"  for (int k = 0; k < {n}; k++)", f"    t[k] = {g.load(a, f'{n} * i + k' if r.random() < .5 else 'i + k')[0]};"]
    steps = {
        "sort": [f"  for (int p = 0; p < {n} - 1; p++)", f"    for (int q = 0; q < {n} - 1 - p; q++)", "      if (t[q] > t[q + 1]) {",
                 f"        {t} x = t[q];", "        t[q] = t[q + 1];", "        t[q + 1] = x;", "      }"],
        "shift": [f"  for (int k = 0; k < {n - 1}; k++)", "    t[k] = t[k + 1];"],
        "back": [f"  for (int k = {n - 1}; k > 0; k--)", "    t[k] = t[k - 1];"],
        "mirror": [f"  for (int k = 0; k < {n // 2}; k++) {{", f"    {t} x = t[k];", f"    t[k] = t[{n - 1} - k];", f"    t[{n - 1} - k] = x;", "  }"],
        "some": [f"  if (t[0] > t[{n - 1}])", f"    t[{r.randint(0, n - 1)}] = 7;"],
        "least": [f"  for (int k = 1; k < {n}; k++)", "    if (t[k] < t[0])", "      t[0] = t[k];"],
    }
    for s in r.sample(sorted(steps), r.randint(1, 3)):
        inner += steps[s]
    acc = "f" if t == "float" else "u"
    dynamic = r.random() < 0.25
    pick = f"t[(uint)i % {n}u]" if dynamic else f"t[{r.randint(0, n - 1)}]"
    inner += [f"  {TYPE[acc]} s = 0;", f"  for (int k = 0; k < {n}; k++)", f"    s = s * {'3u' if acc == 'u' else '0.5f'} + {'(uint)' if acc == 'u' else ''}t[k];"]
    out_t = g.store_type()
    inner.append(f"  out[i] = {to(g, (f'(s + ({TYPE[acc]}){pick})', acc, None, None), out_t)};")
    g.in_param(a, params, args, f"{n} * n + {n}")
    g.out_param("out", out_t, params, args, "n")
    return close(g, "arrays", params, args, ["  int i = get_global_id(0);"], inner, guard=r.random() < 0.7)


def structs(g):
    r = g.r
    params, args = [], []
    same = r.random() < 0.5
    one = g.pick("float", "int", "uchar", "short")
    fields = [(f, one if same else g.pick("float", "int", "uchar", "short", "uint")) for f in "pqrs"[: r.randint(2, 4)]]
    head = "typedef struct {\n" + "".join(f"  {t} {f};\n" for f, t in fields) + "} S;\n"
    size = {"float": 4, "int": 4, "uint": 4, "short": 2, "uchar": 1}
    params.append("__global const S *in")
    args.append('{ name: in, buffer: in, count: "n + 1" }')
    clean = all(t != "float" for _, t in fields)  # any bytes are a valid value
    leaves = []
    for f, t in fields:
        for at in ("i", "i + 1") if r.random() < 0.4 else ("i",):
            text = f"in[{at}].{f}"
            leaves.append((f"(uint){text}", "u", None, None) if t in ("int", "uint") else g.value_of(t, text))
    if same and r.random() < 0.5 or not clean:
        # Structure outputs only if all NaNs count as equal.
        lines = []
        for f, t in fields:
            lines.append(f"  out[i].{f} = {to(g, g.expr(leaves, g.pick(*{l[1] for l in leaves}), 2), t)};")
        if all(t == one for _, t in fields):
            r.shuffle(lines)
            params.append("__global S *out")
            args.append('{ name: out, buffer: inout, count: "n" }')
            return close(g, "structs", params, args, ["  int i = get_global_id(0);"], lines, head=head)
    out_t = g.store_type()
    e = g.expr(leaves, g.pick(*{l[1] for l in leaves}), 3)
    g.out_param("out", out_t, params, args, "n")
    return close(g, "structs", params, args, ["  int i = get_global_id(0);"], [f"  out[i] = {to(g, e, out_t)};"], head=head)


def vectors(g):
    r = g.r
    params, args = [], []
    s = g.pick("uchar", "short", "int", "uint", "float")
    n = r.choice([2, 2, 3, 4, 4, 8])
    v = f"{s}{n}"
    names = "xyzw"[:n] if n <= 4 else [f"s{k}" for k in range(n)]
    by_vload = n == 3 or r.random() < 0.3
    read = (lambda at: f"vload{n}({at}, a)") if by_vload else (lambda at: f"a[{at}]")
    params.append(f"__global const {s if by_vload else v} *a")
    data = ", data: { uniform: [-4, 4] }" if s == "float" else ""
    args.append(f'{{ name: a, buffer: in, count: "{f"{n} * (n + 1)" if by_vload else "n + 1"}"{data} }}')
    lines = [f"  {v} x = {read('i')};", f"  {v} y = {read('i + 1')};"]
    swz = lambda: "".join(r.choice(names) for _ in range(n)) if n <= 4 else g.pick("s01234567", "s76543210", "s10325476")
    # Arithmetic in unsigned or floating-point lanes: no overflow.
    u = "float" if s == "float" else {"uchar": "uint", "short": "uint", "int": "uint", "uint": "uint"}[s]
    c = f"convert_{u}{n}"
    forms = [f"{c}(x) + {c}(y)", f"{c}(x) * {c}(y) - {c}(x)", f"{c}(x.{swz()})", f"max({c}(x), {c}(y))", f"{c}(x) * ({u}){g.pick(2, 3, 5)}"]
    if s == "float":
        forms += ["mad(x, y, x)" if False else "x * y + x", f"select(x, y, x > y)", "x < y ? x : y", "fabs(x) + floor(y)"]
    else:
        forms += [f"{c}(x > y ? x : y)", f"{c}(select(x, y, x == y))", f"{c}(x) >> ({u}{n})({g.pick(1, 3)})", f"{c}(-(x < y))"]
    lines.append(f"  {u}{n} z = {r.choice(forms)};")
    for _ in range(r.randint(0, 2)):
        lines.append(g.pick(f"  z.{r.choice(names)} = x.{r.choice(names)};", f"  z += {c}(y.{swz()});", f"  z = z - ({u}{n})(1);",
                            f"  if (x.{names[0]} > y.{names[0]})\n    z = z + z;"))
    lines = [l for x in lines for l in x.split("\n")]
    if r.random() < 0.5:
        out_t = g.store_type()
        parts = " + ".join(f"z.{c}" for c in names) if r.random() < 0.5 else f"z.{r.choice(names)}"
        lines.append(f"  out[i] = {to(g, (f'({parts})', 'f' if u == 'float' else 'u', None, None), out_t)};")
        g.out_param("out", out_t, params, args, "n")
    else:
        conv = "" if u == s else f"convert_{v}"
        if r.random() < 0.5 and not by_vload:
            lines.append(f"  out[i] = {conv}(z);")
            params.append(f"__global {v} *out")
            args.append('{ name: out, buffer: out, count: "n" }')
        else:
            lines.append(f"  vstore{n}({conv}(z), i, out);")
            g.out_param("out", s, params, args, f"{n} * n")
    return close(g, "vectors", params, args, ["  int i = get_global_id(0);"], lines, guard=r.random() < 0.6)


def pointers(g):
    r = g.r
    params, args = [], []
    form = g.pick("walk", "view", "stride", "offset", "end", "write")
    out_t = g.store_type()
    if form == "view":
        small, big, k = g.pick(("uchar", "uint", 4), ("ushort", "uint", 2), ("uchar", "ushort", 2))
        if r.random() < 0.5:
            params.append(f"__global const {big} *a")
            args.append('{ name: a, buffer: in, count: "n" }')
            inner = [f"  __global const {small} *p = (__global const {small} *)a;"]
            e = " + ".join(f"{q + 3}u * p[{k} * i + {q}]" for q in range(k))
        else:
            params.append(f"__global const {small} *a")
            args.append(f'{{ name: a, buffer: in, count: "{k} * n" }}')
            inner = []
            e = f"((__global const {big} *)a)[i] * 5u + a[{k} * i + {k - 1}]"
        inner.append(f"  out[i] = {to(g, (f'({e})', 'u', None, None), out_t)};")
        g.out_param("out", out_t, params, args, "n")
        return close(g, "pointers", params, args, ["  int i = get_global_id(0);"], inner)
    a = plain(g)
    acc = "f" if a[1] == "float" else "u"
    cast = "" if acc == "f" else "(uint)"
    taps = r.randint(2, 6)
    if form == "walk":
        inner = [f"  __global const {a[1]} *p = {a[0]} + {g.pick('i', 'i * 3')};", f"  {TYPE[acc]} s = 0;", f"  for (int k = 0; k < {taps}; k++)", f"    s = s * {'7u' if acc == 'u' else '0.5f'} + {cast}*p++;"]
    elif form == "end":
        inner = [f"  __global const {a[1]} *p = {a[0]} + i, *e = p + {taps};", f"  {TYPE[acc]} s = 1;", "  while (p != e)", f"    s = s * {'7u' if acc == 'u' else '0.5f'} + {cast}*p++;"]
    elif form == "stride":
        params.append("int inc")
        args.append(f'{{ name: inc, value: "{r.choice([0, 1, 1, 2, 3])}" }}')
        inner = [f"  {TYPE[acc]} s = {cast}{a[0]}[i * inc] - {cast}{a[0]}[i * inc + 1];"]
    else:
        params.append("int off")
        args.append(f'{{ name: off, value: "{r.choice([0, 1, 5])}" }}')
        inner = [f"  __global const {a[1]} *p = {a[0]} + off;", f"  {TYPE[acc]} s = {cast}p[i] * {'3u' if acc == 'u' else '2.5f'} + {cast}p[i + 2];"]
    value = to(g, ("s", acc, None, None), out_t)
    g.in_param(a, params, args, "3 * n + 16")
    if form == "write":
        inner += [f"  __global {out_t} *q = out + {taps} * i;", f"  for (int k = 0; k < {taps}; k++) {{", f"    *q++ = {value};", f"    s = s + {'5u' if acc == 'u' else '0.25f'};", "  }"]
        g.out_param("out", out_t, params, args, f"{taps} * n")
    else:
        inner.append(f"  out[i] = {value};")
        g.out_param("out", out_t, params, args, "n")
    return close(g, "pointers", params, args, ["  int i = get_global_id(0);"], inner, guard=r.random() < 0.7)


def groups(g):
    """Group ids in addresses and in values."""
    r = g.r
    params, args = [], []
    L = r.choice([4, 6, 8, 16, 32, 64])
    a = plain(g)
    i = g.pick("get_group_id(0) * get_local_size(0) + get_local_id(0)", f"get_group_id(0) * {L} + get_local_id(0)",
               f"mad24((int)get_group_id(0), (int)get_local_size(0), (int)get_local_id(0))", "get_global_id(0)", f"get_group_id(0) * {L} + {L - 1} - get_local_id(0)")
    v = lambda q, hi: (f"(int){q}", "i", 0, hi)
    leaves = [g.load(a, "i"), g.load(a, "i + 1"), v("get_local_id(0)", L - 1), v("get_group_id(0)", 1 << 10), v("get_local_size(0)", L), v("get_num_groups(0)", 1 << 11), v("get_global_size(0)", 1 << 12)]
    leaves = leaves[:2] + r.sample(leaves[2:], r.randint(0, 2))
    out_t = g.store_type()
    ls, e = g.body(leaves, out_t)
    inner = ls + [f"  out[i] = {e};"]
    if r.random() < 0.25:
        inner = g.guard(f"get_local_id(0) {g.pick('<', '>', '!=')} {r.randint(0, L - 1)}", inner, "if")
    g.in_param(a, params, args, f"n + {L + 1}")
    g.out_param("out", out_t, params, args, f"n + {L}", "inout")
    sizes = [{"n": L * 9}, {"n": L * 2}, {"n": L}]
    return close(g, "groups", params, args, [f"  int i = {i};"], inner, guard=False, local=[str(L)], sizes=sizes, require=[f"n % {L} == 0"])


def tile(g):
    """A two-dimensional tile with its halo; adjacent elements are read back."""
    r = g.r
    params, args = [], []
    a = plain(g, "uchar", "short", "int", "float")
    t = a[1]
    W, H = r.choice([(8, 8), (16, 4), (16, 8), (4, 4)])
    R = r.choice([0, 1, 1, 2])
    P = r.choice([0, 0, 1])
    tw, th = W + 2 * R, H + 2 * R
    load = g.pick("clamp", "zero")
    src = lambda x, y: (f"{a[0]}[clamp({y}, 0, h - 1) * w + clamp({x}, 0, w - 1)]" if load == "clamp" else
                        f"(({x}) >= 0 && ({x}) < w && ({y}) >= 0 && ({y}) < h) ? {a[0]}[({y}) * w + ({x})] : ({t})0")
    lines = [f"  __local {t} t[{th}][{tw + P}];", "  int x = get_global_id(0), y = get_global_id(1);", "  int lx = get_local_id(0), ly = get_local_id(1);",
             f"  int x0 = get_group_id(0) * {W} - {R}, y0 = get_group_id(1) * {H} - {R};"]
    fill = g.pick("loop", "flat", "loop")
    if fill == "loop":
        lines += [f"  for (int v = ly; v < {th}; v += {H})", f"    for (int u = lx; u < {tw}; u += {W})", f"      t[v][u] = {src('x0 + u', 'y0 + v')};"]
    else:
        lines += [f"  for (int k = ly * {W} + lx; k < {tw * th}; k += {W * H})", f"    t[k / {tw}][k % {tw}] = {src(f'x0 + k % {tw}', f'y0 + k / {tw}')};"]
    lines.append("  barrier(CLK_LOCAL_MEM_FENCE);")
    if r.random() < 0.2:  # not a pure copy
        lines += [f"  t[ly + {R}][lx + {R}] = t[ly + {R}][lx + {R}] / 2;", "  barrier(CLK_LOCAL_MEM_FENCE);"]
    leaves = []
    for _ in range(r.randint(1, 5)):
        dx, dy = r.randint(-R, R), r.randint(-R, R)
        cell = f"t[ly + {R + dy}][lx + {R + dx}]" if r.random() < 0.8 or W != H else f"t[lx + {R + dx}][ly + {R + dy}]"
        leaves.append((f"(uint){cell}", "u", None, None) if t == "int" else g.value_of(t, cell, min(a[2], 0) if a[2] is not None else None, max(a[3], 0) if a[3] is not None else None))
    out_t = g.store_type()
    ls, e = g.body(leaves, out_t)
    inner = g.guard("x < w && y < h", ls + [f"  out[y * w + x] = {e};"], "if")
    g.in_param(a, params, args, "w * h")
    g.out_param("out", out_t, params, args, "w * h")
    for v in "wh":
        params.append(f"int {v}")
        args.append(f'{{ name: {v}, value: "{v}" }}')
    return g.finish("tile", f"tile{g.seed}", params, lines + inner, args, [f"roundup(w, {W})", f"roundup(h, {H})"],
                    [dict(w=67, h=19), dict(w=W, h=H), dict(w=2 * W + 1, h=H - 1)], [str(W), str(H)])


def phases(g):
    """Several steps over local memory."""
    r = g.r
    params, args = [], []
    L = r.choice([8, 16, 32])
    a = plain(g, "uchar", "short", "int", "uint", "float")
    acc = "float" if a[1] == "float" else "uint"
    cast = "" if acc == "float" else "(uint)"
    bar = "  barrier(CLK_LOCAL_MEM_FENCE);"
    lines = ["  int g = get_global_id(0), l = get_local_id(0);", f"  __local {acc} t[{L}];", f"  t[l] = {cast}{a[0]}[g]{g.pick('', ' * 3')};", bar]
    params.append(f"__global {acc} *out")
    args.append(f'{{ name: out, buffer: inout, count: "n", data: zero }}')
    form = g.pick("tree", "scan", "reverse", "turns", "rounds", "own")
    if form == "tree":
        op = g.pick("t[l] += t[l + s];", "t[l] = max(t[l], t[l + s]);")
        lines += [f"  for (int s = {L // 2}; s > 0; s {g.pick('>>= 1', '/= 2')}) {{", "    if (l < s)", f"      {op}", "  " + bar, "  }", "  if (l == 0)", "    out[get_group_id(0)] = t[0];"]
    elif form == "scan":
        lines += [f"  for (int d = 1; d < {L}; d *= 2) {{", f"    {acc} x = l >= d ? t[l - d] : 0;", "  " + bar, "    t[l] += x;", "  " + bar, "  }", "  out[g] = t[l];"]
    elif form == "reverse":
        lines += [f"  {acc} x = t[{L - 1} - l];", bar, "  t[l] = x + 1;", bar, f"  out[g] = t[l {g.pick('^ 1', '^ 3', '')}] + t[0];"]
    elif form == "turns":
        lines += [f"  {acc} s = 0;", f"  for (int k = 0; k < n; k += {L}) {{", bar, f"    t[l] = {cast}{a[0]}[k + l];", "  " + bar, f"    for (int q = 0; q < {L}; q++)", f"      s {g.pick('+= t[q]', '= s * 3 + t[q]')};", "  }", "  out[g] = s;"]
    elif form == "rounds":
        lines += [f"  for (int k = 0; k < {r.randint(1, 4)}; k++) {{", f"    {acc} x = t[(l + k) % {L}] + t[l];", "  " + bar, "    t[l] = x;", "  " + bar, "  }", "  out[g] = t[l];"]
    else:
        lines += ["  t[l] = t[l] * t[l] + 1;", f"  out[g] = t[l]{g.pick('', ' + t[l]')};"]
    g.in_param(a, params, args, "n")
    params.append("int n")
    args.append('{ name: n, value: "n" }')
    return g.finish("phases", f"phases{g.seed}", params, lines, args, ["n"], [{"n": 9 * L}, {"n": 2 * L}, {"n": L}], [str(L)], require=[f"n % {L} == 0"])


def shared(g):
    """In-place updates, several elements for each work-item, aliased buffers."""
    r = g.r
    params, args = [], []
    t = g.pick("uchar", "short", "uint", "float")
    k = r.choice([1, 2, 2, 3, 4])
    name = "a"
    params.append(f"__global {t} *a")
    data = ", data: { uniform: [-4, 4] }" if t == "float" else ""
    args.append(f'{{ name: a, buffer: inout, count: "{k} * n"{data} }}')
    at = lambda q: f"{k} * i + {q}" if k > 1 and q else f"{k} * i" if k > 1 else "i"
    twin = r.random() < 0.4
    if twin:
        params.append(f"__global {t} *b")
        args.append(f'{{ name: b, buffer: inout, count: "{k} * n", data: {{ same-as: a }} }}')
    buf = lambda: g.pick("a", "b") if twin else "a"
    wide_t = "float" if t == "float" else "uint"
    lines, known = [], []
    for step in range(r.randint(2, 6)):
        q = r.randrange(k)
        if not known or r.random() < 0.5:
            v = f"v{step}"
            lines.append(f"  {wide_t} {v} = {buf()}[{at(q)}];")
            known.append((v, "f" if t == "float" else "u", None, None))
        else:
            e = g.expr(known, known[0][1], 2)[0]
            lines.append(f"  {buf()}[{at(q)}] = {to(g, (e, known[0][1], None, None), t)};")
    e = g.expr(known, known[0][1], 2)[0]
    lines.append(f"  {buf()}[{at(r.randrange(k))}] = {to(g, (e, known[0][1], None, None), t)};")
    if twin and k > 1:  # if both arguments are one buffer, all accesses must have one index, or it is refused
        lines = [l.replace(f"{k} * i + 1]", f"{k} * i]").replace(f"{k} * i + 2]", f"{k} * i]").replace(f"{k} * i + 3]", f"{k} * i]") for l in lines]
    return close(g, "shared", params, args, ["  int i = get_global_id(0);"], lines, guard=r.random() < 0.6)


def gather(g):
    r = g.r
    params, args = [], []
    a = plain(g, "uchar", "short", "int", "float")
    params.append("__global const int *at")
    args.append('{ name: at, buffer: in, count: "n + 8", data: { range: [0, 31] } }')
    taps = r.choice([1, 1, 3, 5])
    acc = "f" if a[1] == "float" else "u"
    cast = "" if acc == "f" else "(uint)"
    if taps == 1:
        leaf = g.load(a, g.pick("at[i]", "at[i] + (i & 3)", "at[at[i] & 7]", "(at[i] + 5) % 32"))
        leaves = [leaf if leaf[3] is None or leaf[3] < 1 << 20 else (f"(uint){leaf[0]}", "u", None, None)]
        out_t = g.store_type()
        ls, e = g.body(leaves, out_t)
        inner = ls + [f"  out[i] = {e};"]
    else:
        out_t = g.store_type()
        inner = [f"  {TYPE[acc]} s = 0;", f"  for (int k = 0; k < {taps}; k++)", f"    s = s * {'3u' if acc == 'u' else '0.5f'} + {cast}{a[0]}[at[i + k]];", f"  out[i] = {to(g, ('s', acc, None, None), out_t)};"]
    g.in_param(a, params, args, "64")
    g.out_param("out", out_t, params, args, "n")
    return close(g, "gather", params, args, ["  int i = get_global_id(0);"], inner, guard=r.random() < 0.7)


def taps(g):
    """A window in loops, with one of the usual treatments of the borders."""
    r = g.r
    params, args = [], []
    dims = r.choice([1, 2, 2])
    a = plain(g, "uchar", "short", "int", "float")
    acc = "f" if a[1] == "float" else "u"
    cast = "" if acc == "f" else "(uint)"
    radius = r.choice([1, 1, 2, 3])
    R = "radius" if r.random() < 0.35 else str(radius)
    border = g.pick("clamp", "clamp", "minmax", "skip", "wrap", "mirror", "zero", "inside")
    if border == "mirror":
        radius = min(radius, 2)
        R = R if R == "radius" else str(radius)

    def coordinate(x, d, ext):
        v = f"{x} + {d}"
        return {"clamp": f"clamp({v}, 0, {ext} - 1)", "minmax": f"min(max({v}, 0), {ext} - 1)", "wrap": f"({v} + {ext} * 4) % {ext}",
                "mirror": f"({v} < 0 ? min(-({v}), {ext} - 1) : {v} >= {ext} ? max(2 * {ext} - 2 - ({v}), 0) : {v})"}.get(border, v)

    one = lambda d: f"for (int {d} = -{R}; {d} <= {R}; {d}++)" if r.random() < 0.8 else f"for (int {d} = {R}; {d} >= -{R}; --{d})"
    early = r.random() < 0.4
    cx, cy = coordinate("x", "i", "w"), coordinate("y", "j", "h")
    weight = r.random() < 0.5
    inner = [f"{TYPE[acc]} s = 0;"]
    depth = ""
    loops = ["j", "i"] if dims == 2 else ["i"]
    for d in loops:
        inner.append(f"{depth}{one(d)} {{")
        depth += "  "
        if early and d == "j" and border != "inside":
            inner.append(f"{depth}const int v = {cy};")
            cy = "v"
    if early and r.random() < 0.5:
        inner.append(f"{depth}int u = {cx};")
        cx = "u"
    at = f"({cy}) * w + {cx}" if dims == 2 else cx
    term = f"{cast}{a[0]}[{at}]"
    if border == "zero":
        ok = f"{cx} >= 0 && {cx} < w" + (f" && {cy} >= 0 && {cy} < h" if dims == 2 else "")
        term = f"(({ok}) ? {term} : 0)"
    if weight:
        k = f"k[(j + {R}) * (2 * {R} + 1) + i + {R}]" if dims == 2 else f"k[i + {R}]"
        term = f"{term} * {cast}{k}"
        params.append(f"__{g.pick('global const', 'constant')} {'float' if acc == 'f' else g.pick('int', 'char', 'uchar')} *k")
        args.append('{ name: k, buffer: in, count: "49"' + (", data: { uniform: [-1, 1] }" if acc == "f" else "") + " }")
    step = f"s += {term};"
    if border == "skip":
        ok = f"{cx} >= 0 && {cx} < w" + (f" && {cy} >= 0 && {cy} < h" if dims == 2 else "")
        step = f"if ({ok})\n{depth}  {step}" if r.random() < 0.7 else f"if (!({ok}))\n{depth}  continue;\n{depth}{step}"
    inner += [depth + l for l in step.split("\n")]
    for _ in loops:
        depth = depth[2:]
        inner.append(depth + "}")
    out_t = g.store_type()
    value = to(g, ("s", acc, None, None), out_t)
    if acc == "u" and out_t == "uchar" and r.random() < 0.5:
        value = f"min(s / {(2 * radius + 1) ** dims}u, 255u)"
    inner.append(f"out[{'y * w + x' if dims == 2 else 'x'}] = {value};")
    names = ["x", "y"][:dims]
    margin = f" - {R}" if border == "inside" else ""
    least = f"{R}" if border == "inside" else "0"
    guard = " && ".join(f"{n} < {e}{margin}" for n, e in zip(names, "wh")) + "".join(f" && {n} >= {least}" for n in names if border == "inside")
    inner = g.guard(guard, ["  " + l for l in inner])
    swap = dims == 2 and r.random() < 0.2
    lines = [f"  {g.pick('int', 'const int')} {n} = get_global_id({(1 - d) if swap else d});" for d, n in enumerate(names)]
    g.in_param(a, params, args, "w * h" if dims == 2 else "w")
    g.out_param("out", out_t, params, args, "w * h" if dims == 2 else "w", "inout")
    for v in ("w", "h")[:dims]:
        params.append(f"int {v}")
        args.append(f'{{ name: {v}, value: "{v}" }}')
    if R == "radius":
        params.append("int radius")
        args.append(f'{{ name: radius, value: "{radius}" }}')
    glob = ["roundup(w, 16)"] + ["roundup(h, 4)"] * (dims - 1)
    sizes = [dict(w=67, h=19), dict(w=64, h=8), dict(w=9, h=11), dict(w=17, h=1)] if dims == 2 else [dict(w=1037), dict(w=64), dict(w=17), dict(w=8)]
    return g.finish("taps", f"taps{g.seed}", params, lines + inner, args, list(reversed(glob)) if swap else glob, sizes)


FAMILIES = [taps, taps, taps, control, control, helpers, arrays, structs, vectors, vectors, pointers, groups, tile, tile, phases, shared, gather]
