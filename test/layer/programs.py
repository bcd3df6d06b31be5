#!/usr/bin/env python3
"""Programs that know nothing of clmali are recorded, replayed, linted, rewritten and injected: each must print the
same as alone.

    programs.py --bin=build/bin --stress=build/.../stress --images=build/.../images --chooser=build/.../chooser stress | pretend | nothing | images | exchange | pyopencl | opencv | forms | binaries | linked | includes | clpeak | dropin | safety
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import time

PYOPENCL = """
import numpy as np, pyopencl as cl, pyopencl.array as ca, pyopencl.elementwise as ew
import pyopencl.reduction as red, pyopencl.scan as scan
ctx = cl.Context(cl.get_platforms()[0].get_devices()[:1]); q = cl.CommandQueue(ctx)
for n in (1, 33, 1001, 5000):
    a = ca.to_device(q, np.arange(n, dtype=np.float32) / 7); b = ca.to_device(q, np.arange(n, dtype=np.float32)[::-1].copy())
    axpy = ew.ElementwiseKernel(ctx, "float a, float *x, float *y, float *z", "z[i] = a*x[i] + y[i]", "axpy")
    z = ca.empty_like(a); axpy(np.float32(3), a, b, z)
    dot = red.ReductionKernel(ctx, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                              arguments="__global float *x, __global float *y")
    i = ca.to_device(q, np.arange(n, dtype=np.int32) % 5)
    scan.InclusiveScanKernel(ctx, np.int32, "a+b", neutral="0")(i)
    print(n, float(z.get().sum()), float(dot(a, b).get()), int(i.get()[-1]))
# Bodies that attract each other, as in pyopencl's example: a kernel with a loop over all of them.
N = 96
k = cl.Program(ctx, '''
__kernel void forces(__global const float4 *pos, __global float4 *acc, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float4 p = pos[i], a = (float4)(0);
  for (int j = 0; j < n; ++j) {
    float4 d = pos[j] - p;
    float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
    a += d * (pos[j].w / (r * sqrt(r)));
  }
  acc[i] = a;
}''').build()
pos = ca.to_device(q, (np.arange(N * 4, dtype=np.float32) % 17).reshape(N, 4).ravel()); acc = ca.zeros(q, N * 4, np.float32)
k.forces(q, (128,), (32,), pos.data, acc.data, np.int32(N))
print(float(acc.get().sum()))
"""

PHOTO = pathlib.Path(__file__).resolve().parents[2] / "tools" / "photo.py"

# A program that keeps the binary of its kernel in a file. With a second argument it cannot do without.
BINARY = """
import os, sys, numpy as np, pyopencl as cl, pyopencl.array as ca
ctx = cl.Context(cl.get_platforms()[0].get_devices()[:1]); q = cl.CommandQueue(ctx); program = None
if os.path.exists(sys.argv[1]):
    try:
        program = cl.Program(ctx, ctx.devices, [open(sys.argv[1], 'rb').read()]).build()
    except cl.Error:
        if len(sys.argv) > 2:
            sys.exit('the binary is refused')
if program is None:
    program = cl.Program(ctx, '__kernel void triple(__global const float *x, __global float *y, int n) {'
                         'int i = get_global_id(0); if (i < n) y[i] = 3 * x[i]; }').build()
    open(sys.argv[1], 'wb').write(program.binaries[0])
triple = program.triple
for n in (64, 1000, 4099):
    x = ca.to_device(q, np.arange(n, dtype=np.float32)); y = ca.zeros(q, n, np.float32)
    triple(q, (n + 63 & ~63,), (64,), x.data, y.data, np.int32(n)); print(n, float(y.get().sum()))
"""

# A stride that is 1 in half of the launches.
STRIDES = """
import numpy as np, pyopencl as cl, pyopencl.array as ca
ctx = cl.Context(cl.get_platforms()[0].get_devices()[:1]); q = cl.CommandQueue(ctx)
blend = cl.Program(ctx, '''__kernel void blend(__global const uchar *restrict x, __global uchar *restrict y, int inc, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = (uchar)((x[i * inc] * 3 + y[i]) / 4);
}''').build(cache_dir=False).blend
for n in (1000, 4099):
    for inc in (1, 7):
        x = ca.to_device(q, (np.arange(n * inc) * 5 % 251).astype(np.uint8)); y = ca.zeros(q, n, np.uint8)
        blend(q, (n + 63 & ~63,), (64,), x.data, y.data, np.int32(inc), np.int32(n)); print(n, inc, int(y.get().sum(dtype=np.int64)))
"""

# Headers in two folders of the build, in a folder below one of them, and in the working folder; or by their path.
INCLUDES = """
import os, sys, numpy as np, pyopencl as cl, pyopencl.array as ca
os.chdir(sys.argv[1] + '/run')
ctx = cl.Context(cl.get_platforms()[0].get_devices()[:1]); q = cl.CommandQueue(ctx)
head = '#include "%s/own/base.h"' % sys.argv[1] if len(sys.argv) > 2 else '#include "base.h"'
program = cl.Program(ctx, head + '''
#include <twice.h>
#include "here.h"
__kernel void triple(__global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = twice(FACTOR * x[i]) + HERE;
}''').build(options=['-I', '../own', '-I', sys.argv[1] + '/other'], cache_dir=False)
triple = program.triple
for n in (64, 1000, 4099):
    x = ca.to_device(q, np.arange(n, dtype=np.float32)); y = ca.zeros(q, n, np.float32)
    triple(q, (n + 63 & ~63,), (64,), x.data, y.data, np.int32(n)); print(n, float(y.get().sum()))
