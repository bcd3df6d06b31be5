"""large_kernels.py LINT: hash rounds and large structures: short source text on which a careless analysis takes very long."""
import itertools
import subprocess
import sys

lint = sys.argv[1]

# The operation of a round on three earlier values. Each value is used by many later ones.
ROUNDS = {"sum": "{0} += {1} + ({2} << 3);",
          "rotate": "{0} ^= rotate({1}, {5}) + {2};",
          "divide": "{0} = ({1} % {17}) + {2} / {3} + {0};",
          "product": "{0} = {1} * {2} + {0};",
          "bits": "{0} = ({1} & {2}) | (~{1} & {0});",
          "choose": "{0} = {1} > {2} ? {1} + {0} : {2} - {0};"}


def rounds(text, values, number):
    """The text of one round: {5} is the number 5, {0} to {2} are the values."""
    for braced in ("{17}", "{5}", "{3}"):
        text = text.replace(braced, number % braced[1:-1])
    return text.format(*values)


def kernel(statements, loop, parameters="__global uint *out, __global const uint *in, int n"):
    first, middle, last = statements
    if loop:
        middle = ["for (int i = 0; i < n; ++i) {", *middle, "}"]
    return "__kernel void f(%s) {\n  %s\n}\n" % (parameters, "\n  ".join([*first, *middle, *last]))


def scalars(text):
    return (["uint a = in[0], b = in[1], c = in[2];"],
            [rounds(text, ["abc"[(i + k) % 3] for k in range(3)], "%su") for i in range(200)],
            ["if (a < n) out[a] = b;"])


def vectors(text):
    return (["uint4 a = vload4(0, in), b = vload4(1, in), c = vload4(2, in);"],
            [rounds(text, ["abc"[(i + k) % 3] for k in range(3)], "(uint4)(%s)") for i in range(100)],
            ["if (a.x < n) out[a.y] = b.z;"])


def elements(text):
    return (["uint w[200];", *("w[%d] = in[get_global_id(0) * 4 + %d];" % (i, i) for i in range(4))],
            [rounds(text, ["w[%d]" % (i - k) for k in (0, 1, 3)], "%su") for i in range(4, 200)],
            ["if (w[199] < n) out[w[198]] = w[197];"])


def carried(text):
    values = ["v%d" % i for i in range(25)]
    return (["uint %s = in[%d];" % (v, i) for i, v in enumerate(values)],
            [rounds(text, [values[(i + k) % 25] for k in (0, 3, 7)], "%su") for i in range(25)],
            ["if (v0 < n) out[v1] = v2;"])


def large_structures():
    fields = " ".join("float m%d[67108864];" % i for i in range(15))
    moves = ["s->m%d[i] += s->m%d[i + 1];" % (i, (i + 1) % 15) for i in range(15)]
    return "typedef struct { %s } Cells;\n" % fields + kernel(
        (["int i = get_global_id(0);"], moves, []), False, "__global Cells *s, int n")


def places():
    """Each value is defined once, in the loop; the last one is the index of an access."""
    chain = ["uint v%d = (v%d >> 3) ^ (v%d * 5u);" % (i, i - 1, i - 1) for i in range(1, 60)]
    return kernel(([], ["uint v0 = get_global_id(0) * 7u;", *chain, "also[i] = in[v59 & 255] + out[v59 & 255];"], []), True,
                  "__global uint *out, __global const uint *in, __global uint *also, int n")


def copies():
    """Elements copied through four arrays before they are stored, in a different order each time."""
    arrays = ["w%d" % i for i in range(4)]
    lines = ["__local uint tile[4096];", *("uint %s[64];" % w for w in arrays)]
    lines += ["w0[%d] = in[get_global_id(0) + %d];" % (i, i) for i in range(64)]
    lines += ["%s[%d] = %s[%d];" % (to, i, of, (i * 7 + 1) % 64) for of, to in zip(arrays, arrays[1:]) for i in range(64)]
    lines += ["tile[get_local_id(0) * 64 + %d] = w3[%d];" % (i, i) for i in range(64)]
    return kernel((lines, [], ["barrier(CLK_LOCAL_MEM_FENCE);", "out[get_global_id(0)] = tile[get_local_id(0) * 5 & 4095];"]), False)


