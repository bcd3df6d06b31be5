"""Classes of random kernels about effects and ends: atomic updates, switches whose cases fall through, inclusive
and moving bounds, built-ins with two results, barriers under conditions that only the group size makes uniform.

Like the kernels of generate.py they have no undefined behaviour and no race. Atomic operations on one element are of
one kind and their old values are not used, so their order does not count.
"""
from families import SIZES, TYPE, close, plain, to

UPDATES = ("add", "sub", "inc", "dec", "min", "max", "and", "or", "xor")


def integer(g, e, t):
    """e as an int or uint."""
    return g.convert(e, "i" if t == "int" else "u")[0]


def update(g, target, t, value, kinds=UPDATES):
    """One atomic operation on an element of type t."""
    kind = g.pick(*kinds)
    call = g.pick(f"atomic_{kind}", f"atomic_{kind}", f"atom_{kind}")
    return f"{call}({target});" if kind in ("inc", "dec") else f"{call}({target}, {integer(g, value, t)});"


def updates(g):
    r = g.r
    params, args, lines, inner = [], [], [], []
    a, b = plain(g, "char", "uchar", "short", "int", "float"), plain(g, "uchar", "ushort", "int")
    loops = r.random() < 0.3
    index = g.pick("i", "i + j", "i * 4 + j") if loops else "i"
    va, vb = g.load(a, index), g.load(b, index)
    inner += [f"const int v = {g.convert(vb, 'i')[0]};"]
    leaves = [va, ("v", "i", vb[2], vb[3])]
    for k in range(r.randint(1, 3)):
        t = g.pick("int", "uint")
        # Sums commute with differences; the others with themselves alone.
        kinds = g.pick(("add", "sub", "inc", "dec"), ("add", "sub", "inc", "dec"), ("min",), ("max",), ("and",), ("or",), ("xor",))
        at = g.pick(f"c{k}", f"&c{k}[0]", f"c{k} + 3", f"&c{k}[v & 15]", f"&c{k}[v & 15]", f"&c{k}[i & 7]", f"&c{k}[i / 4 % 16]",
                    f"&c{k}[m]", f"&c{k}[(v + (int)i) & 15]")
        if t == "uint" and r.random() < 0.2:
            at, t = f"(volatile __global int *)({at})", "int"
        one = [update(g, at, t, g.expr(leaves, r.choice("iu"), 2), kinds) for _ in range(r.choice([1, 1, 2]))]
        if r.random() < 0.5:
            one = [f"if ({g.condition(leaves, 1)}) {{"] + ["  " + l for l in one] + ["}"]
            if r.random() < 0.3:
                one += ["else", "  " + update(g, at, t, leaves[1], kinds)]
        inner += one
        params.append(f"{g.pick('', 'volatile ')}__global {g.pick('int', 'uint') if 'volatile' in at else t} *c{k}")
        args.append(f'{{ name: c{k}, buffer: inout, count: "16" }}')
    if loops:
        step = g.pick("for (int j = 0; j < 4; ++j) {", "for (int j = 0; j < m; ++j) {", "for (int j = 3; j >= 0; --j) {")
        inner = [step] + ["  " + l for l in inner] + ["}"]
    if r.random() < 0.5:
        out_t = g.store_type()
        own = [g.load(a, "i"), g.load(b, "i")]
        inner.append(f"out[i] = {to(g, g.expr(own, r.choice('iu'), 2), out_t)};")
        g.out_param("out", out_t, params, args, "n")
    for x in (a, b):
        g.in_param(x, params, args, "4 * n + 8")
    params.append("int m")
    args.append(f'{{ name: m, value: "{r.randint(0, 5)}" }}')
    return close(g, "updates", params, args, [f"  {g.pick('int', 'int', 'uint')} i = get_global_id(0);"], ["  " + l for l in inner], guard=r.random() < 0.6)


def bins(g):
    """A histogram in local memory, and its sum in global memory."""
    r = g.r
    params, args = [], []
    L = r.choice([8, 16, 32, 64])
    n_bins = r.choice([L, L, 16, 2 * L])
    a = plain(g, "uchar", "ushort", "int")
    shift = r.choice([0, 2, 4])
    bin_ = f"((uint){a[0]}[{{i}}] >> {shift}) % {n_bins}u"
    stride = r.random() < 0.5
    clear = (f"if (l < {n_bins}) h[l] = 0;" if n_bins <= L else f"for (int k = l; k < {n_bins}; k += {L}) h[k] = 0;")
    lines = [f"  __local uint h[{n_bins}];", "  int l = get_local_id(0);", f"  {clear}", "  barrier(CLK_LOCAL_MEM_FENCE);"]
    weight = g.pick("atomic_inc(&h[{b}]);", "atomic_add(&h[{b}], 3u);", "atomic_max(&h[{b}], (uint)l);", "atomic_or(&h[{b}], 1u << (l & 31));")
    if stride:
        lines += ["  for (int i = get_global_id(0); i < n; i += get_global_size(0))", "    " + weight.format(b=bin_.format(i="i"))]
    else:
        lines += ["  int i = get_global_id(0);", "  if (i < n)", "    " + weight.format(b=bin_.format(i="i"))]
    lines.append("  barrier(CLK_LOCAL_MEM_FENCE);")
    end = g.pick("atomic_add(&out[{k}], h[{k}]);", "out[get_group_id(0) * {bins} + {k}] = h[{k}];")
    if n_bins <= L:
        lines += [f"  if (l < {n_bins})", "    " + end.format(k="l", bins=n_bins)]
    else:
        lines += [f"  for (int k = l; k < {n_bins}; k += {L})", "    " + end.format(k="k", bins=n_bins)]
    g.in_param(a, params, args, "n")
    g.out_param("out", "uint", params, args, f"roundup(n, {L}) / {L} * {n_bins}", "inout")
    params.append("int n")
    args.append('{ name: n, value: "n" }')
    return g.finish("bins", f"bins{g.seed}", params, lines, args, [f"roundup(n, {L})"], SIZES, [str(L)])


