"""Mali: Mesa's panfrost compilers for Midgard, Bifrost and Valhall, behind rusticl."""

import os
import re
import tempfile

from . import blocks, figures, guest
from .workspace import HERE, NotReady

_VARIANT = re.compile(r"=== Printing nir variant '(\w+)' for '(.*)' before driver finalization")
# "MESA_SHADER_KERNEL shader: 8 instrs, ..." and Midgard's "CL shader: 16 inst, ..."
_STATISTICS = re.compile(r"^\S+ shader: (\d+ inst.*)")
_KERNEL = re.compile(r"^clbuild: kernel (\S+) (.*)")
# Work-items for each unit of Mesa's "threads": the share of a core's threads in use.
_OCCUPANCY = {"midgard": {4: 100, 2: 50, 1: 25}, "bifrost": {2: 100, 1: 50},
              "valhall": {2: 100, 1: 50}}
# Bifrost executes 24 tuples for each cycle of Mesa's estimate.
_TUPLES_PER_CYCLE = 24


def variables(device, cache, frozen):
    return {
        "CLMALI_GPU_ID": "%04x" % device.identity, "RUSTICL_ENABLE": "panfrost",
        "RUSTICL_DEBUG": "nir", "MESA_SHADER_CACHE_DIR": cache,
        "BIFROST_MESA_DEBUG": "shaderdb,shaders", "MIDGARD_MESA_DEBUG": "shaderdb,shaders",
        ("CLMALI_CACHE_FROZEN" if frozen else "CLMALI_SETTLE"): "1",
    }


def run(workspace, device, cache, frozen, jobs, limits):
    """Builds the jobs, pairs (file, options), in one process."""
    with tempfile.NamedTemporaryFile("w", suffix=".jobs") as f:
        f.writelines("%s\t%s\n" % job for job in jobs)
        f.flush()
        environment = guest.environment(workspace, dict(
            variables(device, cache, frozen),
            OCL_ICD_VENDORS=os.path.join(workspace.libraries, "libRusticlOpenCL.so.1")))
        argv = guest.command(workspace, "clbuild", [f.name], ["tree.so", "mali_node.so"])
        return guest.run(argv, environment, "clbuild", *limits)


def start(workspace, device):
    """For Workspace.prime: builds a small kernel."""
    def once(cache, frozen):
        with tempfile.NamedTemporaryFile("w", suffix=".cl") as f:
            f.write("kernel void prime(global int *p) { p[0] = 1; }\n")
            f.flush()
            result = run(workspace, device, cache, frozen, [(f.name, "")], (600, 1 << 26))
        if re.search(_STATISTICS.pattern, result.sections.get(0, ""), re.M):
            return result.startup, ""
        output = result.before + "".join(result.sections.values())
        return result.startup, (result.stopped or "no statistics") + ": " + output[-600:]
    return once


def _number(text):
    return text if ":" in text else float(text) if "." in text else int(text)


def _statistics(line):
    found = {}
    for item in line.split(", "):
        value, _, name = item.partition(" ")
        found[name] = _number(value)
    return found


def parse(section):
    """The kernels of one job: [(kernel, variant, statistics, listing)], {kernel: host facts}, error.

    Statistics name no kernel. They follow the NIR of each variant in the same order.
    """
    found, waiting, host, listing = [], [], {}, []
    for line in section.splitlines():
        variant = _VARIANT.match(line)
        statistics = _STATISTICS.match(line)
        kernel = _KERNEL.match(line)
        if variant:
            waiting.append((variant.group(2), variant.group(1).lower()))
        elif statistics:
            if not waiting:
                return [], host, "statistics without a kernel"
            try:
                values = _statistics(statistics.group(1))
            except ValueError:
                return [], host, "statistics that are no numbers: " + line
            found.append((*waiting.pop(0), values, "\n".join(listing)))
            listing = []
        elif kernel:
            host[kernel.group(1)] = dict(
                (name, int(value)) for name, value in
                (part.split("=") for part in kernel.group(2).split()))
        else:
            listing.append(line)
    if waiting:
        return [], host, "no statistics for %s" % waiting[0][0]
    missing = [name for name in host if name not in {row[0] for row in found}]
    if missing:
        return [], host, "no statistics for %s" % missing[0]
    return found, host, None


