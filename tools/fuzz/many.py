#!/usr/bin/env python3
"""Compares one original with many rewritten forms in one process; used by `fuzz --unjudged`.

Before: a launch file, the original, a folder with candidates N.cl and their manifests N.json.
After:  one JSON object on standard output: "bad" lists [N, the first difference], "ran" counts the
        sizes (times the seeds of data) at which the original itself is deterministic and stays inside
        its buffers, "original" gives the problem of the original at the others.
Exit:   0 no bad form, 3 some are bad, 2 could not be run.

In addition to runner.py, there is a guard zone before each buffer (buffers are parts of larger ones).
"""
import argparse
import ctypes as C
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runner as R  # noqa: E402

ZONE = 4096  # bytes; a multiple of any device's alignment of sub-buffers
FILLINGS = (0xA5, 0x3C)
CREATE_TYPE_REGION = 0x1220


class Parts:
    """The buffers of one run, each in the middle of a larger buffer that is filled with one byte value."""

    def __init__(self, cl, run, filling):
        self.cl, self.run, self.parts = cl, run, {}
        cl.lib.clCreateSubBuffer.restype = C.c_void_p
        zone = bytearray([filling]) * ZONE
        for name, kind, raw, code in run.args:
            if kind != "buffer":
                continue
            whole, err = cl.buffer(zone + raw + zone), C.c_int()
            region = (C.c_size_t * 2)(ZONE, max(len(raw), 1))
            part = C.c_void_p(cl.lib.clCreateSubBuffer(whole, C.c_ulong(1), C.c_uint(CREATE_TYPE_REGION), region, C.byref(err)))
            cl.ok(err.value, "clCreateSubBuffer")
            self.parts[name] = (part, whole, len(raw))

    def launch(self, prog, plan):
        cl = self.cl
        for name, g, l, o, local_bytes in plan:
            k = cl.kernel(prog, name)
            for i, (arg, kind, raw, code) in enumerate(self.run.args):
                if kind == "local":
                    rc = cl.lib.clSetKernelArg(k, i, C.c_size_t(local_bytes.get(arg, raw)), None)
                elif kind == "scalar":
                    rc = cl.lib.clSetKernelArg(k, i, C.c_size_t(len(raw)), raw)
                else:
                    b = self.parts[arg if kind == "buffer" else raw][0]
                    rc = cl.lib.clSetKernelArg(k, i, C.c_size_t(8), C.byref(b))
                cl.ok(rc, f"argument {arg} of {name}")
            cl.enqueue(k, g, l, o)
            cl.finish()
            cl.lib.clReleaseKernel(k)

    def take(self):
        """{name: (bytes of the buffer, bytes of the zones)}; releases the buffers."""
        out = {}
        for name, (part, whole, size) in self.parts.items():
            all_ = self.cl.read(whole, size + 2 * ZONE)
            out[name] = (all_[ZONE:ZONE + size], all_[:ZONE] + all_[ZONE + size:])
            self.cl.lib.clReleaseMemObject(part)
            self.cl.lib.clReleaseMemObject(whole)
        return out


def once(cl, run, prog, plan, filling):
    parts = Parts(cl, run, filling)
    parts.launch(prog, plan)
    return parts.take()


def wrong_with_original(run, outs):
    for name, kind, raw, code in run.args:
        if kind != "buffer":
            continue
        for out, filling in zip(outs, FILLINGS):
            if out[name][1].strip(bytes([filling])):
                return f"it writes beyond {name}"
        if R.difference(code, outs[0][name][0], outs[1][name][0], (0, 0, 0)):
            return f"it reads beyond a buffer, or is not deterministic ({name})"
    return None


def differs(run, wanted, got):
    for name, kind, raw, code in run.args:
        if kind != "buffer":
            continue
        d = R.difference(code, wanted[name][0], got[name][0], R.tolerance_of(run.launch, name))
        if d:
            return f"{name}[{d[0]}] is {d[2]!r}, the original gives {d[1]!r}"
        if got[name][1] != wanted[name][1]:
            return f"a write beyond {name}"
    return None


def check(launch_path, source_path, folder, only=None, platform="", seeds=2, extra=""):
    launch = R.Launch(launch_path)
    cl = R.CL(platform)
    with open(source_path, "rb") as f:
        source = f.read()
    options = " ".join(filter(None, [launch.options, "-cl-kernel-arg-info", extra]))
    prog, _ = cl.build(source, options)
    types = R.Types(cl, source.decode(errors="replace"), options)
    probe = cl.kernel(prog, launch.kernel)
    result = {"original": {}, "bad": [], "ran": 0}
    runs = []
    for size in launch.sizes:
        if not launch.allowed(launch.names(size)):
            continue
        cl.groups_of_one = size not in launch.as_host([source])
        for seed in range(1, seeds + 1):
            run = R.Run(cl, launch, types, probe, size, seed)
            outs = [once(cl, run, prog, run.plan(None), filling) for filling in FILLINGS]
            why = wrong_with_original(run, outs)
            if why:
                result["original"][json.dumps(size)] = why
            else:
                runs.append((size, seed, run, outs))
    result["ran"] = len(runs)
    names = only or sorted((n[:-5] for n in os.listdir(folder) if re.fullmatch(r"\d+\.json", n)), key=int)
    for n in names:
        with open(os.path.join(folder, n + ".cl"), "rb") as f:
            text = f.read()
        with open(os.path.join(folder, n + ".json")) as f:
            manifest = json.load(f)
        try:
            new, _ = cl.build(text, options)
        except R.CLError as e:
            result["bad"].append([n, str(e)[:600]])
            continue
        as_host = launch.as_host([source, text])
        for size, seed, run, outs in runs:
            why, cl.groups_of_one = None, size not in as_host
            try:
                plan = run.plan(manifest)
                for filling, wanted in zip(FILLINGS, outs):
                    why = why or differs(run, wanted, once(cl, run, new, plan, filling))
            except (R.CLError, R.Expr) as e:
                why = str(e)
            if why:
                result["bad"].append([n, f"{json.dumps(size)}, data {seed}: {why}"])
                break
    return result


def main():
    p = argparse.ArgumentParser(description="Run candidates against their original.")
    p.add_argument("launch")
    p.add_argument("source")
    p.add_argument("folder")
    p.add_argument("only", nargs="*")
    p.add_argument("--platform", default="")
    p.add_argument("--seeds", type=int, default=2, help="number of data seeds for each size")
    p.add_argument("--options", default="")
    a = p.parse_args()
    try:
        r = check(a.launch, a.source, a.folder, a.only, a.platform, a.seeds, a.options)
    except (R.CLError, R.Expr, OSError, KeyError, ValueError, OverflowError) as e:
        print(json.dumps({"cannot": f"{type(e).__name__}: {e}"}))
        return 2
    print(json.dumps(r))
    return 3 if r["bad"] else 0


if __name__ == "__main__":
    sys.exit(main())