"""

SKIPPED = 77  # SKIP_RETURN_CODE of the test
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAIL:", text)


def run(command, environment=None, codes=(0,)):
    done = subprocess.run([str(c) for c in command], env={**os.environ, **(environment or {})}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=900, check=False)
    if done.returncode not in codes:
        print(done.stdout[-3000:], done.stderr[-3000:])
        failures.append("exit code %d: %s" % (done.returncode, " ".join(map(str, command))))
        print("FAIL:", failures[-1])
    return done


def python_with(*modules):
    """Debian's packages are for Debian's python3, which need not be the first on the path."""
    for program in (sys.executable, "/usr/bin/python3"):
        if not subprocess.run([program, "-c", "import " + ", ".join(modules)], stderr=subprocess.DEVNULL, check=False).returncode:
            return program
    sys.exit("no python3 has %s; tools/setup installs them" % " and ".join(modules))


def index(folder):
    return json.loads((folder / "index.json").read_text())


def kernels(folder):
    return [k for p in index(folder)["programs"] for k in p["kernels"]]


def is_private(folder):
    return all(not stat.S_IMODE(path.stat().st_mode) & 0o077 for path in [folder, *folder.rglob("*")])


class Session:
    def __init__(self, given, name, command, environment=None):
        self.given, self.command, self.environment = given, command, environment or {}
        self.folder = given.work / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.alone = run(command, self.environment).stdout
        expect(self.alone.strip(), "the program prints nothing")

    def tool(self, name, *arguments, codes=(0,)):
        return run([self.given.bin / name, *arguments], self.environment, codes)

    def record(self, *options):
        done = self.tool("clmali-record", "--output=%s" % self.folder, *options, "--", *self.command)
        expect(done.stdout == self.alone, "recorded, the program prints\n%s, not\n%s" % (done.stdout, self.alone))
        expect(index(self.folder)["complete"], "the recording is not complete")
        expect(is_private(self.folder), "others may read the recording")
        return done

    def replay(self):
        done = self.tool("clmali-run", "--recording=%s" % self.folder)
        print(done.stdout.strip().splitlines()[-1])
        expect(" 0 with another, 0 not run" in done.stdout, done.stdout)

    def lint(self):
        done = self.tool("clmali-lint", "--recording=%s" % self.folder, codes=(0, 1))
        expect("guess" not in done.stdout + done.stderr, "the linter guesses: " + done.stdout)
        return done.stdout

    def rewrite(self, kernel):
        done = self.tool("clmali-rewrite", "--recording=%s" % self.folder, "--device=mali-midgard",
                         "--kernel=%s" % kernel, codes=(0, 1))
        print(done.stdout)
        expect("held" in done.stdout, "%s is not held: %s" % (kernel, done.stderr[-2000:]))

    def inject(self, kernel, *options, command=None, expected=None):
        report = self.given.work / "report.json"
        report.unlink(missing_ok=True)
        done = self.tool("clmali-inject", "--report=%s" % report, *options, self.folder, "--",
                         *(command or self.command))
        expect(done.stdout == (expected or self.alone), "injected, the program prints\n" + done.stdout)
        for entry in json.loads(report.read_text())["kernels"] if report.exists() else []:
            if entry["kernel"] == kernel:
                return entry
        return {"injected": 0, "checked": 0, "differing": 0, "original": {}}


def partial(s):
    """What holds is there before the other kernels are judged, and that which takes the most time comes first."""
    recorded, early = s.folder / "index.json", s.folder / "inject.json"
    kept = recorded.read_text()
    changed = json.loads(kept)
    for k in [k for p in changed["programs"] for k in p["kernels"]]:
        k["milliseconds"] = 1000 if k["kernel"] == "scale" else 1
    recorded.write_text(json.dumps(changed))
    cut = subprocess.Popen([s.given.bin / "clmali-rewrite", "--recording=%s" % s.folder, "--device=mali-midgard"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while cut.poll() is None and not early.exists():
        time.sleep(0.05)
    expect(cut.poll() is None, "nothing is written before the run ends")
    cut.terminate()
    cut.wait()
    held = [list(p["kernels"]) for p in json.loads(early.read_text())["programs"]]
    expect(held == [["scale"]], "what holds first: %s" % held)
    early.unlink()
    recorded.write_text(kept)


def stress(given):
    s = Session(given, "stress", [given.stress])
    s.record()
    names = {k["kernel"]: k for k in kernels(s.folder)}
    expect(set(names) == {"scale", "add", "sums"}, "recorded: %s" % sorted(names))
    expect(names["scale"]["launches"] == 48 and names["add"]["launches"] == 144, "the counts: %s" % names)
    expect(all(k["launchFiles"] and not k["notRecorded"] for k in names.values()), "not all is recorded")
    text = next(s.folder.glob("*/scale.launch.yaml")).read_text()
    expect('global: ["roundup(n, 64)"]' in text and 'count: "n"' in text, "scale:\n" + text)
    s.replay()
    found = s.lint()
    expect("kernel 'sums' is launched with 1024 work-items in all" in found, "the linter does not see the launches:\n" + found)
    expect("reqd_work_group_size(32, 1, 1)" in found and "kernel 'sums' is launched without" not in found,
           "the linter does not see the local size:\n" + found)
    # A run that is cut prints what it has.
    cut = subprocess.Popen([given.bin / "clmali-rewrite", "--recording=%s" % s.folder], text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL)
    time.sleep(1)
    cut.terminate()
    printed = cut.communicate()[0]
    expect(printed.startswith("kernel ") and "ended by a signal" in printed and cut.returncode == -signal.SIGTERM,
           "cut after a second (%s): %s" % (cut.returncode, printed))
    partial(s)
    s.rewrite("scale")
    entry = s.inject("scale", "--check=4")
    expect(entry["injected"] == 48 and entry["differing"] == 0, "the report: %s" % entry)
    # Half of the queues run out of order, where nothing can be checked.
    expect(0 < entry["checked"] <= 12, "the report: %s" % entry)
    # The same as a drop-in library.
    s.folder = given.work / "stress-drop-in"
    shutil.rmtree(s.folder, ignore_errors=True)
    s.record("--drop-in", "--data=none", "--kernels=s*")
    expect({k["kernel"] for k in kernels(s.folder)} == {"scale", "sums"}, "--kernels")
    expect(not list(s.folder.rglob("*.bin")), "--data=none writes contents")


BRIGHTEN = """
__kernel void brighten_2(__read_only image2d_t src, __write_only image2d_t dst, float by) {
  int2 p = (int2)(2 * get_global_id(0), get_global_id(1));
  for (int i = 0; i < 2 && p.x < get_image_width(dst); ++i, ++p.x)
    write_imagef(dst, p, read_imagef(src, nearest, p) + by);
}
__kernel void blur_up(__read_only image2d_t src, sampler_t s, __write_only image2d_array_t dst) {
  int x = get_global_id(0), y = get_image_height(src) - 1 - get_global_id(1);
  float4 sum = 0.0f;
  for (int i = -1; i <= 1; ++i)
    sum += read_imagef(src, s, (int2)(x + i, y));
  write_imagef(dst, (int4)(x, y, 1, 0), sum);
  write_imagef(dst, (int4)(x, y, 0, 0), sum / 3.0f);
}
"""


def by_hand(s, source, kernel_facts):
    """inject.json for kernels that were rewritten by hand and judged by clmali-run."""
    def digest(path):
        return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    program = next(s.folder.glob("*/program.cl")).parent
    (program / "rewritten.cl").write_text((program / "program.cl").read_text() + source)
    manifest, verdict = program / "rewritten.manifest.json", program / "rewritten.verdict.json"
    manifest.write_text(json.dumps({"version": 1, "kernels": [
        {"original": name, "source": digest(program / "program.cl"), **facts} for name, (facts, _) in kernel_facts.items()]}))
    entries = {}
    for name, (_, arguments) in kernel_facts.items():
        done = s.tool("clmali-run", "--quiet", "--against=%s" % (program / "rewritten.cl"), "--manifest=%s" % manifest,
                      "--json=%s" % verdict, program / (name + ".launch.yaml"))
        expect(done.stdout.startswith("held"), "%s: %s" % (name, done.stdout))
        entries[name] = {"verdict": "held", "basis": "proved", "exact": 1, "arguments": arguments, "recorded": []}
    device = json.loads(verdict.read_text())["device"]
    (s.folder / "inject.json").write_text(json.dumps({"version": 1, "programs": [
        {"source": digest(program / "program.cl"), "options": [], "includes": [],
         "device": {"platform": device["platform"], "name": device["device"], "driver": device["driver"]},
         **{key: {"file": "%s/%s" % (program.name, path.name), "sha256": digest(path)} for key, path in
            (("rewritten", program / "rewritten.cl"), ("manifest", manifest), ("verdict", verdict))},
         "kernels": entries}]}))


def images(given):
    """Images, an image of a buffer, a sampler and a null buffer are recorded with contents, replayed and injected."""
    s = Session(given, "images", [given.images])
    s.record()
    names = {k["kernel"]: k for k in kernels(s.folder)}
    expect(set(names) == {"brighten", "blur", "column", "rows"}, "recorded: %s" % sorted(names))
    expect(all(k["launchFiles"] and len(k["replays"]) == 2 and not k["notRecorded"] for k in names.values()),
           "not all is recorded: %s" % names)
    texts = {name: next(s.folder.glob("*/%s.launch.yaml" % name)).read_text() for name in names}
    for name, parts in {
            "brighten": ['src, image: in, format: rgba-unorm8, size: ["width_src", "height_src"], data: { file: ',
                         'dst, image: out, format: rgba-unorm8, size: ["width_src", "height_src"]',
                         'global: ["roundup(width_src, 4)", "height_src"]'],
            "blur": ["s, sampler: { coords: pixels, address: clamp, filter: nearest }",
                     'dst, image: out, format: rgba-float, size: ["width_src", "height_src", "2"]'],
            "rows": ["list, image: in, format: rgba-uint8, size: [", '{ name: weights, value: "0" }']}.items():
        for part in parts:
            expect(part in texts[name], "%s has no '%s':\n%s" % (name, part, texts[name]))
    s.replay()
    # Launch files with images and null buffers are valid for clmali-rewrite, whatever it makes of the kernels.
    done = s.tool("clmali-rewrite", "--recording=%s" % s.folder, "--device=mali-midgard", codes=(0, 1))
    expect("error:" not in done.stdout, done.stdout)
    # What it holds is injected.
    expect(re.search("column .* held with .*use-address-mode", done.stdout), done.stdout)
    entry = s.inject("column", "--check=1", "--allow-tested")
    expect(entry["injected"] == 3 and entry["checked"] == 3 and entry["differing"] == 0, "column: %s" % entry)

    def memory(name, written):
        return {"name": name, "buffer": 1, "written": written}
    nearest = {"coords": "pixels", "address": "clamp", "filter": "nearest"}
    bytes_, floats = ["rgba-unorm8"], ["r-float", "rgba-float"]
    facts = {
        "brighten": ({"launches": [{"kernel": "brighten_2", "global": ["(width(dst) + 1) / 2", "height(dst)"]}],
                      "require": ["width(dst) == width(src)"], "formats": {"src": bytes_, "dst": bytes_}},
                     [memory("src", 0), memory("dst", 1), {"name": "by"}]),
        "blur": ({"launches": [{"kernel": "blur_up", "global": ["gx", "height(src) * min(layers(dst), 1)"]}],
                  "formats": {"src": bytes_, "dst": floats}, "samplers": {"s": [nearest]}},
                 [memory("src", 0), {"name": "s"}, memory("dst", 1)])}
    by_hand(s, BRIGHTEN, facts)
    for name in facts:
        entry = s.inject(name, "--check=1")
        expect(entry["injected"] == 3 and entry["checked"] == 3 and entry["differing"] == 0, "%s: %s" % (name, entry))
    # Another format, another sampler, another size than was judged: the original runs.
    why = "an image format or a sampler that was not verified"
    facts["blur"][0]["samplers"] = {"s": [nearest, {**nearest, "filter": "linear"}]}
    facts["blur"][0]["formats"]["src"] = ["rgba-unorm8", "rgba-half"]
    by_hand(s, BRIGHTEN, facts)
    expect(s.inject("blur")["injected"] == 3, "one of several formats and samplers")
    facts["blur"][0]["samplers"] = {"s": [{**nearest, "address": "clamp-to-edge"}]}
    facts["brighten"][0]["formats"] = {"src": bytes_, "dst": floats}
    by_hand(s, BRIGHTEN, facts)
    for name in facts:
        entry = s.inject(name)
        expect(entry["injected"] == 0 and entry["original"] == {why: 3}, "%s: %s" % (name, entry))
    facts["brighten"][0]["formats"] = {"src": bytes_, "dst": bytes_}
    facts["brighten"][0]["require"] = ["width(dst) % 2 == 0"]
    by_hand(s, BRIGHTEN, facts)
    entry = s.inject("brighten")
    expect(entry["injected"] == 1 and entry["original"] == {"a shape that was not verified": 2}, "a size: %s" % entry)


BRIGHTEN_BUFFER = """
__kernel void brighten_b(__read_only image2d_t src, __global uchar4 *dst, float by) {
  int x = get_global_id(0), y = get_global_id(1), w = get_image_width(src);
  if (x < w && y < get_image_height(src))
    dst[y * w + x] = convert_uchar4_sat_rte((read_imagef(src, nearest, (int2)(x, y)) + by) * 255.0f);
}
"""


def exchange(given):
    """A kernel that takes a buffer in place of an image: run where the layer could make the image from a buffer."""
    s = Session(given, "exchange", [given.images])
    shutil.rmtree(given.work / "by-hand", ignore_errors=True)
    s.record()
    facts = {"brighten": ({"launches": [{"kernel": "brighten_b", "global": ["gx", "gy"]}],
                           "require": ["width(dst) == width(src)", "height(dst) == height(src)"],
                           "arguments": [{"name": "dst", "as": "buffer"}],
                           "formats": {"src": ["rgba-unorm8"], "dst": ["rgba-unorm8"]}},
                          [{"name": name, "buffer": 1, "written": int(name == "dst")} for name in ("src", "dst")] +
                          [{"name": "by"}])}
    by_hand(s, BRIGHTEN_BUFFER, facts)
    why = "an image that could not be made from a buffer"
    entry = s.inject("brighten", "--check=1")
    expect(entry["injected"] == 0 and entry["original"] == {why: 3}, "PoCL makes no images from buffers: %s" % entry)

    # The layer over one that can, where the width is a multiple of four: 64, not 37.
    layers = "%s:%s" % (given.linear, given.bin.parent / "lib" / "libclmali-layer.so")

    def above():
        report = given.work / "report.json"
        report.unlink(missing_ok=True)
        done = run([given.images], {"OPENCL_LAYERS": layers, "CLMALI_INJECT": str(s.folder.resolve()),
                                    "CLMALI_INJECT_CHECK": "1", "CLMALI_INJECT_REPORT": str(report.resolve())})
        made = [line for line in done.stderr.splitlines() if line.startswith("linear: ")]
        expect(made == ["linear: 64x24"] * 2, "images made from buffers: %s" % made)
        return {k["kernel"]: k for k in json.loads(report.read_text())["kernels"]}["brighten"], done.stdout
    entry, printed = above()
    expect(printed == s.alone, "exchanged, the program prints\n" + printed)
    expect(entry["injected"] == 1 and entry["checked"] == 1 and entry["differing"] == 0 and entry["original"] == {why: 2},
           "over a device that can: %s" % entry)
    # What clmali-rewrite makes of the recording is the same.
    shutil.copytree(s.folder, given.work / "by-hand")
    done = s.tool("clmali-rewrite", "--recording=%s" % s.folder, "--device=mali-bifrost", "--kernel=brighten")
    expect(re.search("brighten .* held with .*exchange-images", done.stdout), done.stdout)
    entry, printed = above()
    expect(printed == s.alone and entry["injected"] == 1 and entry["differing"] == 0 and entry["original"] == {why: 2},
           "rewritten: %s" % entry)
    s.folder = given.work / "by-hand"
    # A wrong kernel shows in what the program prints and in the check: the buffer is the image.
    rewritten = next(s.folder.glob("*/rewritten.cl"))
    right = rewritten.read_bytes()
    rewritten.write_bytes(right.replace(b"+ by) * 255", b"- by) * 255"))
    names = s.folder / "inject.json"
    names.write_text(names.read_text().replace(*(hashlib.sha256(text).hexdigest() for text in (right, rewritten.read_bytes()))))
    entry, printed = above()
    expect(printed != s.alone and entry["injected"] == entry["differing"] == 1, "a wrong rewrite: %s" % entry)


def pretend(given):
    """A program that asks its device launches what it would on a GPU, and the recording says on what it was made."""
    command = [given.chooser]
    cpu = Session(given, "chooser", command)
    expect(cpu.alone.endswith("serial: 5000\n"), "alone: " + cpu.alone)
    done = cpu.record()
    expect(re.match(r"recorded on .*\(CPU\)\n", done.stderr), "the table does not name the device: " + done.stderr)
    device = index(cpu.folder)["devices"]
    expect(len(device) == 1 and device[0]["type"] == "CPU" and "pretended" not in device[0], "the device: %s" % device)
    # Findings of the kernel that was not launched come after a flag.
    arguments = ["--recording=%s" % cpu.folder, "--device=mali-midgard", "--no-cache"]
    found = cpu.tool("clmali-lint", *arguments, codes=(0, 1))
    expect("program.cl:3:" not in found.stdout and "--all-kernels shows them" in found.stdout + found.stderr,
           "findings of launched kernels: " + found.stdout + found.stderr)
    found = cpu.tool("clmali-lint", *arguments, "--all-kernels", codes=(0, 1))
    expect("--all-kernels" not in found.stdout + found.stderr and re.search(r"program.cl:[345]:", found.stdout),
           "findings of all kernels: " + found.stdout + found.stderr)
    gpu = Session(given, "chooser-pretended", command)
    done = gpu.tool("clmali-record", "--output=%s" % gpu.folder, "--pretend=mali-g610", "--", *command)
    for text in ("name: Mali-G610 r0p0\nvendor: ARM\nversion: OpenCL 3.0", "units: 4, group: 1024, local: memory of 32768, "
                 "float: 4, double: 0, unified: 1", "sizes: 1024 1024 1024", "wide: 5000"):
        expect(text in done.stdout, "'%s' is missing: %s" % (text, done.stdout))
    told = done.stdout.split("extensions: ")[1].split("\n")[0].split()
    expect("cl_khr_byte_addressable_store" in told and "cl_khr_fp64" not in told and "cl_arm_printf" not in told,
           "extensions of both devices: %s" % told)
    expect("not as on the other device: extensions of mali-g610 that the device at hand lacks" in done.stderr
           and "cl_arm_printf" in done.stderr, "what is missing is not said: " + done.stderr)
    expect("seen as mali-g610" in done.stderr, "the table: " + done.stderr)
    recorded = kernels(gpu.folder)
    expect([k["kernel"] for k in recorded] == ["wide"] and recorded[0]["launchFiles"], "recorded: %s" % recorded)
    device = index(gpu.folder)["devices"][0]
    expect(device["pretended"] == "mali-g610" and device["family"] == "mali-valhall" and device["type"] == "CPU",
           "the device: %s" % device)
    # Lint and the rewriter name another kind or family of device, and not the same one.
    for session, target, text in ((cpu, "mali-g610", "no GPU such as mali-valhall"), (gpu, "mali-g72", "not of the family mali-bifrost"),
                                  (gpu, "mali-g710", None), (cpu, "generic", None)):
        found = session.tool("clmali-lint", "--recording=%s" % session.folder, "--device=%s" % target, codes=(0, 1))
        expect((text or "recorded on") in found.stdout + found.stderr if text else
               "recorded on" not in found.stdout + found.stderr, "lint for %s: %s" % (target, found.stdout + found.stderr))
        made = session.tool("clmali-rewrite", "--recording=%s" % session.folder, "--device=%s" % target, codes=(0, 1))
        expect(text in made.stdout if text else "recorded on" not in made.stdout, "rewrite for %s: %s" % (target, made.stdout))
    # The other device again, for the program to take its path; without, it takes the CPU's, as before.
    report = given.work / "report.json"
    report.unlink(missing_ok=True)
    gpu.tool("clmali-rewrite", "--recording=%s" % gpu.folder, "--device=mali-g610", codes=(0, 1))
    done = gpu.tool("clmali-inject", "--report=%s" % report, "--pretend=mali-g610", gpu.folder, "--", *command)
    expect(done.stdout.endswith("wide: 5000\n"), "injected: " + done.stdout)
    expect(json.loads(report.read_text())["kernels"][0]["injected"] == 1, "the report: " + report.read_text())
    # A local size that the device at hand refuses; a device whose answers are not known.
    done = gpu.tool("clmali-record", "--output=%s" % (given.work / "refused"), "--pretend=mali-g610", "--", *command, "refused",
                    codes=(0, 2))
    expect("kernel 'wide': the device at hand refuses a local size of 1048576 work-items" in done.stderr, done.stderr)
    done = gpu.tool("clmali-record", "--pretend=adreno", "--", *command, codes=(2,))
    expect("unknown device 'adreno'" in done.stderr, done.stderr)


def nothing(given):
    """Where nothing is launched, the reason is named."""
    for stage, text in (("devices", "it called OpenCL, and made no program"), ("program", "it made 1 programs, and no kernel"),
                        ("broken", "1 of 1 programs failed to build: "), ("kernel", "although it made 1 kernels")):
        folder = given.work / ("nothing-" + stage)
        shutil.rmtree(folder, ignore_errors=True)
        done = run([given.bin / "clmali-record", "--output=%s" % folder, "--", given.chooser, stage], codes=(2,))
        expect(text in done.stderr, "%s: %s" % (stage, done.stderr))
        expect(("exit code 3" in done.stderr) == (stage == "broken"), "the exit code: " + done.stderr)
    folder = given.work / "nothing-else"
    shutil.rmtree(folder, ignore_errors=True)
    done = run([given.bin / "clmali-record", "--output=%s" % folder, "--kernels=other*", "--", given.chooser], codes=(2,))
    expect("launched no kernel of the name 'other*' (1 launches of others)" in done.stderr, done.stderr)
    # The folder for caches is there: OpenCV takes another one if it is not.
    done = run([given.bin / "clmali-record", "--output=%s" % folder, "--", "sh", "-c", 'test -d "$XDG_CACHE_HOME" && echo there'],
               codes=(2,))
    expect(done.stdout == "there\n", "the folder for caches: " + done.stdout)
    shutil.rmtree(folder, ignore_errors=True)
    done = run([given.bin / "clmali-record", "--output=%s" % folder, "--", "true"], codes=(2,))
    expect("it never called OpenCL" in done.stderr, done.stderr)


def pyopencl(given):
    command = [python_with("pyopencl", "numpy"), "-c", PYOPENCL]
    environment = {"PYOPENCL_NO_CACHE": "1", "PYTHONWARNINGS": "ignore"}
    s = Session(given, "pyopencl", command, environment)
    s.record()
    s.replay()
    s.lint()
    s.rewrite("axpy")
    entry = s.inject("axpy", "--check=2")
    expect(entry["injected"] > 0 and entry["checked"] > 0 and entry["differing"] == 0, "the report: %s" % entry)


def opencv(given):
    python = python_with("cv2", "numpy")
    environment = {"OPENCV_OPENCL_DEVICE": ":CPU:", "OPENCV_LOG_LEVEL": "ERROR",
                   "OPENCV_OPENCL_CACHE_ENABLE": "0"}
    s = Session(given, "opencv", [python, PHOTO, "64x48", "97x33", "200x61"], environment)
    s.record()
    # The blur's second pass has two rows more above and below than it writes.
    text = next(s.folder.glob("*/col_filter.launch.yaml")).read_text()
    expect('"src_whole_rows == dst_rows + 4"' in text and "count_" not in text, "col_filter:\n" + text)
    s.replay()
    expect("taken as" not in s.lint(), "the linter infers macros of a recording")
    s.rewrite("RGB2Gray")
    entry = s.inject("RGB2Gray")
    expect(entry["injected"] == 3, "the report: %s" % entry)
    # Other shapes: the same pictures, injected or not.
    other = [python, PHOTO, "1x1", "5x17", "319x120"]
    s.inject("RGB2Gray", "--check=1", command=other, expected=run(other, environment).stdout)


def forms(given):
    """A kernel has a form for one stride and one for all others: both are injected."""
    command = [python_with("pyopencl", "numpy"), "-c", STRIDES]
    environment = {"PYOPENCL_NO_CACHE": "1", "PYTHONWARNINGS": "ignore"}
    s = Session(given, "forms", command, environment)
    s.record()
    s.rewrite("blend")
    entry = s.inject("blend", "--check=1")
    launched = {name: n for name, n in entry["kernels"].items() if name != "blend"}
    expect(entry["injected"] == 4 and entry["differing"] == 0 and len(launched) == 2 and
           sorted(launched.values()) == [2, 2], "both forms run twice: %s" % entry)


def binaries(given):
    """A program with a cache of binaries: it is never disturbed, and recorded if the source is known."""
    cache = given.work / "cache.bin"
    cache.unlink(missing_ok=True)
    command = [python_with("pyopencl", "numpy"), "-c", BINARY, cache]
    environment = {"PYOPENCL_NO_CACHE": "1", "PYTHONWARNINGS": "ignore"}
    s = Session(given, "binaries", command, environment)
    expect(cache.exists(), "the program kept no binary")
    strict = Session(given, "binaries-strict", [*command, "strict"], environment)
    done = strict.record()
    expect("--refuse-binaries" in done.stderr and [k["launchFiles"] for k in kernels(strict.folder)] == [[]],
           "a binary of unknown source: " + done.stderr)
    done = s.record("--refuse-binaries")
    expect(kernels(s.folder)[0]["launchFiles"], "the program did not compile its source: " + done.stderr)
    # Now the source of the binary in the cache is known, and nothing is refused.
    s.command = strict.command
    s.record("--refuse-binaries")
    expect(kernels(s.folder)[0]["launches"] == 6, "the binary is not known: %s" % kernels(s.folder))
    s.rewrite("triple")
    expect(s.inject("triple")["injected"] == 3, "no injection into a program from a known binary")


    caches(given)


LINKED = """
import numpy as np, pyopencl as cl, pyopencl.array as ca
ctx = cl.Context(cl.get_platforms()[0].get_devices()[:1]); q = cl.CommandQueue(ctx)
def part(text, options=[]):
    p = cl.Program(ctx, text); p.compile(options=options); return p