def falls(g):
    """A switch whose cases fall through, in any order, with the default anywhere."""
    r = g.r
    params, args = [], []
    a, b = plain(g, "uchar", "short", "int"), plain(g, "char", "ushort", "float")
    acc = g.pick("u", "u", "f")
    one = "u" if acc == "u" else ".0f"
    va, vb = g.convert(g.load(a, "i"), acc)[0], g.convert(g.load(b, "i"), acc)[0]
    labels = r.sample(["case 0:", "case 1:", "case 2:", "case 3:", "case 5:", "case -1:", "default:"], r.randint(2, 6))
    steps = lambda: g.pick(f"acc += {vb};", f"acc = acc * 3{one};", f"acc += 1{one};", f"if (acc > 100{one}) acc = {va};", f"acc -= {va};", "acc = 0;")
    loop = r.random() < 0.3
    body = []
    for label in labels:
        body.append(label)
        if r.random() < 0.15:
            continue  # two labels in one place
        body += ["  " + steps() for _ in range(r.randint(1, 2))]
        if r.random() < 0.2:
            body.append(f"  if (acc > 50{one}) break;")
        if r.random() < 0.4:
            body.append(f"  {g.pick('break;', 'break;', 'continue;' if loop else 'break;')}")
    body.append("  ;")
    key = g.pick("k & 3", "k % 6", "k", "m", "i % 4", "(uchar)k")
    inner = [f"int k = {g.convert(g.load(a, 'i'), 'i')[0]};", f"{TYPE[acc]} acc = {va};"]
    switch = [f"switch ({key}) {{"] + body + ["}"]
    if loop:
        inner += ["for (int j = 0; j < 3; ++j) {", "  k += j;" if "short" in a[1] or "char" in a[1] else "  k = (k & 1023) + j;"] + ["  " + l for l in switch] + [f"  acc += 2{one};", "}"]
    else:
        inner += switch
    out_t = g.store_type()
    inner.append(f"out[i] = {to(g, ('acc', acc, None, None), out_t)};")
    for x in (a, b):
        g.in_param(x, params, args, "n")
    params.append("int m")
    args.append(f'{{ name: m, value: "{r.randint(-1, 6)}" }}')
    g.out_param("out", out_t, params, args, "n", "inout")
    return close(g, "falls", params, args, ["  int i = get_global_id(0);"], ["  " + l for l in inner], guard=r.random() < 0.8)


def bounds(g):
    """Sums in loops with inclusive, moving, unsigned or stepped bounds."""
    r = g.r
    params, args = [], []
    a = plain(g, "uchar", "short", "int", "float")
    acc = "f" if a[1] == "float" else "u"
    m = r.randint(0, 7)
    header, index = g.pick(
        ("for (int j = -m; j <= m; ++j)", "i + m + j"), ("for (int j = -m; j <= m; j += 2)", "i + m + j"), ("for (int j = m; j >= -m; --j)", "i + m + j"),
        ("for (uint j = 0; j <= (uint)m; ++j)", "i + j"), ("for (int j = 0; j <= m; ++j)", "i + 2 * j"), ("for (int j = i; j <= i + m; ++j)", "j"),
        ("for (int j = i; j < i + 8; ++j)", "j"), ("for (int j = i, end = i + 8; j < end; ++j)", "j"), ("for (int j = i * 4; j < i * 4 + 4; j++)", "j"),
        ("for (int j = 1; j <= 3; ++j)", "i + j"), ("for (int j = 0; j < 3; ++j)", "i + j"), ("for (int j = 7; j > 0; j >>= 1)", "i + j"),
        ("for (int j = 0; j <= (i & 3); ++j)", "i + j"), ("for (uint j = 4294967290u; j != 2u; ++j)", "i + (j & 7u)"),
        ("for (int j = 2147483647 - m; j < 2147483647; ++j)", "i + (j & 15)"), ("for (long j = -m; j <= m; ++j)", "i + m + (int)j"),
        ("for (uchar j = 250; j > 5; ++j)", "i + (j & 7)"), ("for (int j = m; j-- > 0;)", "i + j"))
    weight = g.pick("", "", " * {c}(j + 3)").format(c="(uint)" if acc == "u" else "(float)")
    cast = "(uint)" if acc == "u" else ""
    inner = [f"{TYPE[acc]} s = {'1u' if acc == 'u' else '0.5f'};", header + " {", f"  s {g.pick('+=', '+=', '^=' if acc == 'u' else '-=')} {cast}{a[0]}[{index}]{weight};"]
    if r.random() < 0.3:
        inner.append(f"  if (s > {'4000000000u' if acc == 'u' else '50.0f'}) {g.pick('break', 'continue')};")
        inner.append(f"  s = s * {'3u' if acc == 'u' else '0.5f'};")
    inner.append("}")
    out_t = g.store_type()
    inner.append(f"out[i] = {to(g, ('s', acc, None, None), out_t)};")
    g.in_param(a, params, args, "4 * n + 40")
    params.append("int m")
    args.append(f'{{ name: m, value: "{m}" }}')
    g.out_param("out", out_t, params, args, "n")
    return close(g, "bounds", params, args, ["  int i = get_global_id(0);"], ["  " + l for l in inner], guard=r.random() < 0.7)


