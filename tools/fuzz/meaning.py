"""Classes of random kernels about what single operations mean: comparisons with NaN, truth values, narrow types that
are promoted, bits of another type, conversions that round or saturate, halves in memory, old values of atomics, ids
of three dimensions and of groups, loops that end early.

Like the kernels of generate.py they have no undefined behaviour and no race. An atomic operation whose old value
counts is the only one on its element.
"""
from families import SIZES, plain

COMPARED = ("isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isordered", "isunordered")


def finish(g, kind, params, args, lines, inner, count="n", more=(), sizes=None, guarded=None, glob=None, local=None):
    """The end of a kernel over n work-items; count: of each input that has none yet."""
    for one in g.inputs:
        g.in_param(one, params, args, count)
    guarded = g.r.random() < 0.6 if guarded is None else guarded
    if guarded:
        params.append(g.pick("int n", "uint n"))
        args.append('{ name: n, value: "n" }')
        inner = g.guard("i < n", inner)
        glob = glob or "roundup(n, 16)"
    k = g.finish(kind, f"{kind}{g.seed}", params, lines + inner, args, [glob or "n"], sizes or SIZES, local, "\n".join(g.macros) + ("\n" if g.macros else ""))
    k.further = [{"n": v} for v in more or (4097, 70001)]
    return k


def nans(g):
    """Comparisons, selections, minima and maxima of floats that may be NaN, infinite or a zero with a sign."""
    r = g.r
    params, args = [], []
    a, b = plain(g, "float"), plain(g, "float")
    x, y = f"{a[0]}[i]", f"{b[0]}[i]"
    c = g.pick("0.0f", "-0.0f", "1.0f", "INFINITY", "-INFINITY", "NAN", "FLT_MAX")
    operand = lambda: g.pick(x, y, c, f"-{x}", f"fabs({y})", f"({x} - {y})", f"({x} / {c})")
    test = lambda: g.pick(f"{operand()} {g.pick('<', '<=', '>', '>=', '==', '!=')} {operand()}", f"!({operand()} {g.pick('<', '>=', '==')} {operand()})",
                          f"{g.pick(*COMPARED)}({operand()}, {operand()})", f"{g.pick('isnan', 'isinf', 'isfinite', 'isnormal', 'signbit')}({operand()})", f"!{x}")
    value = lambda: g.pick(f"({test()} ? {operand()} : {operand()})", f"fmin({operand()}, {operand()})", f"fmax({operand()}, {operand()})", f"copysign({operand()}, {operand()})",
                           f"select({operand()}, {operand()}, {test()})", f"fmin(fmax({operand()}, {operand()}), {c})", f"nextafter({operand()}, {operand()})",
                           f"({test()} && {test()} ? {operand()} : {operand()})", f"({test()} || {test()} ? {operand()} : {operand()})")
    inner = [f"  float v = {value()};"]
    if r.random() < 0.5:
        inner.append(f"  if ({test().replace(x, 'v')}) v = {g.pick(c, y, '-v')};")
    if r.random() < 0.4:
        g.out_param("also", "int", params, args, "n")
        inner.append(f"  also[i] = ({test()}) + 2 * ({test()}) + 4 * ({test()});")
    g.out_param("out", "float", params, args, "n")
    return finish(g, "nans", params, args, ["  int i = get_global_id(0);"], inner + ["  out[i] = v;"])


def truths(g):
    """Comparisons as numbers, bool variables, logical operators, choices between types and signs."""
    r = g.r
    params, args = [], []
    a, b = plain(g, "uchar", "char", "short", "int", "uint"), plain(g, "uchar", "char", "ushort", "int", "uint")
    x, y = f"{a[0]}[i]", f"{b[0]}[i]"
    test = lambda: g.pick(f"{x} {g.pick('<', '>=', '==', '!=')} {y}", f"!{x}", f"!!{y}", f"({x} & 4)", f"({x} > 3 && {y} < 5)", f"({x} == 0 || !{y})", f"{x} > -1", f"{y} < 4000000000u",
                          f"(uchar)({x} - {y}) > 127", f"(char){x} < 0", f"-1 < (uint){y}")
    inner = [f"  bool p = {test()};", f"  {g.pick('bool', 'int', 'uchar')} q = {test()};"]
    if r.random() < 0.4:
        inner.append(f"  {g.pick('p = p ^ q;', 'q = p & !q;', 'p = p && q;', 'q += p;', 'p |= ' + test() + ';', 'if (p) q = !q;')}")
    value = g.pick("p + 2 * q - ({0})", "(p ? {x} : q)", "p * (int)(char){x} + q", "(p == q) | ({0}) << 3", "({0}) ? {x} & 255 : -1u", "-p + ~(int)q", "(p > q) - (q > p)", "p ? 1 : {y} & 127").format(test(), x=x, y=y)
    t = g.pick("int", "uint", "uchar", "char", "short")
    g.out_param("out", t, params, args, "n")
    return finish(g, "truths", params, args, ["  int i = get_global_id(0);"], inner + [f"  out[i] = {value};"])