def _bifrost_block(block):
    """Tuples that need the arithmetic unit, load-store messages, texture messages."""
    tuples, memory, texture, fma = 0, 0, 0, False
    for line in block.lines:
        part = line.strip()
        if part.startswith("* "):
            fma = part[2:].strip() != "NOP"
        elif part.startswith("+ "):
            name = blocks.mnemonic(part[2:])
            message = re.match(r"(LOAD|STORE|LD_|ST_|ATOM|AXCHG|ACMPXCHG|TEX|VAR_TEX|BARRIER)", name)
            if re.match(r"TEX|VAR_TEX", name):
                texture += 1
            elif message and name != "BARRIER":
                memory += 1
            tuples += bool(fma or not message)
    return tuples, memory, texture


def _midgard_block(block):
    """Bundles of the arithmetic, load-store and texture pipes."""
    counts, bundle = [0, 0, 0], []
    for line in block.lines + [""]:
        if line.strip():
            bundle.append(blocks.mnemonic(line))
        elif bundle:
            memory = any(re.match(r"(LD|ST|ATOMIC|LDST)_?\d*|PACK_COLOUR|LEA", n) for n in bundle)
            texture = any(re.match(r"TEX|TXF|BARRIER|DERIV", n) for n in bundle)
            counts[2 if texture else 1 if memory else 0] += 1
            bundle = []
    return tuple(counts)


def _valhall_block(block):
    """Arithmetic instructions, load-store messages, texture messages."""
    counts = [0, 0, 0]
    for line in block.lines:
        name = blocks.mnemonic(line)
        if re.match(r"TEX", name):
            counts[2] += 1
        elif re.match(r"(LOAD|STORE|LD_|ST_|ATOM|AXCHG|ACMPXCHG|LEA_TEX)", name):
            counts[1] += 1
        elif name and name not in ("NOP", "BARRIER"):
            counts[0] += 1
    return tuple(counts)


_COUNT = {"bifrost": _bifrost_block, "midgard": _midgard_block, "valhall": _valhall_block}


def _blocks(device, listing, totals):
    """The blocks with their share of totals, (are the shares exact, blocks, number of loops).

    Counts of the listing are scaled to the totals that Mesa reports. They are exact if no scaling
    was needed.
    """
    found = blocks.last_listing(listing)
    if not found:
        return False, [], 0
    loops = len(blocks.find_loops(found))
    counts = [_COUNT[device.generation](block) for block in found]
    per_cycle = {"bifrost": (_TUPLES_PER_CYCLE, 1, 2)}.get(device.generation, (1, 1, 1))
    exact, rows = device.generation != "valhall", [dict(loops=b.loops) for b in found]
    for unit, name in enumerate(figures.UNITS):
        counted = sum(c[unit] for c in counts)
        total = totals.get(name) or 0
        if total and not counted:
            return False, [], loops
        if abs(counted / per_cycle[unit] - total) > 1e-4 * max(1, total):
            exact = False
        for row, count in zip(rows, counts):
            row[name] = round(count[unit] * total / counted, 6) if counted else 0.0
    return exact, rows, loops


def _units(device, raw, listing):
    """arithmetic, loadStore, texture, and the parts of arithmetic by unit, in cycles."""
    if device.generation == "bifrost":
        return dict(arithmetic=raw["arith"], loadStore=raw["ldst"], texture=raw["t"]), {}
    if device.generation == "valhall":
        parts = {name: raw[name] for name in ("fma", "cvt", "sfu")}
        return dict(arithmetic=max(parts.values()), loadStore=raw["ls"], texture=raw["t"]), parts
    # Midgard: one issue of a pipe for each bundle. Mesa reports only their sum.
    counts = [_midgard_block(block) for block in blocks.last_listing(listing)]
    sums = [float(sum(c[i] for c in counts)) for i in range(3)]
    if sum(sums) != raw["bundles"]:
        return {}, {}
    return dict(zip(figures.UNITS, sums)), {}


