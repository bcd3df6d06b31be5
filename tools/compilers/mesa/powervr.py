"""PowerVR: Mesa's pco compiler.

Front: rusticl and zink turn OpenCL C into SPIR-V, behind a driver that claims what zink needs.
Back:  each module, rewritten by spirv.py, is compiled by the real driver.
"""

import os
import re
import tempfile
import threading

from . import devices, figures, guest, spirv
from .workspace import NotReady

_VARIANT = re.compile(r"=== Printing nir variant '(\w+)' for '(.*)' before driver finalization")
_MODULE = re.compile(r"^vulkan_front: module (\d+)")
_KERNEL = re.compile(r"^clbuild: kernel (\S+) (.*)")
_FIGURE = re.compile(r"^vkstat: figure (.*) = (\d+)$")
_LISTING = "shader ir after passes:"
# SPIR-V does not depend on the GPU. It is made for this one, so there is one shader cache.
FRONT = devices.DEVICES["powervr-bxs-4-64"]
# Modules leave the work-group size open. The code depends on it only in constants.
_GROUP = ["64", "1", "1"]

_modules = {}
_lock = threading.Lock()


def _environment(workspace, driver, **variables):
    return guest.environment(workspace, dict(
        variables, VK_DRIVER_FILES=workspace.guest(driver), VK_LOADER_LAYERS_DISABLE="~all~",
        PVR_I_WANT_A_BROKEN_VULKAN_DRIVER="1"))


def _preload(workspace):
    return ["tree.so", os.path.join(workspace.libraries, "libpowervr_noop_drm_shim.so")]


def _front(workspace, cache, frozen, jobs, folder, limits):
    with tempfile.NamedTemporaryFile("w", suffix=".jobs") as f:
        f.writelines("%s\t-cl-std=CL1.2 %s\n" % job if "-cl-std" not in job[1]
                     else "%s\t%s\n" % job for job in jobs)
        f.flush()
        environment = _environment(
            workspace, "front.json", ZINK_DEBUG="nobgc", RUSTICL_ENABLE="zink",
            RUSTICL_DEBUG="nir", PVR_SHIM_DEVICE_BVNC=FRONT.identity,
            CLMALI_DRIVER=os.path.join(workspace.libraries, "libvulkan_powervr_mesa.so"),
            CLMALI_MODULES=folder, MESA_SHADER_CACHE_DIR=cache,
            OCL_ICD_VENDORS=os.path.join(workspace.libraries, "libRusticlOpenCL.so.1"),
            **{"CLMALI_CACHE_FROZEN" if frozen else "CLMALI_SETTLE": "1"})
        argv = guest.command(workspace, "clbuild", [f.name], _preload(workspace))
        return guest.run(argv, environment, "clbuild", *limits)


def _start(workspace):
    """For Workspace.prime: builds a small kernel."""
    def once(cache, frozen):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "prime.cl")
            with open(path, "w") as f:
                f.write("kernel void prime(global int *p) { p[0] = 1; }\n")
            result = _front(workspace, cache, frozen, [(path, "")], folder, (600, 1 << 26))
        if re.search(_MODULE.pattern, result.sections.get(0, ""), re.M):
            return result.startup, ""
        output = result.before + "".join(result.sections.values())
        return result.startup, (result.stopped or "no module") + ": " + output[-600:]
    return once


def prime(workspace, device, say):
    workspace.require("powervr")
    return workspace.prime(FRONT, _start(workspace), say)


def parse_front(section):
    """({kernel: module number of the optimized variant, else of the default one}, error)"""
    failed = re.search(r"^clbuild: failed (.*)", section, re.M)
    if failed:
        log = re.search(r"clbuild: log begin\n(.*?)\nclbuild: log end", section, re.S)
        return {}, "the program does not build: " + (log.group(1) if log else failed.group(1))
    variants, modules, kernels = [], [], []
    for line in section.splitlines():
        for pattern, into in ((_VARIANT, variants), (_MODULE, modules), (_KERNEL, kernels)):
            match = pattern.match(line)
            if match:
                into.append(match)
    if len(variants) != len(modules):
        return {}, "%d variants of kernels, %d modules" % (len(variants), len(modules))
    found = {}
    for variant, module in zip(variants, modules):
        name, kind = variant.group(2), variant.group(1)
        if kind == "Optimized" or name not in found:
            found[name] = int(module.group(1))
    missing = [k.group(1) for k in kernels if k.group(1) not in found]
    if missing or not kernels:
        return {}, "no module for %s" % missing[0] if missing else "there is no kernel"
    return {k.group(1): found[k.group(1)] for k in kernels}, None