def promoted(g):
    """Compound assignments to variables narrower than the type that they are computed in."""
    r = g.r
    params, args = [], []
    t = g.pick("uchar", "uchar", "char", "ushort", "short")
    a, b = plain(g, t, "uchar", "int"), plain(g, "uchar", "char")
    x, y = f"{a[0]}[i]", f"{b[0]}[i]"
    steps = ["c += 200;", "c -= {y};", "c *= 3;", "c >>= 1;", "c <<= 2;", "c ^= 0x81;", "c = ~c;", "c = -c;", "c %= 100;", "c /= 7;", "++c;", "c--;", "c |= {y};", "c &= 0xf3;", "c += c;", "d = c++;", "d += --c;",
             "c = c << 4 | c >> 4;", "c = (c + {y} + 1) / 2;", "if (c > 100) c -= 50;", "c = c < 0 ? -c : c;", "c *= 300;", "c = c == {y} ? d : c + 1;"]
    lines = [r.choice(steps).format(y=y) for _ in range(r.randint(2, 6))]
    if r.random() < 0.3:
        lines = [f"for ({g.pick('uchar', 'char', 'int')} j = 0; j < {r.randint(2, 5)}; ++j) {{"] + ["  " + l for l in lines] + ["}"]
    inner = [f"  {t} c = {x}, d = {y};"] + ["  " + l for l in lines]
    g.out_param("out", g.pick(t, "int", "uint", "short"), params, args, "n")
    return finish(g, "promoted", params, args, ["  int i = get_global_id(0);"], inner + [f"  out[i] = {g.pick('c', 'c + d', '(c << 8) | (d & 255)', 'c - d')};"])


def bits(g):
    """Bits as another type: as_type, unions, views of a buffer by another pointer."""
    r = g.r
    params, args = [], []
    kind = r.randrange(4)
    if kind == 0:
        a = plain(g, "float")
        value = g.pick("as_int({x}) ^ (as_int({x}) >> 31 & 0x7fffffff)", "(int)(as_uint({x}) >> 23 & 255u) - 127", "as_int({x}) < 0", "as_uchar4({x}).w", "as_short2({x}).y + as_short2({x}).x")
        t = "int"
    elif kind == 1:
        a = plain(g, "uint", "int")
        value = g.pick("as_float(({x} & 0x007fffff) | 0x3f800000)", "(float)as_uchar4({x}).x - (float)as_char4({x}).y")
        t = "float"
    elif kind == 2:
        g.macros.append("typedef union { float f; int i; uchar b[4]; ushort h[2]; } both;")
        a = plain(g, "float")
        value, t = g.pick("u.i & 0xffff", "u.b[3] + u.b[0] * 2", "u.h[1] - u.h[0]"), "int"
    else:
        a = plain(g, "uint", "int")
        value, t = g.pick("{x} + v[4 * i + 1]", "(v[4 * i + 3] << 8) | v[4 * i]", "v[4 * i + 2] - v[4 * i]"), "int"
    x = f"{a[0]}[i]"
    inner = {2: [f"  both u; u.f = {x};"], 3: [f"  __global const uchar *v = (__global const uchar *){a[0]};"]}.get(kind, [])
    if r.random() < 0.3:
        inner.append(f"  if ({g.pick('i % 3 == 1', '(i & 1) != 0', 'i > 40')}) {{ out[i] = 0; return; }}")
    g.out_param("out", t, params, args, "n")
    return finish(g, "bits", params, args, ["  int i = get_global_id(0);"], inner + [f"  out[i] = {value.format(x=x)};"])


