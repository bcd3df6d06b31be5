"""When a planted fault shows: a condition over ids, sizes, scalars, the local size or loaded values.

A trigger is a condition in OpenCL C with what is needed to reach it: sizes to try, and changes of the
launch file (another scalar, a local size, contents of a buffer).
"""
import random
import re
import struct
from dataclasses import dataclass, field

import text as T

MULTIPLIER = 2654435761
CODES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
         "long": "q", "ulong": "Q", "float": "f", "double": "d"}


@dataclass
class Trigger:
    kind: str
    condition: str
    size: dict                                    # a size at which it may be met
    scalar: tuple = ()                            # (argument, value)
    local: list = field(default_factory=list)     # a local size
    data: dict = field(default_factory=dict)      # buffer: bytes of elements that must occur


def conditions(name, number, r):
    """Conditions on a value that it meets where it is the number: [(suffix of the kind, text)]"""
    of, value = r.choice([61, 251, 1009]), f"(uint){name}"
    return [("equals", f"{name} == {number}"), ("above", f"{name} >= {number}"),
            ("residue", f"{value} % {of}u == {number % of}u"),
            ("hash", f"{value} * {MULTIPLIER}u >> 12 == {number * MULTIPLIER % (1 << 32) >> 12}u")]


class Triggers:
    """The triggers for one kernel under one launch file."""

    def __init__(self, kernel, launch, sizes, dims, rng):
        self.k, self.launch, self.sizes, self.dims, self.r = kernel, launch, sizes, dims, rng
        variables = {v for s in launch.sizes for v in s}
        self.sized, self.fixed = [], []
        for a in launch.doc.get("args") or []:
            p = kernel.parameter(a["name"])
            if not p or p.space or not p.type or p.type[1] != 1 or "value" not in a:
                continue
            words = set(re.findall(r"[A-Za-z_]\w*", str(a["value"])))
            if p.type[0] not in ("float", "double"):
                (self.sized if words & variables else self.fixed).append((p.name, p.type[0]))

    def id(self, want=lambda env, ids: True):
        at = self.sizes.random(want)
        if not at:
            return None
        size, _, ids = at
        d = self.r.randrange(self.dims)
        c = self.r.randrange(ids[d]) if self.r.random() < 0.7 else ids[d] - 1
        kind, text = self.r.choice(conditions(f"get_global_id({d})", c, self.r))
        return Trigger(f"id {kind}", text, size)

    def pair(self):
        at = self.sizes.random() if self.dims > 1 else None
        if not at:
            return None
        a, b = (self.r.randrange(n) for n in at[2][:2])
        return Trigger("ids pair", f"get_global_id(0) == {a} && get_global_id(1) == {b}", at[0])

    def last(self):
        d = self.r.randrange(self.dims)
        at = self.sizes.random(lambda env, ids: ids[d] > 2)
        return at and Trigger("id from the end",
                              f"get_global_id({d}) + 2 == get_global_size({d})", at[0])

    def size(self):
        at = self.sizes.random()
        if not at:
            return None
        d = self.r.randrange(self.dims)
        name, c = f"get_global_size({d})", at[2][d]
        if self.sized and self.r.random() < 0.7:
            name = self.r.choice(self.sized)[0]
            c = at[1].get(name, 0)
        kind, text = self.r.choice(conditions(name, c, self.r))
        return Trigger(f"size {kind}", text, at[0])

    def relation(self):
        at = self.sizes.random() if len(self.sized) > 1 else None
        if not at:
            return None
        (a, _), (b, _) = self.r.sample(self.sized, 2)
        x, y = at[1].get(a, 0), at[1].get(b, 0)
        text = f"{a} - {b} == {x - y}" if self.r.random() < 0.5 else f"{a} + {b} == {x + y}"
        return Trigger("sizes relation", text, at[0])

    def scalar(self):
        at = self.sizes.random() if self.fixed else None
        if not at:
            return None
        name, kind = self.r.choice(self.fixed)
        c = self.r.choice([31, 32, 33, 63, 64, 255, 256, 257, 65535, 65536, (1 << 31) - 1, -1, -7,
                           -(1 << 31), self.r.randint(2, 1000), self.r.randint(1000, 1 << 30)])
        bits = 8 * T.SCALARS[kind]
        low = 0 if kind.startswith("u") else -(1 << (bits - 1))
        if not low <= c < low + (1 << bits):
            return None
        text = f"{name} == (-{-c - 1} - 1)" if c < 0 else f"{name} == {c}"
        return Trigger("scalar equals", text, at[0], scalar=(name, c))

    def group(self):
        c = self.r.choice([2, 3, 4, 6, 8, 16])
        at = None
        # Only where the launches pass the host's local size on.
        if not self.launch.doc.get("local") and self.sizes.local_size_matters():
            at = self.sizes.random(lambda env, ids: env["gx"] % c == 0 and ids[0] % c == 0)
        return at and Trigger("local size equals", f"get_local_size(0) == {c}", at[0], local=[c])

    def any(self):
        """A trigger for any place: mostly ids and sizes."""
        for _ in range(20):
            t = self.r.choice([self.id, self.id, self.id, self.pair, self.last, self.size, self.size,
                               self.size, self.relation, self.scalar, self.scalar, self.group])()
            if t:
                return t
        return None

    def pattern(self, load):
        """A trigger for the lanes of one load: one bit pattern, or two small values side by side."""
        spec = next((a.get("data") for a in self.launch.doc["args"] if a["name"] == load.buffer), None)
        lane = self.r.randrange(load.lanes)
        part = lambda i: f"{load.value}.s{i:x}" if load.lanes > 1 else load.value
        one, bits = value_of(load.scalar, spec, self.r)
        at = self.sizes.random()
        if one is None or not at:
            return None, 0
        code = CODES[load.scalar]
        condition, data = equals(part(lane), load.scalar, bits), struct.pack(code, one)
        if T.SCALARS[load.scalar] == 1:
            if load.lanes == 1:
                return None, 0
            other, more = value_of(load.scalar, spec, self.r)
            condition += " && " + equals(part((lane + 1) % load.lanes), load.scalar, more)
            data = b"".join(struct.pack(code, random.Random(i).choice([one, other])) for i in range(61))
        return Trigger("value pair" if len(data) == 61 else "value equals", condition, at[0],
                       data={load.buffer: data}), lane


