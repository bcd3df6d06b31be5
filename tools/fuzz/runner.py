#!/usr/bin/env python3
"""An independent runner: compares original and rewritten kernel, using only the launch file, the
sources and the manifest.

It shares no code with the model, the rewriters or the judge, so their mistakes cannot affect it: it
has its own expression evaluator, OpenCL binding (ctypes) and data.

Before:  NAME.launch.yaml, the original .cl, a rewritten .cl and its manifest.
After:   one JSON object on standard output: for each size, equal or the first difference;
         with --bench=N also the best time of each over N runs.
Exit:    0 all equal, 3 a difference (or an out-of-bounds write), 2 could not be run.

Limits: buffers, __local pointers, scalars, and images of one to three dimensions (no arrays, no samplers as
arguments). A guard zone after each buffer reveals
out-of-bounds writes and, by two different fillings, out-of-bounds reads that affect the result.
"""
import argparse
import array
import ctypes as C
import json
import os
import random
import re
import struct
import sys
import time

import yaml

# ---------------------------------------------------------------------------- expressions

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(\|\||&&|[<>=!]=|[-+*/%()<>,!]))")


EXTENTS = ("width", "height", "depth")


class Expr(Exception):
    """An expression that cannot be evaluated: what and where."""


def evaluate(text, names):
    """The value of a launch-file expression: 64-bit integers, truncation as in C, overflow checked."""
    text = str(text)
    tokens, pos = [], 0
    while pos < len(text.rstrip()):
        m = _TOKEN.match(text, pos)
        if not m:
            raise Expr(f"cannot read '{text}' at {pos}")
        tokens.append(m.group(m.lastindex))
        pos = m.end()
    tokens.append("")
    at = [0]

    def peek():
        return tokens[at[0]]

    def take(want=None):
        t = tokens[at[0]]
        if want is not None and t != want:
            raise Expr(f"'{want}' wanted, '{t}' found in '{text}'")
        at[0] += 1
        return t

    def check(v):
        if not -(1 << 63) <= v < (1 << 63):
            raise Expr(f"overflow in '{text}'")
        return v

    def primary():
        t = take()
        if t == "(":
            v = level(0)
            take(")")
            return v
        if t == "-":
            return check(-primary())
        if t == "+":
            return primary()
        if t == "!":
            return int(not primary())
        if t.isdigit():
            return check(int(t))
        if re.match(r"[A-Za-z_]", t or ""):
            if peek() == "(":
                take("(")
                if t in EXTENTS:
                    size = names.get(take(), (1, 1, 1))
                    take(")")
                    return size[EXTENTS.index(t)]
                a = level(0)
                take(",")
                b = level(0)
                take(")")
                if t == "roundup":
                    if b <= 0:
                        raise Expr(f"roundup to {b} in '{text}'")
                    return check(-(-a // b) * b)
                if t in ("min", "max"):
                    return (min if t == "min" else max)(a, b)
                raise Expr(f"unknown function {t} in '{text}'")
            if t not in names:
                raise Expr(f"unknown name {t} in '{text}'")
            return names[t]
        raise Expr(f"cannot read '{text}' at '{t}'")

    levels = [["||"], ["&&"], ["==", "!="], ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "%"]]

    def apply(op, a, b):
        if op in ("/", "%"):
            if b == 0:
                raise Expr(f"division by zero in '{text}'")
            q = abs(a) // abs(b)
            q = q if (a < 0) == (b < 0) else -q
            return q if op == "/" else a - q * b
        return {"||": lambda: int(bool(a or b)), "&&": lambda: int(bool(a and b)),
                "==": lambda: int(a == b), "!=": lambda: int(a != b), "<": lambda: int(a < b),
                ">": lambda: int(a > b), "<=": lambda: int(a <= b), ">=": lambda: int(a >= b),
                "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b}[op]()

    def level(n):
        if n == len(levels):
            return primary()
        v = level(n + 1)
        while peek() in levels[n]:
            op = take()
            # The right operand of a short-circuited && or || may be undefined (n > 0 && m / n > 1).
            if (op == "&&" and not v) or (op == "||" and v):
                skip_errors(n + 1)
                v = int(op == "||")
                continue
            v = check(apply(op, v, level(n + 1)))
        return v

    def skip_errors(n):
        start, depth = at[0], 0
        try:
            level(n)
        except Expr:
            at[0] = start
            while peek() and not (depth == 0 and peek() in (")", ",", "&&", "||")):
                depth += (peek() == "(") - (peek() == ")")
                at[0] += 1

    v = level(0)
    if peek():
        raise Expr(f"'{peek()}' left over in '{text}'")
    return v


# ---------------------------------------------------------------------------- OpenCL by ctypes

class CLError(Exception):
    pass


class CL:
    """The few OpenCL calls that are needed, on the first device of a platform."""

    def __init__(self, platform=""):
        try:
            # If Oclgrind is preloaded, its functions of the same names are called instead of the loader's.
            self.lib = C.CDLL(None)
            if not hasattr(self.lib, "clGetPlatformIDs"):
                self.lib = C.CDLL("libOpenCL.so.1")
        except OSError as e:
            raise CLError(f"no OpenCL loader: {e}")
        n = C.c_uint()
        self.lib.clGetPlatformIDs(0, None, C.byref(n))
        ids = (C.c_void_p * max(n.value, 1))()
        self.lib.clGetPlatformIDs(n, ids, None)
        for p in ids[: n.value]:
            name = self.info(self.lib.clGetPlatformInfo, C.c_void_p(p), 0x0902).decode()
            if platform.lower() not in name.lower():
                continue
            dev = C.c_void_p()
            if self.lib.clGetDeviceIDs(C.c_void_p(p), C.c_ulong(0xFFFFFFFF), 1, C.byref(dev), None):
                continue
            self.platform, self.dev = name, dev
            break
        else:
            raise CLError("no OpenCL device" + (f" on a platform named '{platform}'" if platform else ""))
        self.lib.clCreateContext.restype = C.c_void_p
        self.lib.clCreateCommandQueue.restype = C.c_void_p
        self.lib.clCreateProgramWithSource.restype = C.c_void_p
        self.lib.clCreateKernel.restype = C.c_void_p
        self.lib.clCreateBuffer.restype = C.c_void_p
        self.lib.clCreateImage.restype = C.c_void_p
        err = C.c_int()
        self.ctx = C.c_void_p(self.lib.clCreateContext(None, 1, C.byref(self.dev), None, None, C.byref(err)))
        self.ok(err.value, "clCreateContext")
        self.groups_of_one = False  # where no local size is given
        self.queue = C.c_void_p(self.lib.clCreateCommandQueue(self.ctx, self.dev, C.c_ulong(0), C.byref(err)))
        self.ok(err.value, "clCreateCommandQueue")

    def ok(self, err, what):
        if err:
            raise CLError(f"{what}: error {err}")

    def info(self, fn, *key):
        size = C.c_size_t()
        args = [C.c_uint(k) if isinstance(k, int) else k for k in key]
        if fn(*args, C.c_size_t(0), None, C.byref(size)):
            return b""
        buf = C.create_string_buffer(size.value + 1)
        fn(*args, size, buf, None)
        return buf.raw[: max(size.value - 1, 0)]

    def build(self, source, options):
        err = C.c_int()
        text = source if isinstance(source, bytes) else source.encode()
        ptr = C.c_char_p(text)
        prog = C.c_void_p(self.lib.clCreateProgramWithSource(
            self.ctx, 1, C.byref(ptr), C.byref(C.c_size_t(len(text))), C.byref(err)))
        self.ok(err.value, "clCreateProgramWithSource")
        rc = self.lib.clBuildProgram(prog, 1, C.byref(self.dev), options.encode(), None, None)
        log = self.info(self.lib.clGetProgramBuildInfo, prog, self.dev, 0x1183).decode(errors="replace")
        if rc:
            raise CLError(f"build failed ({rc}): {log.strip()[:1500]}")
        return prog, log

    def kernel(self, prog, name):
        err = C.c_int()
        k = self.lib.clCreateKernel(prog, name.encode(), C.byref(err))
        self.ok(err.value, f"kernel '{name}'")
        return C.c_void_p(k)

    def arg_type(self, kernel, i):
        """(type name without qualifiers, is it a pointer, address space)"""
        name = self.info(self.lib.clGetKernelArgInfo, kernel, i, 0x1198).decode()
        space = C.c_uint()
        self.lib.clGetKernelArgInfo(kernel, C.c_uint(i), C.c_uint(0x1196), C.c_size_t(4), C.byref(space), None)
        if not name:
            raise CLError("the device gives no argument information")
        return name.rstrip("*").strip(), name.endswith("*"), space.value

    def buffer(self, data):
        err = C.c_int()
        hold = (C.c_char * len(data)).from_buffer(data) if isinstance(data, bytearray) else data
        b = self.lib.clCreateBuffer(self.ctx, C.c_ulong(1 | 32), C.c_size_t(len(data)), hold, C.byref(err))
        self.ok(err.value, "clCreateBuffer")
        return C.c_void_p(b)

    def image(self, order, kind, size, data):
        """An image of that many texels along each dimension, and its first contents."""
        err = C.c_int()
        dims = len(size)
        width, height, depth = (list(size) + [0, 0])[:3]
        pad = [0] * 7  # array size, pitches, mip levels, samples, buffer
        desc = struct.pack("=I4x4Q2Q2IQ", {1: 0x10F4, 2: 0x10F1, 3: 0x10F2}[dims], width, height, depth, *pad[:6])
        i = self.lib.clCreateImage(self.ctx, C.c_ulong(1 | 32), struct.pack("II", order, kind), desc,
                                   (C.c_char * len(data)).from_buffer(bytearray(data)), C.byref(err))
        self.ok(err.value, "clCreateImage")
        return C.c_void_p(i)

    def read_image(self, image, size, count):
        out = bytearray(count)
        three = C.c_size_t * 3
        region = three(*(list(size) + [1, 1])[:3])
        self.ok(self.lib.clEnqueueReadImage(self.queue, image, 1, three(0, 0, 0), region, C.c_size_t(0), C.c_size_t(0),
                                            (C.c_char * count).from_buffer(out), 0, None, None), "read image")
        return out

    def read(self, buf, size):
        out = bytearray(size)
        self.ok(self.lib.clEnqueueReadBuffer(self.queue, buf, 1, C.c_size_t(0), C.c_size_t(size),
                                             (C.c_char * size).from_buffer(out), 0, None, None), "read")
        return out

    def enqueue(self, kernel, gsize, lsize, offset):
        dims = len(gsize)
        if not lsize and self.groups_of_one:
            lsize = [1] * dims
        arr = lambda v: (C.c_size_t * dims)(*v) if v else None
        self.ok(self.lib.clEnqueueNDRangeKernel(self.queue, kernel, dims, arr(offset), arr(gsize), arr(lsize),
                                                0, None, None), f"enqueue {gsize} local {lsize}")

    def finish(self):
        self.ok(self.lib.clFinish(self.queue), "clFinish")


# ---------------------------------------------------------------------------- types and data

BASE = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
        "long": "q", "ulong": "Q", "float": "f", "double": "d", "size_t": "Q",
        "unsigned char": "B", "unsigned short": "H", "unsigned int": "I", "unsigned": "I",
        "unsigned long": "Q", "signed char": "b", "bool": "B", "half": "H"}


ORDERS = {"r": (0x10B0, 1), "rgba": (0x10B5, 4), "bgra": (0x10B6, 4)}  # cl_channel_order, channels
CHANNELS = {"snorm8": (0x10D0, "b"), "snorm16": (0x10D1, "h"), "unorm8": (0x10D2, "B"), "unorm16": (0x10D3, "H"),
            "sint8": (0x10D7, "b"), "sint16": (0x10D8, "h"), "sint32": (0x10D9, "i"), "uint8": (0x10DA, "B"),
            "uint16": (0x10DB, "H"), "uint32": (0x10DC, "I"), "half": (0x10DD, "H"), "float": (0x10DE, "f")}


def format_of(name):
    """(cl_channel_order, cl_channel_type, element code, channels) of "rgba-unorm8"."""
    order, _, kind = name.partition("-")
    if order not in ORDERS or kind not in CHANNELS:
        raise CLError(f"image format {name}")
    return ORDERS[order][0], CHANNELS[kind][0], CHANNELS[kind][1], ORDERS[order][1]


class Types:
    """Element code and width of an argument type. Types that are not built in are determined on the
    device, by a probe kernel appended to the user's source."""

    def __init__(self, cl, source, options):
        self.cl, self.source, self.options, self.known = cl, source, options, {}

    def of(self, name):
        name = " ".join(w for w in name.split() if w not in ("const", "volatile", "restrict"))
        m = re.fullmatch(r"(\w+?)(2|3|4|8|16)", name)
        if name in BASE:
            return BASE[name], 1
        if m and m.group(1) in BASE:
            lanes = int(m.group(2))
            return BASE[m.group(1)], 4 if lanes == 3 else lanes
        if name not in self.known:
            self.known[name] = self.probe(name)
        return self.known[name]

    def probe(self, name):
        """(code, count): a typedef of a scalar or of a vector, else bytes."""
        for body in (f"o[0]=sizeof({name}); o[1]=(({name})0.5f!=0); o[2]=(({name})-1<0); o[3]=1;",
                     f"o[0]=sizeof({name})/vec_step({name}); o[1]=((({name})(0.5f)).s0!=0); o[2]=((({name})(-1)).s0<0);"
                     f" o[3]=vec_step({name});",
                     f"o[0]=sizeof({name});o[1]=9;"):
            text = f"{self.source}\n__kernel void clprobe_(__global uint *o) {{ {body} }}\n"
            try:
                prog, _ = self.cl.build(text, self.options)
                k = self.cl.kernel(prog, "clprobe_")
            except CLError:
                continue
            buf = self.cl.buffer(bytearray(16))
            self.cl.lib.clSetKernelArg(k, 0, C.c_size_t(8), C.byref(buf))
            self.cl.enqueue(k, [1], None, None)
            self.cl.finish()
            size, isfloat, signed, lanes = struct.unpack("4I", self.cl.read(buf, 16))
            if isfloat == 9:  # a struct: compared by fields if all are floating point (all NaNs are
                # equal), else by bytes
                body = re.search(rf"struct\s+{name.split()[-1]}\s*\{{([^}}]*)\}}|\{{([^}}]*)\}}\s*{name.split()[-1]}\s*;", self.source)
                kinds = set(re.findall(r"(?:^|[;{])\s*(\w+?)\d*\s", ";" + (body.group(1) or body.group(2)) if body else ""))
                code = {"float": "f", "double": "d"}.get(kinds.pop() if len(kinds) == 1 else "", "B")
                return code, size // sizeof(code)
            code = {1: "b", 2: "h", 4: "i", 8: "q"}[size]
            if isfloat:
                return {4: "f", 8: "d"}[size], lanes
            return (code if signed else code.upper()), lanes
        raise CLError(f"type '{name}' is not understood")


def sizeof(code):
    return struct.calcsize(code)


def fill(code, n, spec, rng, where, names):
    """n elements of a code as bytes, as specified by the launch file's data."""
    size = sizeof(code)
    if spec is None and code in "fd":  # random over the whole type: any bit pattern
        block = rng.randbytes(min(n, 131071) * size)
        return bytearray((block * -(-n // 131071))[: n * size])
    spec = spec if spec is not None else {}
    if spec == "zero":
        return bytearray(n * size)
    if isinstance(spec, dict) and "values" in spec:
        vals = [float(v.replace(".nan","nan").replace(".inf","inf")) if code in "fd" else int(v, 0) for v in spec["values"]]
        vals = (vals * (n // max(len(vals), 1) + 1))[:n]
        return bytearray(array.array(code, vals).tobytes())
    if isinstance(spec, dict) and "file" in spec:
        with open(os.path.join(where, spec["file"]), "rb") as f:
            data = f.read(n * size)
        return bytearray(data + bytes(n * size - len(data)))
    # A long buffer repeats a block of prime length: irregular data at low cost.
    block = min(n, 131071)
    if code in "fd":
        if "range" in spec:
            lo, hi = (evaluate(v, names) for v in spec["range"])
            vals = array.array(code, [float(rng.randint(lo, hi)) for _ in range(block)])
        else:
            lo, hi = map(float, spec["uniform"])
            vals = array.array(code, [rng.uniform(lo, hi) for _ in range(block)])
    elif "range" in spec or "uniform" in spec:
        lo, hi = (int(evaluate(v, names)) if "range" in spec else int(float(v))
                  for v in spec.get("range", spec.get("uniform")))
        vals = array.array(code, [rng.randint(lo, hi) for _ in range(block)])
    else:
        vals = rng.randbytes(block * size)
    raw = vals if isinstance(vals, bytes) else vals.tobytes()
    reps = -(-n // max(block, 1))
    return bytearray((raw * reps)[: n * size])


def pack_scalar(code, count, text, names):
    if isinstance(text, list):
        return b"".join(pack_scalar(code, 1, t, names) for t in text).ljust(count * sizeof(code), b"\0")
    if code in "fd":
        return struct.pack(f"{count}{code}", *[float(eval_float(text, names))] * count)
    v = evaluate(text, names)
    bits = 8 * sizeof(code)
    v &= (1 << bits) - 1
    if code.islower() and v >> (bits - 1):
        v -= 1 << bits
    return struct.pack(f"{count}{code}", *[v] * count)


def eval_float(text, names):
    try:
        return float(str(text).rstrip("fF"))
    except ValueError:
        return float(evaluate(text, names))


GUARD = 4096


class Launch:
    """A parsed launch file."""

    def __init__(self, path):
        with open(path) as f:
            self.doc = yaml.load(f, yaml.BaseLoader)
        self.path, self.where = path, os.path.dirname(os.path.abspath(path))
        self.kernel = self.doc["kernel"]
        self.sizes = self.doc.get("sizes") or [{}]
        defs = self.doc.get("defines") or {}
        self.options = " ".join([self.doc.get("options", "")] + [f"-D{k}={v}" if v != "" else f"-D{k}" for k, v in defs.items()]).strip()

    def source(self):
        return os.path.join(self.where, self.doc["source"])

    def names(self, size):
        """The names in expressions: the variables of the size, and the defines that are integers."""
        defs = {k: int(v) for k, v in (self.doc.get("defines") or {}).items() if re.fullmatch(r"-?\d+", v)}
        return {**defs, **{k: int(v) for k, v in size.items()}}

    def items(self, size):
        n, count = self.names(size), 1
        for e in self.doc.get("global") or []:
            count *= evaluate(e, n)
        return count

    def as_host(self, texts):
        """The sizes at which the runtime chooses an unspecified local size: all, or, if the kernel cannot depend on
        its groups, only the largest and other large sizes. A device that compiles for each local size spends more
        time on that than on the runs."""
        sizes = [s for s in self.sizes if self.allowed(self.names(s))]
        if not sizes or any(w in t for t in texts for w in (b"local", b"group", b"barrier", b"mem_fence", b"#include", b"##")):
            return sizes
        largest = max(sizes, key=self.items)
        return [s for s in sizes if s == largest or self.items(s) > 1 << 14]

    def allowed(self, names):
        return all(evaluate(r, names) for r in self.doc.get("require") or [])


class Run:
    """One launch of the original: the arguments are created once and can be run many times with any program."""

    def __init__(self, cl, launch, types, probe, size, seed):
        self.cl, self.launch = cl, launch
        n = self.names = launch.names(size)
        rng = random.Random(f"{seed}/{sorted(n.items())}")
        self.args = []  # (name, kind, payload, code)
        byname = {}
        for i, a in enumerate(launch.doc.get("args") or []):
            tname, ptr, space = cl.arg_type(probe, i)
            if "local" in a:
                self.args.append((a["name"], "local", evaluate(a["local"], n), None))
                continue
            if "image" in a:
                self.args.append(self.image_of(a, rng))
                continue
            code, count = types.of(tname)
            if "buffer" in a:
                data = a.get("data")
                if isinstance(data, dict) and "same-as" in data:
                    self.args.append((a["name"], "same", data["same-as"], code))
                    continue
                elements = evaluate(a["count"], n) * count
                raw = fill(code, elements, data, rng, launch.where, n)
                byname[a["name"]] = raw
                self.args.append((a["name"], "buffer", raw, code))
            else:
                self.args.append((a["name"], "scalar", pack_scalar(code, count, a["value"], n), code))
        d = launch.doc
        three = lambda key, default: ([evaluate(e, n) for e in d[key]] if d.get(key) else default)
        self.gsize = three("global", [1])
        self.lsize = three("local", None)
        self.offset = three("offset", None)
        self.env = {}
        for axis, i in zip("xyz", range(3)):
            self.env["g" + axis] = self.gsize[i] if i < len(self.gsize) else 1
            self.env["l" + axis] = (self.lsize[i] if i < len(self.lsize) else 1) if self.lsize else 0
            self.env["o" + axis] = self.offset[i] if self.offset and i < len(self.offset) else 0
        for name, kind, raw, code in self.args:
            if kind == "scalar" and code not in "fd" and len(raw) == sizeof(code):
                self.env[name] = struct.unpack(code, raw)[0]

    def image_of(self, a, rng):
        order, kind, code, channels = format_of(a["format"])
        size = [evaluate(e, self.names) for e in a["size"]]
        self.names[a["name"]] = tuple(size) + (1, 1)
        texels = 1
        for n in size:
            texels *= n
        data = a.get("data")
        # What read_imagef gives becomes what is stored.
        if isinstance(data, dict) and "uniform" in data and code in "bBhH" and "norm" in a["format"]:
            top = (1 << (8 * sizeof(code) - code.islower())) - 1
            data = {"range": [str(round(float(v) * top)) for v in data["uniform"]]}
        raw = fill(code, texels * channels, data, rng, self.launch.where, self.names)
        return a["name"], "image", (order, kind, size, raw), code

    def plan(self, manifest):
        """[(kernel, global, local, offset, localBytes)] for the original or for a manifest."""
        if manifest is None:
            return [(self.launch.kernel, self.gsize, self.lsize, self.offset, {})]
        out = []
        for k in manifest["kernels"]:
            if k["original"] != self.launch.kernel:
                continue
            for l in k["launches"]:
                if not evaluate(l.get("when") or "1", self.env):
                    continue
                dims = lambda v: [evaluate(e, self.env) for e in v] if v else None
                local = dims(l.get("local"))
                if local and 0 in local:
                    local = None
                lb = {n: evaluate(e, self.env) for n, e in (l.get("localBytes") or {}).items()}
                out.append((l["kernel"], dims(l["global"]), local, dims(l.get("offset")), lb))
        if not out:
            raise CLError(f"no launch of the manifest applies to {self.env}")
        return out

    def go(self, prog, plan, guard, bench=0):
        """{buffer name: bytes with guard}, best seconds"""
        cl, bufs = self.cl, {}
        zone = GUARD if guard is not None else 0  # none: Oclgrind detects out-of-bounds accesses itself
        for name, kind, raw, code in self.args:
            if kind == "buffer":
                bufs[name] = (cl.buffer(raw + bytes([guard or 0]) * zone), len(raw))
            elif kind == "image":
                bufs[name] = (cl.image(*raw), len(raw[3]))
        kernels = []
        for name, g, l, o, lb in plan:
            k = cl.kernel(prog, name)
            for i, (an, kind, raw, code) in enumerate(self.args):
                if kind == "local":
                    rc = cl.lib.clSetKernelArg(k, i, C.c_size_t(lb.get(an, raw)), None)
                elif kind == "scalar":
                    rc = cl.lib.clSetKernelArg(k, i, C.c_size_t(len(raw)), raw)
                else:
                    b = bufs[an if kind in ("buffer", "image") else raw][0]
                    rc = cl.lib.clSetKernelArg(k, i, C.c_size_t(8), C.byref(b))
                cl.ok(rc, f"argument {an} of {name}")
            kernels.append((k, g, l, o))
        best = None

        def once():
            for k, g, l, o in kernels:
                cl.enqueue(k, g, l, o)
            cl.finish()
        once()
        images = {name: raw[2] for name, kind, raw, code in self.args if kind == "image"}
        out = {n: cl.read_image(b, images[n], size) if n in images else cl.read(b, size + zone)
               for n, (b, size) in bufs.items()}
        for _ in range(bench):
            t = time.perf_counter()
            once()
            t = time.perf_counter() - t
            best = t if best is None else min(best, t)
        for b, _ in bufs.values():
            cl.lib.clReleaseMemObject(b)
        for k, *_ in kernels:
            cl.lib.clReleaseKernel(k)
        return out, best


def difference(code, a, b, tolerance):
    """The first element where a and b differ, or None. Any NaN equals any NaN."""
    if a == b:
        return None
    x, y = array.array(code, bytes(a)), array.array(code, bytes(b))
    size = sizeof(code)
    for i, (p, q) in enumerate(zip(x, y)):
        if a[i * size:(i + 1) * size] == b[i * size:(i + 1) * size]:
            continue
        if code in "fd":
            if p != p and q != q:
                continue
            rel, ulp, absolute = tolerance
            if abs(p - q) <= max(absolute, rel * max(abs(p), abs(q))) < float("inf"):
                continue
            if ulp and p == p and q == q and abs(ordinal(code, p) - ordinal(code, q)) <= ulp:
                continue
        return i, p, q
    return None


def ordinal(code, v):
    i = struct.unpack("i" if code == "f" else "q", struct.pack(code, v))[0]
    return i if i >= 0 else -(i & (0x7FFFFFFF if code == "f" else 0x7FFFFFFFFFFFFFFF))


def tolerance_of(launch, arg):
    c = dict(launch.doc.get("compare") or {})
    for a in launch.doc.get("args") or []:
        if a["name"] == arg:
            c.update(a.get("compare") or {})
    return float(c.get("rel", 0)), int(c.get("ulp", 0)), float(c.get("abs", 0))


def compare(run, original, rewritten, tag):
    for name, kind, raw, code in run.args:
        if kind not in ("buffer", "image"):
            continue
        n = len(raw if kind == "buffer" else raw[3])
        if rewritten[name][n:] != original[name][n:]:
            return f"{tag}: {name}: a write beyond the end of the buffer"
        d = difference(code, original[name][:n], rewritten[name][:n], tolerance_of(run.launch, name))
        if d:
            return f"{tag}: {name}[{d[0]}] is {d[2]!r}, the original gives {d[1]!r}"
    return None


def check(launch_path, source_path, rewritten_path, manifest_path, platform="", seed=1, bench=0,
          sizes=None, extra_options="", only="", against_itself=False):
    """The whole comparison as a dictionary: verdict equal | different | cannot, and why.
    only = original | rewritten runs just that, once for each size: for counting under Oclgrind.
    against_itself compares the original with its own build without the device's optimisation."""
    launch = Launch(launch_path)
    cl = CL(platform)
    with open(source_path or launch.source(), "rb") as f:
        source = f.read().decode(errors="surrogateescape").encode(errors="surrogateescape")
    options = " ".join(filter(None, [launch.options, "-cl-kernel-arg-info", extra_options]))
    prog, _ = cl.build(source, options)
    types = Types(cl, source.decode(errors="replace"), options)
    probe = cl.kernel(prog, launch.kernel)
    manifest, newprog, warnings = None, None, ""
    if rewritten_path:
        with open(rewritten_path, "rb") as f:
            text = f.read()
        with open(manifest_path) as f:
            manifest = json.load(f)
        newprog, warnings = cl.build(text, options)
    if against_itself:
        newprog, _ = cl.build(source, options + " -cl-opt-disable")
    result = {"verdict": "equal", "platform": cl.platform, "runs": [], "warnings": warnings.strip()}
    as_host = (sizes or launch.sizes) if bench or only or sizes else launch.as_host([source, text if rewritten_path else b""])
    done = 0
    for size in sizes or launch.sizes:
        if not launch.allowed(launch.names(size)):
            result["runs"].append({"size": size, "skipped": "require"})
            continue
        cl.groups_of_one = size not in as_host
        run = Run(cl, launch, types, probe, size, seed)
        entry = {"size": size}
        if only:
            run.go(newprog if only == "rewritten" else prog, run.plan(manifest if only == "rewritten" else None), None)
            result["runs"].append(entry)
            done += 1
            continue
        base = run.plan(None)
        a, t = run.go(prog, base, 0xA5, bench)
        a2, _ = run.go(prog, base, 0x3C)
        problem = None
        for name, kind, raw, code in run.args:
            if kind == "image":
                if difference(code, a[name], a2[name], (0, 0)):
                    problem = f"the original is not deterministic ({name})"
            elif kind == "buffer" and a[name][len(raw):] != bytes([0xA5]) * GUARD:
                problem = f"the original writes beyond {name}"
            elif kind == "buffer" and difference(code, a[name][:len(raw)], a2[name][:len(raw)], (0, 0)):
                problem = f"the original is not deterministic, or reads beyond a buffer ({name})"
        if problem:
            entry["skipped"] = problem
        elif newprog:
            plan = run.plan(manifest)
            entry["launches"] = [[p[0], p[1], p[2], p[3]] for p in plan]
            for guard, base_out in ((0xA5, a), (0x3C, a2)):
                b, t2 = run.go(newprog, plan, guard, bench if guard == 0xA5 else 0)
                if t2 is not None:
                    entry["speedup"] = t / t2 if t2 else 0
                    entry["rewritten"] = t2
                why = compare(run, base_out, b, json.dumps(size))
                if why:
                    entry["different"] = why
                    result["verdict"] = "different"
                    break
        if t is not None:
            entry["original"] = t
        done += "skipped" not in entry
        result["runs"].append(entry)
        if result["verdict"] == "different":
            break
    if not done:
        result["verdict"] = "cannot"
        result["why"] = "; ".join(str(r.get("skipped")) for r in result["runs"])
    return result


def main():
    p = argparse.ArgumentParser(description="Run a rewritten kernel against its original, independently.")
    p.add_argument("launch")
    p.add_argument("--source", help="the original (default: the launch file's source)")
    p.add_argument("--rewritten")
    p.add_argument("--manifest")
    p.add_argument("--platform", default="")
    p.add_argument("--seed", default="1")
    p.add_argument("--bench", type=int, default=0)
    p.add_argument("--size", action="append", help="name=value,name=value instead of the launch file's sizes")
    p.add_argument("--self", action="store_true", help="the original against its own unoptimised build")
    p.add_argument("--only", choices=["original", "rewritten"], default="", help="run just this one, once")
    p.add_argument("--options", default="", help="further build options, for both")
    a = p.parse_args()
    sizes = [dict(kv.split("=") for kv in s.split(",")) for s in a.size] if a.size else None
    try:
        r = check(a.launch, a.source, a.rewritten, a.manifest, a.platform, a.seed, a.bench, sizes, a.options, a.only, a.self)
    except (CLError, Expr, OSError, KeyError, ValueError, OverflowError) as e:
        r = {"verdict": "cannot", "why": f"{type(e).__name__}: {e}"}
    print(json.dumps(r))
    return {"equal": 0, "different": 3, "cannot": 2}[r["verdict"]]


if __name__ == "__main__":
    sys.exit(main())