def chosen():
    """Eight variables with thirty reaching definitions each, every one computed from the previous variable; the last is an index."""
    names = ["v%d" % i for i in range(8)]
    lines = ["int %s = 0;" % v for v in names]
    lines += ["if (n > %d) v0 = in[get_global_id(0) + %d];" % (i, i) for i in range(30)]
    lines += ["if (n > %d) %s = %s * 3 + %d;" % (i, to, of, i) for of, to in zip(names, names[1:]) for i in range(30)]
    return kernel((lines, [], ["out[v7 & 255] += get_local_id(0);"]), False)


def inlined():
    """A function of some hundred statements, called a hundred times: private accesses cannot conflict."""
    steps = ["w[%d] = rotate(w[%d] + w[(t + %d) & 15], %du) ^ w[%d];" % (i % 16, i * 7 % 16, i, i % 31 + 1, i * 3 % 16) for i in range(200)]
    return "void mix(uint *w, uint t) {\n  %s\n}\n" % "\n  ".join(steps) + kernel(
        (["uint w[16];", "for (int i = 0; i < 16; ++i) w[i] = in[get_global_id(0) * 16 + i];"], ["mix(w, in[%d]);" % i for i in range(100)],
         ["for (int i = 0; i < 16; ++i) out[get_global_id(0) * 16 + i] = w[i];"]), False)


def crossed():
    """Many writes and reads of one buffer at unknown indices: each pair may conflict."""
    lines = ["out[get_global_id(0) * n + in[%d] * %d] = in[n + %d] + out[get_global_id(0) + in[%d]];" % (i, i, i, i) for i in range(400)]
    return kernel((lines, [], []), False)


def swizzled():
    """Hash rounds on the components of a vector, each computed from others."""
    lines = []
    for a, b, c, d in ["048c", "59d1", "ae26", "f37b", "0123", "5674", "ab89", "fcde"] * 100:
        lines += ["t = x.s%s + x.s%s; x.s%s ^= rotate(t, %du);" % row for row in ((a, d, b, 7), (b, a, c, 9), (c, b, d, 13), (d, c, a, 18))]
    return kernel((["uint16 x = vload16(get_global_id(0), in);", "uint t;"], lines, ["if (x.s3 < n) vstore16(x, get_global_id(0), out);"]), True)


sources = {"inlined.cl": inlined(), "crossed.cl": crossed(), "swizzled.cl": swizzled(),
           "structures.cl": large_structures(), "places.cl": places(), "copies.cl": copies(), "chosen.cl": chosen()}
for (name, text), make, loop in itertools.product(ROUNDS.items(), (scalars, vectors, elements, carried), (False, True)):
    sources["%s-%s%s.cl" % (name, make.__name__, "-loop" if loop else "")] = kernel(make(text), loop)
for name, text in sources.items():
    with open(name, "w") as file:
        file.write(text)
    # Takes seconds; repeated recursive queries would exceed the time limit.
    done = subprocess.run([lint, "--no-cache", "--fail-on=error", name], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1) and "'f'" in done.stdout, (name, done.returncode, done.stdout[-500:], done.stderr[-500:])
    if name == "crossed.cl":
        assert "has too many accesses for write-race" in done.stdout, done.stdout[-500:]
# Code that is not analysed is reported.
with open("long.cl", "w") as file:
    file.write(kernel((["out[get_global_id(0)] = in[0];"], ["n += n >> 3;"] * 51000, []), False))
done = subprocess.run([lint, "--no-cache", "--fail-on=error", "long.cl"], capture_output=True, text=True, timeout=120)
assert "kernel f is seen in part: it is too large" in done.stdout, done.stdout[-500:]
print("all kernels were linted in time")