def results(g):
    """Built-ins that store a second result."""
    r = g.r
    params, args = [], []
    a = plain(g, "float")
    b = plain(g, "float", "short", "uchar")
    x = g.pick(f"{a[0]}[i]", f"{a[0]}[i] * 3.0f", f"{a[0]}[i] + (float){b[0]}[i]")
    call, value = g.pick(("p = sincos({x}, &q);", "p * 2.0f + q"), ("p = fract({x}, &q);", "p + q * 0.25f"), ("p = modf({x}, &q);", "p - q"),
                         ("p = frexp({x}, &e);", "p + (float)e"), ("p = remquo({x}, 1.5f, &e);", "p + (float)(e & 7)"), ("p = sincos({x}, &p);", "p"),
                         ("q = p; p = modf(q, &q);", "p * q"))
    inner = [f"float p = {a[0]}[i], q = 0.0f;", "int e = 0;"]
    step = [call.format(x=x)]
    if r.random() < 0.4:
        step = [f"if ({b[0]}[i] > 3) {{"] + ["  " + l for l in step] + ["}"]
    if r.random() < 0.3:
        step = ["for (int j = 0; j < 2; ++j) {"] + ["  " + l for l in step] + ["  p += q;", "}"]
    inner += step + [f"out[i] = {value};"]
    if r.random() < 0.5:
        inner.append("also[i] = e;")
        g.out_param("also", "int", params, args, "n")
    for one in {a, b}:
        g.in_param(one, params, args, "n")
    g.out_param("out", "float", params, args, "n")
    return close(g, "results", params, args, ["  int i = get_global_id(0);"], ["  " + l for l in inner], guard=r.random() < 0.7)


def uniform(g):
    """Barriers under a condition that is the same in a group because of its size."""
    r = g.r
    params, args = [], []
    L = r.choice([4, 8, 16, 32])
    s = L.bit_length() - 1
    a = plain(g, "uchar", "short", "int", "float")
    group = g.pick(f"(int)(get_global_id(0) / {L})", f"(int)(get_global_id(0) >> {s})", "(int)get_group_id(0)", f"((int)get_global_id(0) & ~{L - 1}) / {L}",
                   f"((int)get_global_id(0) - (int)get_local_id(0)) / {L}")
    test = g.pick("w < m", "w % 2 == 0", "(w & 1) != 0", "w != m")
    out_t = a[1]
    other = g.pick(f"{L - 1} - l", f"(l + 1) % {L}", f"l ^ 1", "l")
    lines = [f"  __local {a[1]} t[{L}];", "  int i = get_global_id(0), l = get_local_id(0);", f"  int w = {group};", f"  {a[1]} v = {a[0]}[i];",
             f"  if ({test}) {{", "    t[l] = v;", "    barrier(CLK_LOCAL_MEM_FENCE);", f"    v = t[{other}];"]
    if r.random() < 0.4:
        lines += ["    barrier(CLK_LOCAL_MEM_FENCE);", f"    t[l] = {a[0]}[i + 1];", "    barrier(CLK_LOCAL_MEM_FENCE);", f"    v = ({a[1]})(v - t[{other}]);" if a[1] != "int" else f"    v ^= t[{other}];"]
    lines += ["  }", "  out[i] = v;"]
    g.in_param(a, params, args, "n + 1")
    params.append("int m")
    args.append(f'{{ name: m, value: "{r.randint(0, 4)}" }}')
    g.out_param("out", out_t, params, args, "n")
    sizes = [{"n": L * 9}, {"n": L * 2}, {"n": L}]
    return g.finish("uniform", f"uniform{g.seed}", params, lines, args, ["n"], sizes, [str(L)], require=[f"n % {L} == 0"])


FAMILIES = [updates, updates, updates, bins, falls, falls, bounds, bounds, results, uniform]