def rounded(g):
    """Conversions that round and saturate, and halves in memory."""
    r = g.r
    params, args = [], []
    if r.random() < 0.35:
        params += ["__global const half *h", "__global half *out"]
        # Finite as numbers and as bits: the runner knows halves as bits, and no NaN among them.
        args += ['{ name: h, buffer: in, count: "n", data: { range: [0, 31743] } }', '{ name: out, buffer: out, count: "n" }']
        value = g.pick("v * 1.5f", "v + 1000.0f", "-v", "v / 3.0f", "fabs(v) * 0.001f", "v")
        store = g.pick("vstore_half", "vstore_half_rtz", "vstore_half_rte", "vstore_half_rtp", "vstore_half_rtn")
        inner = ["  float v = vload_half(i, h);", f"  {store}({value}, i, out);"]
        return finish(g, "rounded", params, args, ["  int i = get_global_id(0);"], inner)
    a = plain(g, "float", "float", "int", "short")
    to = g.pick("uchar", "char", "ushort", "short", "int", "uint")
    mode = g.pick("", "_rte", "_rtz", "_rtp", "_rtn") if a[1] == "float" else ""
    x = f"{a[0]}[i]" + (g.pick("", " * 100.0f", " + 0.5f", " * 1e9f", " * -0.25f") if a[1] == "float" else g.pick("", " * 3", " - 300"))
    form = g.pick("convert_{to}_sat{mode}({x})", "convert_{to}_sat{mode}({x})", "convert_{to}_sat(convert_int_sat{mode}({x}))", "convert_int_sat{mode}({x}) & 255") if a[1] == "float" else "convert_{to}_sat({x})"
    value = form.format(to=to, mode=mode, x=x)
    if a[1] != "float" and r.random() < 0.5:
        value = f"convert_float{g.pick('_rte', '_rtz', '_rtp', '_rtn')}({x} * 16777)" if a[1] == "short" else value
    g.out_param("out", g.pick(to, "int", "float") if "float_" not in value else "float", params, args, "n")
    return finish(g, "rounded", params, args, ["  int i = get_global_id(0);"], [f"  out[i] = {value};"])


def olds(g):
    """Atomic operations whose old value is used, each the only one on its element."""
    r = g.r
    params, args = [], []
    a = plain(g, "uchar", "int", "uint")
    t = g.pick("int", "uint")
    x = f"{a[0]}[i]"
    at = g.pick("c + i", "&c[i]", "&c[n - 1 - i]", "c + 2 * i")
    call = g.pick("atomic_add({at}, {x} & 255)", "atomic_or({at}, {x})", "atomic_xchg({at}, {x})", "atomic_max({at}, ({t})({x} & 7))", "atomic_cmpxchg({at}, 0, {x} & 3)", "atomic_inc({at})", "atom_xor({at}, {x} & 12)").format(at=at, x=x, t=t)
    use = g.pick("out[i] = old & 15;", "out[i] = old == 0;", "if (old < 3) out[i] = old;", "out[i] = old;")
    inner = [f"  {t} old = {call};", "  " + use]
    if r.random() < 0.4:
        inner = [f"  if ({x} > 20) {{"] + ["  " + l for l in inner] + ["  }"]
    params += [f"__global {t} *c", f"__global {t} *out"]
    args += ['{ name: c, buffer: inout, count: "2 * n", data: zero }', '{ name: out, buffer: inout, count: "n", data: zero }']
    return finish(g, "olds", params, args, ["  int i = get_global_id(0);"], inner, guarded=True)