def derive(device, raw, listing, host):
    """The figures of one kernel from Mesa's statistics. Raises KeyError if one is missing."""
    spills, fills = (int(n) for n in raw["spills:fills"].split(":"))
    units, parts = _units(device, raw, listing)
    cycles, bound = figures.cycles_of(units)
    if parts and bound == "arithmetic":
        bound = max(parts, key=lambda name: parts[name])
    reported = raw.get("cycles")
    exact, rows, loops = _blocks(device, listing, units) if units else (False, [], 0)
    if loops != raw["loops"]:
        rows = []
    occupancy = _OCCUPANCY[device.generation].get(raw.get("threads"))
    if device.name in ("mali-g71", "mali-g72"):
        occupancy = 100  # their number of threads does not depend on the registers
    return dict(
        status="ok", cycles=cycles if reported is None else reported, bound=bound, **units,
        **({"units": parts} if parts else {}),
        instructions=raw.get("instrs", raw.get("inst")),
        registers=raw.get("registers used", raw.get("registers")),
        occupancy=occupancy,
        threads=device.threads * occupancy // 100 if occupancy else None,
        spills=spills, fills=fills, loops=raw["loops"], maxWorkGroup=host.get("group") or None,
        localBytes=host.get("local"), privateBytes=host.get("private"),
        codeBytes=raw.get("code size", raw.get("quadwords", 0) * 16),
        blocks=rows, blocksExact=exact)


def _job_figures(device, section, stopped):
    """{kernel: figures} of one job, or {None: no figure}."""
    if stopped:
        return {None: figures.no_figure({}, stopped)}
    failed = re.search(r"^clbuild: failed (.*)", section, re.M)
    if failed:
        log = re.search(r"clbuild: log begin\n(.*?)\nclbuild: log end", section, re.S)
        return {None: figures.no_figure({"cacheable": True}, "the program does not build: " + (
            log.group(1) if log else failed.group(1)))}
    found, host, error = parse(section)
    if error or not host:
        return {None: figures.no_figure({}, error or "there is no kernel")}
    result = {}
    for kernel in host:
        # rusticl compiles a variant that works with any launch, and one without a global offset.
        variants = {variant: (raw, listing) for name, variant, raw, listing in found
                    if name == kernel}
        variant = "optimized" if "optimized" in variants else "default"
        try:
            row = derive(device, *variants[variant], host[kernel])
        except (KeyError, ValueError) as e:
            result[kernel] = figures.no_figure({}, "Mesa's statistics lack %s" % e)
            continue
        wrong = figures.impossible(row, device)
        result[kernel] = figures.no_figure({}, wrong) if wrong else dict(row, variant=variant)
    return result


def prelude(source, options):
    """Whole-vector vloadN and vstoreN; "" where nothing can use them. It takes time to compile."""
    if not re.search(r"vload|vstore|include", source + " " + options):
        return ""
    with open(os.path.join(HERE, "guest", "whole_vectors.h")) as f:
        return f.read()


def prime(workspace, device, say):
    workspace.require("mali")
    return workspace.prime(device, start(workspace, device), say)


def compile_all(workspace, device, jobs, limits, say):
    """{kernel: figures} for each of the jobs, pairs (file, options), in their order.

    A job at which the compiler stops gets no figure; the others start again in a new process.
    """
    prime(workspace, device, say)
    result, rest = [None] * len(jobs), list(range(len(jobs)))
    while rest:
        done = run(workspace, device, workspace.primed(device), True,
                   [jobs[i] for i in rest], limits)
        for number in done.finished:
            result[rest[number]] = _job_figures(device, done.sections[number], None)
        if done.startup and workspace.too_slow(device, done.startup):
            say("%s: the start took %.1f s: making its shader cache again" % (
                device.name, done.startup))
            workspace.forget(device)
            prime(workspace, device, say)
        if done.stopped is None and len(done.finished) == len(rest):
            break
        stopped = done.stopped or "the compiler ended early"
        if done.current is None and not done.finished:
            raise NotReady("%s: %s: %s" % (device.name, stopped, done.before[-600:]))
        left = [n for n in range(len(rest)) if n not in done.finished]
        bad = done.current if done.current is not None else left[0]
        section = done.sections.get(bad, "")
        fatal = [line for line in section.splitlines()[-40:]
                 if re.search(r"panicked|[Aa]ssert|rror:|Unsupported|FATAL", line)]
        result[rest[bad]] = _job_figures(device, section, "; ".join([stopped] + fatal[:2]))
        rest = [rest[n] for n in left if n != bad]
    return result