def _front_results(workspace, jobs, limits, say):
    """For each job {kernel: module as bytes} or (reason, cacheable)."""
    prime(workspace, FRONT, say)
    result, rest = [None] * len(jobs), list(range(len(jobs)))
    while rest:
        with tempfile.TemporaryDirectory() as folder:
            done = _front(workspace, workspace.primed(FRONT), True, [jobs[i] for i in rest],
                          folder, limits)
            for n in done.finished:
                kernels, error = parse_front(done.sections[n])
                if error:
                    result[rest[n]] = (error, error.startswith("the program does not build"))
                    continue
                result[rest[n]] = {}
                for name, number in kernels.items():
                    with open(os.path.join(folder, "%d.spv" % number), "rb") as f:
                        result[rest[n]][name] = f.read()
        if done.startup and workspace.too_slow(FRONT, done.startup):
            say("powervr: the start took %.1f s: making the shader cache again" % done.startup)
            workspace.forget(FRONT)
            prime(workspace, FRONT, say)
        if done.stopped is None and len(done.finished) == len(rest):
            break
        stopped = done.stopped or "the compiler ended early"
        if done.current is None and not done.finished:
            raise NotReady("powervr: %s: %s" % (stopped, done.before[-600:]))
        left = [n for n in range(len(rest)) if n not in done.finished]
        bad = done.current if done.current is not None else left[0]
        result[rest[bad]] = (stopped, False)
        rest = [rest[n] for n in left if n != bad]
    return result


def _modules_of(workspace, jobs, limits, say):
    """_front_results, kept for the other GPUs of this run."""
    keys = []
    for path, options in jobs:
        with open(path) as f:
            keys.append((f.read(), options))
    missing = [n for n, key in enumerate(keys) if key not in _modules]
    if missing:
        for n, kernels in zip(missing, _front_results(workspace, [jobs[n] for n in missing],
                                                      limits, say)):
            with _lock:
                _modules[keys[n]] = kernels
    return [_modules[key] for key in keys]


def parse_listing(section):
    """The blocks of the last listing: [{loops, groups, loads, stores, ...}], number of loops."""
    _, found, text = section.rpartition(_LISTING)
    rows, scopes, loops = [], [], 0
    if not found:
        return rows, loops
    for line in text.splitlines():
        line = line.strip()
        if re.match(r"block B\d+:", line):
            rows.append(dict(loops=[s for s in scopes if s is not None], groups=0, loads=0,
                             loadDwords=0, stores=0, textures=0, atomics=0, waits=0))
        elif re.match(r"loop L\d+ \{", line):
            scopes.append(loops)
            loops += 1
        elif re.match(r"if I\d+ \{|else\b.*\{$|\{$|\} else.*\{$", line):
            if line.startswith("}"):
                scopes.pop()
            scopes.append(None)
        elif line == "}":
            if not scopes:
                break
            scopes.pop()
            if not scopes:
                break
        elif re.match(r"\d{4,}: ", line) and rows:
            row = rows[-1]
            row["groups"] += 1
            load = re.search(r"backend: ld \S+ \S+ (\d+)u", line)
            row["loads"] += "backend: ld" in line
            row["loadDwords"] += int(load.group(1)) if load else 0
            row["stores"] += "backend: st" in line
            row["textures"] += "backend: smp" in line
            row["atomics"] += "backend: atomic" in line
            row["waits"] += "ctrl: wdf" in line
    return rows, loops