def flat(g):
    """Flat ids of three dimensions, ids put together from groups, strides of all groups, ids that count down."""
    r = g.r
    params, args = [], []
    a = plain(g, "uchar", "short", "int", "float")
    out_t = a[1]
    change = g.pick("{x}", "{x} + 1", "-{x}", "{x} * 3") if a[1] in ("float", "uchar", "short") else "{x} ^ 5"
    form = r.randrange(4)
    if form == 0:
        w = g.pick("get_global_size(0)", "w")
        h = g.pick("get_global_size(1)", "h")
        lines = [g.pick(f"  int i = get_global_id(0) + {w} * (get_global_id(1) + {h} * get_global_id(2));", f"  int p = get_global_id(0), q = get_global_id(1), s = get_global_id(2);\n  int i = (s * {h} + q) * {w} + p;")]
        for s in "wh":
            params.append(f"int {s}")
            args.append(f'{{ name: {s}, value: "{s}" }}')
        count = "w * h * d"
        g.in_param(a, params, args, count)
        g.out_param("out", out_t, params, args, count)
        sizes = [{"w": 16, "h": 4, "d": 3}, {"w": 9, "h": 3, "d": 2}, {"w": 8, "h": 1, "d": 5}, {"w": 1, "h": 7, "d": 2}]
        k = g.finish("flat", f"flat{g.seed}", params, lines + [f"  out[i] = {change.format(x=a[0] + '[i]')};"], args, ["w", "h", "d"], sizes)
        k.further = [{"w": 33, "h": 5, "d": 4}, {"w": 130, "h": 3, "d": 3}]
        return k
    L = r.choice([4, 8, 16])
    if form == 1:
        lines = [f"  int i = {g.pick('get_group_id(0) * get_local_size(0) + get_local_id(0)', f'get_group_id(0) * {L} + get_local_id(0)')};"]
        value = g.pick("{v}", "{v} + (int)get_group_id(0)", "(get_local_id(0) + 1 < get_local_size(0) ? {v} : 0)") if a[1] != "float" else "{v}"
        g.out_param("out", out_t, params, args, "n")
        return finish(g, "flat", params, args, lines, [f"  out[i] = {value.format(v=change.format(x=a[0] + '[i]'))};"], guarded=False, local=[str(L)],
                      sizes=[{"n": L * 9}, {"n": L * 2}, {"n": L}], more=(L * 1025,))
    if form == 2:
        step = g.pick("get_global_size(0)", "get_num_groups(0) * get_local_size(0)")
        params.append("int n")
        args.append('{ name: n, value: "n" }')
        g.out_param("out", out_t, params, args, "n")
        return finish(g, "flat", params, args, [], [f"  for ({g.pick('int', 'uint', 'size_t')} i = get_global_id(0); i < n; i += {step})", f"    out[i] = {change.format(x=a[0] + '[i]')};"],
                      guarded=False, glob=str(L * 4), local=[str(L)])
    at = g.pick("n - 1 - i", "3 * (n - 1 - i) + 1", "2 * n - 2 - 2 * i")
    g.out_param("out", out_t, params, args, "n")
    walk = [f"  __global const {a[1]} *p = {a[0]} + {at};", f"  out[i] = {change.format(x='*p')};"] if r.random() < 0.4 else [f"  out[i] = {change.format(x=f'{a[0]}[{at}]')};"]
    return finish(g, "flat", params, args, ["  int i = get_global_id(0);"], walk, count="3 * n", guarded=True)


def endings(g):
    """Returns before loops, do loops, continue and break by data, a switch in a loop."""
    r = g.r
    params, args = [], []
    a, b = plain(g, "uchar", "char", "short"), plain(g, "uchar")
    taps = r.choice([2, 3, 5])
    at = g.pick("i + j", f"i * {taps} + j")
    x = f"{a[0]}[{at}]"
    body = [f"int v = {x};"]
    body += r.sample(["if (v < 3) continue;", "if (v == 100) break;", "switch (v & 3) { case 0: s += 5; break; case 1: s += v; case 2: s -= 2; break; default: s ^= 1; }", "s += v;", "s = v > s ? v : s;", "if ((v & 1) != 0) s += j; else s -= v;"],
                     r.randint(1, 3))
    loop = g.pick(["for (int j = 0; j < %d; ++j) {" % taps, "}"], ["int j = 0; do {", "} while (++j < %d);" % taps], ["for (int j = %d; j-- > 0; ) {" % taps, "}"])
    if loop[0].startswith("int j"):
        body = [l for l in body if "continue" not in l]
    lead = []
    if r.random() < 0.5:
        lead = [f"  if ({b[0]}[i] {g.pick('== 0', '> 200', '< 7')}) {{ out[i] = {g.pick('-1', 'i', '0')}; return; }}"]
    inner = lead + ["  int s = 0;", "  " + loop[0]] + ["    " + l for l in body] + ["  " + loop[1]]
    g.out_param("out", g.pick("int", "short", "float"), params, args, "n")
    return finish(g, "endings", params, args, ["  int i = get_global_id(0);"], inner + ["  out[i] = s;"], count=f"n * {taps} + {taps}")


FAMILIES = [nans, nans, truths, promoted, bits, rounded, olds, flat, flat, endings]
