"""Sizes that a launch file and a manifest allow and that fit into memory."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz"))
import runner  # noqa: E402
import text as T  # noqa: E402

MOST_BYTES, MOST_ITEMS = 64 << 20, 1 << 21


def geometry(launch, size):
    """The names that expressions of a manifest may use; None if the launch file forbids the size."""
    names = launch.names(size)
    try:
        if not launch.allowed(names) or not 0 < launch.items(size) <= MOST_ITEMS:
            return None
        env, doc, total = {}, launch.doc, 0
        for key, letter in (("global", "g"), ("local", "l"), ("offset", "o")):
            values = [runner.evaluate(e, names) for e in doc.get(key) or []]
            rest = 1 if key == "global" or values and key == "local" else 0
            for d, axis in enumerate("xyz"):
                env[letter + axis] = values[d] if d < len(values) else rest
        if any(env["l" + a] and env["g" + a] % env["l" + a] for a in "xyz"):
            return None
        for a in doc.get("args") or []:
            if "count" in a:
                total += 4 * runner.evaluate(a["count"], names)
            elif "value" in a and not isinstance(a["value"], list):
                try:
                    env[a["name"]] = runner.evaluate(a["value"], names)
                except runner.Expr:
                    pass  # a floating-point value
        return env if total <= MOST_BYTES else None
    except runner.Expr:
        return None


def taken(manifest, original, env):
    """The launches that take place."""
    for k in manifest["kernels"]:
        if k["original"] == original and not all(runner.evaluate(e, env) for e in k.get("require") or []):
            return []
    return [l for l in T.launched(manifest, original) if runner.evaluate(l.get("when") or "1", env)]


class Sizes:
    """Random sizes at which a kernel of the manifest is launched."""

    def __init__(self, launch, manifest, kernel, rng):
        self.launch, self.manifest, self.kernel, self.r = launch, manifest, kernel, rng

    def value(self, variables):
        """A size of any magnitude: small ones are not more likely than large ones."""
        top = {1: 17.6, 2: 11.5}.get(variables, 8)
        v = int(2 ** self.r.uniform(0, top))
        step = self.r.choice([1, 1, 4, 16, 64])
        return max(-(-v // step) * step + self.r.choice([0, 0, 0, 1, -1]), 1)

    def of(self, size):
        """(names, global sizes of the kernel) at a size, or None"""
        env = geometry(self.launch, size)
        try:
            for l in taken(self.manifest, self.launch.kernel, env) if env else []:
                if l["kernel"] == self.kernel:
                    return env, [runner.evaluate(e, env) for e in l["global"]]
        except runner.Expr:
            pass
        return None

    def local_size_matters(self):
        return any(l["kernel"] == self.kernel and l.get("local") for l in T.launched(self.manifest, self.launch.kernel))

    def random(self, want=lambda env, ids: True):
        """(size, names, global sizes of the kernel), or None where no size was found"""
        listed = [s for s in self.launch.sizes if s]
        if not listed:
            found = self.of({})
            return ({}, *found) if found and want(*found) else None
        for _ in range(300):
            size = dict(self.r.choice(listed))
            for name in size:
                if self.r.random() < 0.8:
                    size[name] = str(self.value(len(size)))
            found = self.of(size)
            if found and want(*found):
                return size, *found
        return None
