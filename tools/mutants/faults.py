"""Plants one fault in a rewritten kernel or in its manifest.

    plant(text, manifest, launch, original, rng) -> Fault, or None where the place does not fit

Each fault is an effect (a wrong lane, a lost store, ...) at a trigger (see triggers.py). Where the
trigger is not met, the text does what it did before: the old statement stays as it was, so that its
rounding does not change.
"""
import copy
import re
from dataclasses import dataclass

import text as T
from sizes import Sizes
from triggers import Triggers


@dataclass
class Fault:
    effect: str
    trigger: object
    line: int
    text: str
    manifest: dict
    kernel: str   # the kernel that holds it

    @property
    def kind(self):
        return f"{self.effect}, {self.trigger.kind}"


class Planter:
    def __init__(self, text, manifest, launch, original, rng):
        self.text, self.manifest, self.launch, self.r = text, manifest, launch, rng
        self.original = original
        self.launches = T.launched(manifest, original)
        names = [l["kernel"] for l in self.launches]
        # Mostly the kernel that does the blocks; sometimes one that does what is left.
        own = [n for n in names if n != original] or names
        name = own[0] if rng.random() < 0.85 else rng.choice(own)
        self.k = T.read(text, name)
        if self.k:
            self.dims = max(len(l["global"]) for l in self.launches if l["kernel"] == name)
            self.sizes = Sizes(launch, manifest, name, rng)
            self.when = Triggers(self.k, launch, self.sizes, self.dims, rng)

    def made(self, effect, trigger, start, end, new):
        text = self.text[:start] + new + self.text[end:]
        return Fault(effect, trigger, text.count("\n", 0, start) + 1, text, self.manifest, self.k.name)

    # ------------------------------------------------------------------ stores

    def store(self, effect):
        if not self.k.stores:
            return None
        s, t = self.r.choice(self.k.stores), self.when.any()
        if not t:
            return None
        flip = lambda x: f"{x} = {x} == 0 ? 1 : 0;"
        lane = self.r.randrange(s.lanes)
        var = f"{s.scalar}{s.lanes if s.lanes > 1 else ''} planted = {s.value};"
        part = f"planted.s{lane:x}" if s.lanes > 1 else "planted"
        old = self.text[s.start:s.end]
        if effect == "wrong lane":
            bad = f"{var} {flip(part)} {s.again.format('planted')}"
        elif effect == "swapped lanes":
            if s.lanes < 2:
                return None
            a, b = self.r.sample(range(s.lanes), 2)
            bad = f"{var} planted.s{a:x}{b:x} = planted.s{b:x}{a:x}; {s.again.format('planted')}"
        elif effect == "lost store":
            bad = ""
        else:  # a stray store: the element after the block, in a row's padding or of a neighbour
            bad = f"{var} {old} {s.pointer}[{s.lanes}] = {part};"
            if old.startswith(s.buffer + "["):
                bad = f"{var} {old} {s.pointer}[1] = planted;"
        return self.made(effect, t, s.start, s.end, f"if ({t.condition}) {{ {bad} }} else {{ {old} }}")

    # ------------------------------------------------------------------ loads

    def wrong_value(self):
        if not self.k.loads:
            return None
        s = self.r.choice(self.k.loads)
        t, lane = self.when.pattern(s)
        if not t:
            return None
        part = f"{s.value}.s{lane:x}" if s.lanes > 1 else s.value
        return self.made("wrong constant", t, s.end, s.end,
                         f" if ({t.condition}) {part} = {part} == 0 ? 1 : 0;")

    def wrong_address(self):
        if not self.k.loads:
            return None
        s, t = self.r.choice(self.k.loads), self.when.any()
        if not t:
            return None
        pointer = f"{s.pointer} {self.r.choice(['+ 1', '- 1', '+ 2'])}"
        return self.made("wrong address", t, s.end, s.end,
                         f" if ({t.condition}) {s.value} = {s.again.format(pointer)};")

    # ------------------------------------------------------------------ guards, loops, barriers

    def found(self, pattern):
        all_ = list(re.compile(pattern, re.M).finditer(self.text, self.k.start, self.k.end))
        return self.r.choice(all_) if all_ else None

    def guard(self):
        m = self.found(r"^ *(?:\} else )?if \(.*? (<=?|>=?) ")
        t = self.r.choice([self.when.last, self.when.size, self.when.size, self.when.any])()
        if not m or not t:
            return None
        # a < b becomes a - 1 < b where the trigger is met: mostly, since a + 1 < b may only take the
        # slower way to the same result.
        by = self.r.choice(["- 1", "- 1", "- 3", "- 7", "+ 1"])
        return self.made("guard off by one", t, m.start(1), m.end(1),
                         f"{by} * ({t.condition}) {m.group(1)}")

    def loop(self):
        m, t = self.found(r"^ *for \([^;]*; (?:[^;]*&& )?\w+ <=? ([^;&|]*);"), self.when.any()
        if not m or not t:
            return None
        return self.made("lost iteration", t, m.end(1), m.end(1), f" - ({t.condition})")

    def barrier(self):
        m, t = self.found(r"^ *(barrier\([^;]*;)"), self.when.size()
        if not m or not t:
            return None
        if self.r.random() < 0.5:
            t.kind, t.condition = "always", "1"
        return self.made("lost barrier", t, m.start(1), m.end(1), f"if (!({t.condition})) {m.group(1)}")

    def wrap(self):
        m = self.found(r"^ *(?:const )?\w+ \w+ = (get_global_id\((\d)\))( \* (\d+))?;")
        if not m:
            return None
        d, times = int(m.group(2)), int(m.group(4) or 1)
        kind, bits = self.r.choice([("short", 15), ("ushort", 16), ("", 16), ("", 20), ("", 24)])
        # The size must reach the wrap where memory allows it.
        t = self.when.id(lambda env, ids: ids[d] * (times if kind else 1) > 1 << bits) or self.when.id()
        if not t:
            return None
        if kind:
            new = f"({kind})({m.group(1)}{m.group(3) or ''})"
        else:
            new = f"({m.group(1)} & {(1 << bits) - 1}){m.group(3) or ''}"
        t.kind, t.condition = f"beyond 2^{bits}", new
        return self.made("narrow id", t, m.start(1), m.end(3) if m.group(3) else m.end(1), new)

    # ------------------------------------------------------------------ the manifest

    def launch_sizes(self):
        t, at = self.when.size(), self.sizes.random()
        if not t or not at:
            return None
        manifest = copy.deepcopy(self.manifest)
        l = self.r.choice([x for x in T.launched(manifest, self.original) if x["kernel"] == self.k.name])
        d = self.r.randrange(len(l["global"]))
        g, p = f"g{'xyz'[d]}", self.r.choice([61, 251])
        c = at[1][g]
        kind, condition = self.r.choice([("equals", f"{g} == {c}"), ("above", f"{g} >= {c}"),
                                         ("residue", f"{g} % {p} == {c % p}")])
        t.kind, t.condition, t.size = f"size {kind}", condition, at[0]
        effect = self.r.choice(["fewer work-items", "launch left out", "other offset"])
        if effect == "fewer work-items":
            l["global"][d] = f"max({l['global'][d]} - ({condition}), 1)"
        elif effect == "launch left out" and len(self.launches) > 1:
            l["when"] = f"({l.get('when') or '1'}) && ({condition}) == 0"
        elif l.get("offset"):
            l["offset"][d] = f"{l['offset'][d]} + ({condition})"
        else:
            return None
        return Fault("manifest: " + effect, t, 0, self.text, manifest, l["kernel"])


def plant(text, manifest, launch, original, rng):
    """A fault at a random place; None: nothing was found in this try."""
    p = Planter(text, manifest, launch, original, rng)
    if not p.k:
        return None
    effects = ["wrong lane", "wrong lane", "swapped lanes", "lost store", "stray store",
               p.wrong_value, p.wrong_value, p.wrong_address, p.guard, p.loop, p.barrier, p.barrier,
               p.wrap, p.launch_sizes]
    effect = rng.choice(effects)
    return p.store(effect) if isinstance(effect, str) else effect()