def derive(section):
    """The figures of one module. Raises KeyError if one is missing."""
    raw = {m.group(1): int(m.group(2)) for m in map(_FIGURE.match, section.splitlines()) if m}
    rows, loops = parse_listing(section)
    groups = raw["Inst group count"]
    complete = sum(row["groups"] for row in rows) == groups and loops == raw["Loop count"]
    def total(name):
        return sum(row[name] for row in rows) if complete else None
    return dict(
        status="ok", groups=groups, main=raw["Main inst group count"],
        bitwise=raw["Bitwise inst group count"], control=raw["Control inst group count"],
        loads=total("loads"), loadDwords=total("loadDwords"), stores=total("stores"),
        texture=total("textures"), atomics=total("atomics"), waits=total("waits"),
        registers=raw["Temp count"], occupancy=None, threads=None, spills=raw["Spill count"],
        fills=None, loops=raw["Loop count"], maxWorkGroup=None, privateBytes=raw["Scratch size"],
        codeBytes=raw["Code size"],
        blocks=[{k: row[k] for k in ("loops", "groups", "loads", "stores")} for row in rows]
        if complete else [], blocksExact=complete)


def _module_figures(device, section, stopped):
    if stopped:
        return figures.no_figure({}, stopped)
    lines = section.splitlines()
    refused = [line for line in lines if re.search(r"Unsupported (alu|intrin)", line)]
    failed = [line for line in lines if line.startswith("vkstat: failed")]
    # Reasons of the driver follow their "message" line; warnings are about capabilities.
    reasons = [lines[n + 1].strip() for n, line in enumerate(lines[:-1])
               if line.startswith("vkstat: message") and "WARNING" not in line]
    if refused or failed:
        return figures.no_figure({}, "; ".join([*refused[:1], *failed[:1], *reasons[:1]]))
    try:
        row = derive(section)
    except KeyError as e:
        return figures.no_figure({}, "the driver's figures lack %s" % e)
    wrong = figures.impossible(row, device)
    return figures.no_figure({}, wrong) if wrong else row


def _back(workspace, device, modules, limits):
    """The figures of the modules, in their order."""
    result, rest = [None] * len(modules), list(range(len(modules)))
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for n, data in enumerate(modules):
            paths.append(os.path.join(folder, "%d.spv" % n))
            with open(paths[-1], "wb") as f:
                f.write(data)
        while rest:
            jobs = os.path.join(folder, "jobs")
            with open(jobs, "w") as f:
                f.writelines(paths[n] + "\n" for n in rest)
            environment = _environment(workspace, "driver.json", MESA_SHADER_CACHE_DISABLE="1",
                                       PVR_SHIM_DEVICE_BVNC=device.identity,
                                       PCO_DEBUG_PRINT="cs")
            argv = guest.command(workspace, "vkstat", [jobs, *_GROUP], _preload(workspace))
            # The driver prints this line without end.
            done = guest.run(argv, environment, "vkstat", *limits, fatal="Unsupported alu")
            for n in done.finished:
                result[rest[n]] = _module_figures(device, done.sections[n], None)
            if done.stopped is None and len(done.finished) == len(rest):
                break
            stopped = done.stopped or "the compiler ended early"
            if done.current is None and not done.finished:
                raise NotReady("%s: %s: %s" % (device.name, stopped, done.before[-600:]))
            left = [n for n in range(len(rest)) if n not in done.finished]
            bad = done.current if done.current is not None else left[0]
            result[rest[bad]] = figures.no_figure({}, stopped)
            rest = [rest[n] for n in left if n != bad]
    return result


def compile_all(workspace, device, jobs, limits, say):
    """{kernel: figures} for each of the jobs, pairs (file, options), in their order."""
    result, work = [], []
    for kernels in _modules_of(workspace, jobs, limits, say):
        if isinstance(kernels, tuple):
            reason, cacheable = kernels
            result.append({None: figures.no_figure({"cacheable": True} if cacheable else {},
                                                   reason)})
            continue
        result.append({})
        for name, data in kernels.items():
            try:
                work.append((len(result) - 1, name, spirv.acceptable(data)))
            except (ValueError, KeyError, IndexError, StopIteration) as e:
                result[-1][name] = figures.no_figure({}, "the SPIR-V cannot be rewritten: %r" % e)
    done = _back(workspace, device, [data for _, _, data in work], limits) if work else []
    for (job, name, _), row in zip(work, done):
        result[job][name] = row
    return result