alone = cl.link_program(ctx, [part("__kernel void scale(__global float *x, int n) { int i = get_global_id(0);"
                                   " if (i < n) x[i] = x[i] * BY; }", ["-DBY=3.0f"])])
both = cl.link_program(ctx, [part("float twice(float a); __kernel void twofold(__global float *x, int n) {"
                                  " int i = get_global_id(0); if (i < n) x[i] = twice(x[i]); }"),
                             part("float twice(float a) { return 2.0f * a; }")])
for n in (100, 1000, 5000):
    x = ca.to_device(q, np.arange(n, dtype=np.float32))
    for program, name in ((alone, "scale"), (both, "twofold")):
        getattr(program, name)(q, (-(-n // 64) * 64,), (64,), x.data, np.int32(n))
    print(float(x.get().sum()))
"""


def linked(given):
    """A program that is linked from one compiled source is as if it was built; of several, it is left alone."""
    s = Session(given, "linked", [python_with("pyopencl", "numpy"), "-c", LINKED], {"PYTHONWARNINGS": "ignore"})
    s.record()
    found = {k["kernel"]: k for k in kernels(s.folder)}
    expect(found["scale"]["launchFiles"] and not found["scale"]["notRecorded"], "from one source: %s" % found["scale"])
    expect("from link" in str(found["twofold"]["notRecorded"]), "from two: %s" % found["twofold"])
    s.replay()
    s.rewrite("scale")
    entry = s.inject("scale", "--check=1")
    expect(entry["injected"] == 3 and entry["differing"] == 0, "the report: %s" % entry)


def caches(given):
    """pyopencl keeps what it compiled in XDG_CACHE_HOME: a recording gives it an empty folder."""
    shutil.rmtree(given.work / "xdg", ignore_errors=True)
    never = given.work / "never.bin"
    command = [python_with("pyopencl", "numpy"), "-c", BINARY, never]
    environment = {"XDG_CACHE_HOME": str(given.work / "xdg"), "PYTHONWARNINGS": "ignore"}
    for options, found in ((["--keep-caches"], []), ([], ["triple"])):
        never.unlink(missing_ok=True)
        s = Session(given, "caches-%d" % len(options), command, environment)  # fills pyopencl's cache
        never.unlink()
        s.record(*options)
        names = [k["kernel"] for k in kernels(s.folder) if k["launchFiles"]]
        expect(names == found, "%s: %s" % (options, names))
        expect(not (s.folder / "caches").exists(), "the empty caches are left behind")


def includes(given):
    """Included files are a part of the recording, and nothing is injected after they changed."""
    home = given.work / "home"
    for old in (home, given.work / "away"):
        shutil.rmtree(old, ignore_errors=True)
    for name, text in {"own/base.h": '#include "sub/deep.h"\n#define FACTOR DEEP\n', "own/sub/deep.h": "#define DEEP 3.0f\n",
                       "other/twice.h": "inline float twice(float a) { return a + a; }\n",
                       "other/base.h": "#error the first folder has this file\n", "run/here.h": "#define HERE 1.0f\n"}.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    command = [python_with("pyopencl", "numpy"), "-c", INCLUDES, home]
    environment = {"PYOPENCL_NO_CACHE": "1", "PYTHONWARNINGS": "ignore"}
    s = Session(given, "includes", command, environment)
    s.record()
    # On another machine: the recording alone.
    moved = given.work / "moved"
    shutil.rmtree(moved, ignore_errors=True)
    s.folder.rename(moved)
    home.rename(given.work / "away")
    s.folder = moved
    copies = sorted(str(p.relative_to(moved)).split("/", 2)[2] for p in moved.rglob("*.h"))
    expect(copies == ["0/base.h", "0/sub/deep.h", "1/twice.h", "3/here.h"], "the copies: %s" % copies)
    expect(is_private(moved), "others may read the copies")
    s.replay()
    s.lint()
    s.rewrite("triple")
    # Back where the program runs.
    (given.work / "away").rename(home)
    expect(s.inject("triple")["injected"] == 3, "the same files, and nothing is injected")
    (home / "own/sub/deep.h").write_text("#define DEEP 5.0f\n")
    other = run(command, environment).stdout
    expect(other != s.alone, "the header changes nothing")
    entry = s.inject("triple", expected=other)
    expect(entry["injected"] == 0 and "an included file was changed" in entry["original"], "a changed header: %s" % entry)
    # A file that is named by its path stays where it is.
    s = Session(given, "includes-by-path", [*command, "path"], environment)
    s.record()
    expect(not list(s.folder.rglob("*.h")) and kernels(s.folder)[0]["launchFiles"], "an absolute path")
    s.replay()


def clpeak(given):
    """A benchmark with 20000 launches; its figures differ from run to run."""
    program = shutil.which("clpeak")
    if not program:
        print("clpeak is not installed")
        sys.exit(SKIPPED)

    def words(text):
        return re.sub(r"\d+\.\d+ *us|: *\d+\.\d+", "N", text)

    command = [program, "--kernel-latency", "--compute-integer"]
    s = Session(given, "clpeak", command)
    done = s.tool("clmali-record", "--output=%s" % s.folder, "--", *command)
    expect(words(done.stdout) == words(s.alone), "recorded, the program prints\n" + done.stdout)
    expect(index(s.folder)["complete"], "the recording is not complete")
    recorded = {k["kernel"]: k for k in kernels(s.folder)}
    counts = {name: k["launches"] for name, k in recorded.items()}
    expect(counts.pop("global_bandwidth_v1_local_offset", 0) >= 20000, "the latency test: %s" % counts)
    expect(set(counts) == {"compute_integer_v%d" % w for w in (1, 2, 4, 8, 16)}, "recorded: %s" % counts)
    expect(all(k["milliseconds"] > 0 and k["launchFiles"] and not k["notRecorded"] for k in recorded.values()),
           "the index: %s" % recorded)
    s.lint()


def dropin(given):
    """In place of the loader, over libraries that know no layers: Oclgrind's, and PoCL's, which exports platforms only."""
    found = {"oclgrind": [], "pocl": []}
    for base in ("/usr/lib", "/usr/local/lib"):
        found["oclgrind"] += sorted(pathlib.Path(base).glob("**/liboclgrind-rt.so"))
        found["pocl"] += sorted(pathlib.Path(base).glob("**/libpocl.so.?"))
    if not all(found.values()):
        print("not installed: %s" % ", ".join(name for name, paths in found.items() if not paths))
        sys.exit(SKIPPED)
    command = [given.stress, "--single"]
    for name, paths in found.items():
        s = Session(given, "drop-in-" + name, command)
        s.environment = {"CLMALI_OPENCL": str(paths[0])}
        s.record("--drop-in")
        counts = {k["kernel"]: k["launches"] for k in kernels(s.folder)}
        expect(counts == {"scale": 6, "add": 18, "sums": 6}, "%s: recorded: %s" % (name, counts))
        if name == "pocl":
            s.rewrite("scale")
            entry = s.inject("scale", "--drop-in", "--check=2")
            expect(entry["injected"] == 6 and entry["checked"] > 0 and entry["differing"] == 0, "the report: %s" % entry)


def safety(given):
    """What is not verified, not private or not for this device must not run."""
    s = Session(given, "safety", [given.stress])
    s.record()
    s.rewrite("scale")
    rewritten = next(s.folder.glob("*/rewritten.cl"))
    text = rewritten.read_text()
    rewritten.write_text(text + "\n// changed\n")
    expect(s.inject("scale")["injected"] == 0, "a rewrite that was changed after it was judged runs")
    rewritten.write_text(text)
    for path in (rewritten, rewritten.parent, s.folder, s.folder / "inject.json"):
        mode = path.stat().st_mode
        path.chmod(mode | 0o022)
        expect(s.inject("scale")["injected"] == 0, "%s may be written by others, and is used" % path)
        path.chmod(mode)
    whole = (s.folder / "inject.json").read_text()
    changed = json.loads(whole)
    changed["programs"][0]["device"]["driver"] += " other"
    (s.folder / "inject.json").write_text(json.dumps(changed))
    entry = s.inject("scale")
    expect(entry["injected"] == 0 and entry["original"], "another driver than was judged on: %s" % entry)
    # What is only tested runs at recorded shapes alone; what is proved runs at all.
    def with_facts(**facts):
        given_facts = json.loads(whole)
        given_facts["programs"][0]["kernels"]["scale"].update(facts)
        (s.folder / "inject.json").write_text(json.dumps(given_facts))
    recorded = json.loads(whole)["programs"][0]["kernels"]["scale"]["recorded"]
    expect(len(recorded) > 1, "the recorded launches: %s" % recorded)
    with_facts(basis="tested")
    expect(s.inject("scale")["injected"] == 48, "the recorded shapes of a tested rewrite")
    with_facts(basis="tested", recorded=recorded[:1])
    entry = s.inject("scale")
    why = "a shape that was not recorded, and the rewrite is only tested"
    expect(0 < entry["injected"] < 48 and entry["injected"] + entry["original"][why] == 48, "other shapes: %s" % entry)
    entry = s.inject("scale", "--allow-tested")
    expect(entry["injected"] == 48 and not entry["original"], "--allow-tested: %s" % entry)
    entry = s.inject("scale", "--require=proved")
    expect(entry["injected"] == 0 and entry["original"], "--require=proved, tested only: %s" % entry)
    with_facts(basis="proved", recorded=[])
    expect(s.inject("scale", "--require=proved")["injected"] == 48, "--require=proved, and proved")
    (s.folder / "inject.json").write_text(whole)
    # A shape that the manifest's `require` does not allow.
    changed = json.loads(whole)
    manifest = rewritten.parent / "rewritten.manifest.json"
    content = json.loads(manifest.read_text())
    content["kernels"][0]["require"] = ["n % 2 == 0"]
    manifest.write_text(json.dumps(content))
    digest = "sha256:" + hashlib.sha256(manifest.read_bytes()).hexdigest()
    changed["programs"][0]["manifest"]["sha256"] = digest
    (s.folder / "inject.json").write_text(json.dumps(changed))
    entry = s.inject("scale")
    expect(0 < entry["injected"] < 48 and "a shape that was not verified" in entry["original"],
           "a shape that was not verified: %s" % entry)
    # A wrong rewrite is found by --check, and not used any more.
    wrong = text.replace("+ 1", "+ 2")
    expect(wrong != text, "the rewritten source has no '+ 1'")
    rewritten.write_text(wrong)
    content["kernels"][0]["require"] = []
    manifest.write_text(json.dumps(content))
    for name, path in (("manifest", manifest), ("rewritten", rewritten)):
        changed["programs"][0][name]["sha256"] = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    (s.folder / "inject.json").write_text(json.dumps(changed))
    report = given.work / "wrong.json"
    report.unlink(missing_ok=True)
    done = run([given.bin / "clmali-inject", "--check=1", "--report=%s" % report, s.folder, "--", given.stress,
                "--lenient"])
    expect("gave another result than the original" in done.stderr, "--check finds no difference: " + done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--stress", type=pathlib.Path, required=True)
    parser.add_argument("--images", type=pathlib.Path)
    parser.add_argument("--linear", type=pathlib.Path)
    parser.add_argument("--chooser", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("test", choices=["stress", "pretend", "nothing", "images", "exchange", "pyopencl", "opencv", "forms", "binaries", "linked", "includes", "clpeak", "dropin", "safety"])
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    globals()[given.test](given)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