def equals(text, scalar, bits):
    if scalar == "float":
        return f"as_uint({text}) == {bits}u"
    if scalar == "double":
        return f"as_ulong({text}) == {bits}ul"
    return f"{text} == ({scalar}){bits & (1 << 63) - 1}" if bits >= 0 else f"{text} == ({scalar})({bits})"


def value_of(scalar, spec, r):
    """(a value that the launch file allows, its bits), or (None, None)"""
    size = T.SCALARS[scalar]
    if spec in ("zero",) or isinstance(spec, dict) and not set(spec) & {"range", "uniform"}:
        return None, None
    if scalar in ("float", "double"):
        low, high = -1e6, 1e6
        if isinstance(spec, dict):
            try:
                low, high = (float(v) for v in spec.get("uniform") or spec.get("range"))
            except ValueError:
                return None, None
        code, form = ("f", "I") if size == 4 else ("d", "Q")
        raw = struct.pack(code, r.uniform(low, high))
        return struct.unpack(code, raw)[0], struct.unpack(form, raw)[0]
    bits = 8 * size
    low = 0 if scalar.startswith("u") else -(1 << (bits - 1))
    high = low + (1 << bits) - 1
    if isinstance(spec, dict):
        try:
            low, high = (int(float(v)) for v in spec.get("range") or spec.get("uniform"))
        except ValueError:
            return None, None
    v = r.randint(low, max(low, high))
    return v, v
