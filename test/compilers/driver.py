#!/usr/bin/env python3
"""Tests the driver of the compilers on stored output, and its limits on small fake compilers."""
import argparse
import os
import re
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--source", required=True)
arguments, rest = parser.parse_known_args()
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(arguments.source, "tools", "compilers"))
sys.dont_write_bytecode = True

from mesa import blocks, devices, figures, guest, mali, powervr, spirv, store, weights, workspace  # noqa: E402


def stored(name):
    with open(os.path.join(HERE, "Inputs", name)) as f:
        return f.read()


def costs(name, device):
    return mali._job_figures(devices.DEVICES[device], stored(name), None)


class Mali(unittest.TestCase):
    def test_bifrost(self):
        one, two = (costs("bifrost.txt", "mali-g52")[k] for k in ("one", "two"))
        # The variant without a global offset is reported, not the default one (1.125 cycles).
        self.assertEqual((one["cycles"], one["bound"], one["variant"]), (1.0, "loadStore", "optimized"))
        self.assertAlmostEqual(one["arithmetic"], 7 / 24, places=5)
        self.assertEqual((two["cycles"], two["loadStore"], two["loops"]), (2.0, 2.0, 1))
        self.assertEqual((two["registers"], two["occupancy"], two["threads"]), (6, 100, 768))
        self.assertEqual((two["spills"], two["fills"], two["maxWorkGroup"]), (0, 0, 384))

    def test_bifrost_blocks_add_up(self):
        for row in costs("bifrost.txt", "mali-g52").values():
            self.assertTrue(row["blocksExact"])
            for unit in figures.UNITS:
                self.assertAlmostEqual(sum(b[unit] for b in row["blocks"]), row[unit], places=4)

    def test_loop_weights(self):
        two = costs("bifrost.txt", "mali-g52")["two"]
        # The loop has one load; the store is behind it.
        weighted = weights.weighted(two, 100)
        self.assertEqual((weighted["loadStore"], weighted["cycles"]), (101.0, 101.0))
        self.assertAlmostEqual(weighted["arithmetic"], two["arithmetic"] + 99 * 12 / 24, places=4)
        self.assertIsNone(weights.weighted(two, [3, 4]))  # one loop, two trip counts
        self.assertIsNone(weights.weighted(costs("bifrost.txt", "mali-g52")["one"], 100))

    def test_midgard(self):
        two = costs("midgard.txt", "mali-t860")["two"]
        # Mesa reports 10 bundles: 6 of the arithmetic pipe, 4 of the load-store pipe.
        self.assertEqual((two["arithmetic"], two["loadStore"], two["texture"]), (6.0, 4.0, 0.0))
        self.assertEqual((two["cycles"], two["occupancy"], two["registers"]), (6.0, 100, 1))

    def test_valhall(self):
        two = costs("valhall.txt", "mali-g610")["two"]
        self.assertEqual((two["cycles"], two["loadStore"], two["bound"]), (2.0, 2.0, "loadStore"))
        self.assertEqual(two["arithmetic"], two["units"]["sfu"])
        self.assertEqual(two["maxWorkGroup"], 1024)
        # Mesa does not say which instructions use which arithmetic unit.
        self.assertFalse(two["blocksExact"])
        self.assertEqual(weights.weighted(two, 100)["loadStore"], 101.0)

    def test_missing_statistics(self):
        text = stored("bifrost.txt")
        cut = re.sub(r"(?m)^MESA_SHADER_KERNEL shader: 25 instrs.*\n", "", text)
        self.assertIn("no statistics for two", mali._job_figures(
            devices.DEVICES["mali-g52"], cut, None)[None]["reason"])
        extra = text + "\nMESA_SHADER_KERNEL shader: 1 instrs, 1 cycles\n"
        self.assertIn("without a kernel", mali._job_figures(
            devices.DEVICES["mali-g52"], extra, None)[None]["reason"])

    def test_a_word_of_mesa_changes(self):
        text = stored("bifrost.txt").replace("registers used", "regs")
        row = mali._job_figures(devices.DEVICES["mali-g52"], text, None)["two"]
        self.assertEqual(row["status"], "no figure")

    def test_impossible_values(self):
        for old, new in (("6 registers used", "4294967295 registers used"),
                         ("6 registers used", "65 registers used"),
                         ("2.000000 cycles", "-1.000000 cycles"), ("2.000000 cycles", "9999999999.0 cycles"),
                         ("2.000000 cycles", "1e30.0 cycles"), ("2.000000 cycles", "nan cycles"),
                         ("25 instrs", "0 instrs"), ("2.000000 cycles", "0.000000 cycles")):
            text = stored("bifrost.txt").replace(old, new)
            row = mali._job_figures(devices.DEVICES["mali-g52"], text, None)
            row = row.get("two") or row[None]
            self.assertEqual(row["status"], "no figure", new)
            self.assertNotIn("cycles", row)

    def test_build_failure(self):
        row = mali._job_figures(devices.DEVICES["mali-g52"],
                                "clbuild: log begin\nk.cl:3: error: x\nclbuild: log end\n"
                                "clbuild: failed clBuildProgram: -11\n", None)[None]
        self.assertEqual(row["reason"], "the program does not build: k.cl:3: error: x")

    def test_prelude_only_where_vectors_are_accessed(self):
        self.assertEqual(mali.prelude("kernel void f(global int *p) { *p = 1; }", "-DN=1"), "")
        self.assertIn("clmali_vload4", mali.prelude("x = vload4(0, p);", ""))
        self.assertIn("clmali_vload4", mali.prelude("x = LD(0, p);", "-DLD=vload4"))


class Blocks(unittest.TestCase):
    def test_nested_loops(self):
        text = "".join("block%d {\nX\n} ->%s\n" % (n, "".join(" block%d" % s for s in to)) for n, to in
                       enumerate([[1], [2], [2, 3], [1, 4], []]))
        found = blocks.last_listing(text)
        self.assertEqual(blocks.find_loops(found), [1, 2])
        self.assertEqual([b.loops for b in found], [[], [0], [0, 1], [0], []])

    def test_a_forward_branch_is_no_loop(self):
        found = blocks.last_listing("block0 {\n} -> block2 block1\nblock1 {\n} -> block2\nblock2 {\n}\n")
        self.assertEqual(blocks.find_loops(found), [])

    def test_the_last_listing_counts(self):
        found = blocks.last_listing("block0 {\nA\n}\nblock0: {\nB\nC\n} from block1\n")
        self.assertEqual([b.lines for b in found], [["B", "C"]])

    def test_mnemonic(self):
        for line, name in (("\tr2 = LOAD.i32.slot0 r3, r4", "LOAD"), ("lut.FMOV R0.u32.y, #0", "FMOV"),
                           ("LD_UBO.32 R0.u32.x, _", "LD_UBO"), ("_.h00 = ICMP.s32 r0", "ICMP"), ("", "")):
            self.assertEqual(blocks.mnemonic(line), name)


class PowerVR(unittest.TestCase):
    def test_figures(self):
        row = powervr.derive(stored("powervr.txt"))
        self.assertEqual((row["groups"], row["main"], row["bitwise"], row["control"]), (80, 46, 19, 15))
        self.assertEqual((row["loads"], row["loadDwords"], row["stores"]), (2, 4, 1))
        self.assertEqual((row["registers"], row["spills"], row["loops"]), (10, 0, 1))
        self.assertIsNone(row["maxWorkGroup"])

    def test_blocks_add_up_and_loops_weigh(self):
        row = powervr.derive(stored("powervr.txt"))
        self.assertEqual(sum(b["groups"] for b in row["blocks"]), 80)
        inside = sum(b["groups"] for b in row["blocks"] if b["loops"])
        weighted = weights.weighted(row, 10)
        self.assertEqual(weighted["groups"], 80 + 9 * inside)
        self.assertEqual(weighted["loads"], 11)

    def test_a_listing_that_does_not_add_up(self):
        text = stored("powervr.txt").replace("Inst group count = 80", "Inst group count = 81")
        row = powervr.derive(text)
        self.assertEqual((row["groups"], row["blocks"], row["loads"]), (81, [], None))
        self.assertIsNone(weights.weighted(row, 10))

    def test_impossible_registers(self):
        text = stored("powervr.txt").replace("Temp count = 10", "Temp count = 249")
        row = powervr._module_figures(devices.DEVICES["powervr-bxs-4-64"], text, None)
        self.assertEqual(row["status"], "no figure")
        text = stored("powervr.txt").replace("Temp count = 10", "Temp count = 129")
        for name, status in (("powervr-axe-1-16m", "no figure"), ("powervr-bxs-4-64", "ok")):
            self.assertEqual(powervr._module_figures(devices.DEVICES[name], text, None)["status"], status)

    def test_refused(self):
        row = powervr._module_figures(devices.DEVICES["powervr-bxs-4-64"],
                                      'Unsupported alu instruction: "64 %1 = pack"\n', None)
        self.assertIn("Unsupported alu", row["reason"])

    def test_front(self):
        lines = []
        for name in ("one", "two"):
            for kind in ("Default", "Optimized"):
                lines.append("=== Printing nir variant '%s' for '%s' before driver finalization" % (kind, name))
                lines.append("vulkan_front: module %d" % (len(lines) // 2))
        lines += ["clbuild: kernel one group=128", "clbuild: kernel two group=128"]
        self.assertEqual(powervr.parse_front("\n".join(lines)), ({"one": 1, "two": 3}, None))
        self.assertIn("modules", powervr.parse_front("\n".join(lines[:3] + lines[8:]))[1])


class Spirv(unittest.TestCase):
    def module(self, *code):
        module = spirv.Module(spirv.struct.pack("<5I", 0x07230203, 0x10300, 0, 100, 0))
        module.code = [list(x) for x in code]
        return module

    # Two 32-bit loads at base and base + 4, each address as two halves.
    TYPES = [[14, 5348, 3], [21, 1, 32, 0], [21, 2, 64, 0], [23, 3, 1, 2], [32, 4, 5349, 1], [43, 1, 5, 4]]

    def loads(self, between):
        return self.module(
            *self.TYPES, [54, 1, 90, 0, 91], [248, 92],
            [80, 3, 10, 20, 21], [124, 2, 11, 10], [124, 4, 12, 11], [61, 1, 13, 12, 2, 4], *between,
            [128, 1, 14, 20, 5], [80, 3, 15, 14, 21], [124, 2, 16, 15], [124, 4, 17, 16],
            [61, 1, 18, 17, 2, 4], [253])

    def test_neighbouring_loads_become_one(self):
        module = self.loads([])
        spirv._Merger(module).run()
        self.assertEqual(sum(x[0] == spirv.LOAD for x in module.code), 1)
        self.assertEqual([x[2] for x in module.code if x[0] == spirv.EXTRACT], [13, 18])

    def test_a_store_or_barrier_between_keeps_both(self):
        for between in ([[62, 12, 13, 2, 4]], [[224, 5, 5, 5]]):
            module = self.loads(between)
            spirv._Merger(module).run()
            self.assertEqual(sum(x[0] == spirv.LOAD for x in module.code), 2)

    def test_a_byte_load_becomes_an_aligned_dword(self):
        module = self.module(
            [17, 39], [14, 5348, 3], [21, 1, 32, 0], [21, 2, 64, 0], [21, 6, 8, 0], [32, 7, 5349, 6],
            [54, 1, 90, 0, 91], [248, 92], [124, 7, 12, 11], [61, 6, 13, 12, 2, 1], [253])
        module.code.insert(8, [128, 2, 11, 30, 31])
        spirv._Widener(module).run()
        loads = [x for x in module.code if x[0] == spirv.LOAD]
        self.assertEqual([x[1] for x in loads], [1])
        self.assertFalse([x for x in module.code if x[0] == 21 and x[2] == 8])
        self.assertFalse([x for x in module.code if x[:2] == [17, 39]])
        self.assertIn([14, 0, 1], module.code)

    def test_no_spirv(self):
        for data in (b"", b"x" * 40):
            with self.assertRaises(ValueError):
                spirv.acceptable(data)


class Limits(unittest.TestCase):
    def run_guest(self, script, seconds=5, most=1 << 16, fatal=None):
        return guest.run(["sh", "-c", script], dict(os.environ), "clbuild", seconds, most, fatal)

    def test_all_jobs(self):
        run = self.run_guest("echo a; for n in 0 1; do echo clbuild: begin $n; echo x$n; echo clbuild: end $n; done")
        self.assertEqual((run.sections, run.finished, run.stopped), ({0: "x0\n", 1: "x1\n"}, {0, 1}, None))
        self.assertEqual(run.before, "a\n")

    def test_a_crash_names_its_job(self):
        run = self.run_guest("echo clbuild: begin 0; echo clbuild: end 0; echo clbuild: begin 1; kill -SEGV $$")
        self.assertEqual((run.finished, run.current), ({0}, 1))
        self.assertIn("SEGV", run.stopped)

    def test_endless_print(self):
        run = self.run_guest("echo clbuild: begin 0; while :; do echo again and again; done")
        self.assertIn("printed more than", run.stopped)

    def test_endless_line(self):
        run = self.run_guest("echo clbuild: begin 0; while :; do printf xxxxxxxxxxxxxxxx; done")
        self.assertIn("printed more than", run.stopped)

    def test_fatal_line(self):
        run = self.run_guest("echo clbuild: begin 0; echo Unsupported alu: x; sleep 60", fatal="Unsupported alu")
        self.assertEqual(run.stopped, "Unsupported alu: x")

    def test_endless_loop(self):
        run = self.run_guest("echo clbuild: begin 0; sleep 60", seconds=1)
        self.assertIn("more than 1 seconds", run.stopped)

    def test_the_machine_does_not_leak_into_the_guest(self):
        os.environ["MESA_LOADER_DRIVER_OVERRIDE"] = "x"
        variables = guest.environment(workspace.Workspace("/nowhere"), {"A": "b"})
        del os.environ["MESA_LOADER_DRIVER_OVERRIDE"]
        self.assertNotIn("MESA_LOADER_DRIVER_OVERRIDE", variables)
        self.assertEqual(variables["A"], "b")


class Caches(unittest.TestCase):
    DEVICE = devices.DEVICES["mali-g52"]

    def space(self, folder):
        return workspace.Workspace(folder)

    def starter(self, outcomes):
        """start() of Workspace.prime: each outcome is (seconds cold, seconds warm, files)."""
        calls = []

        def start(folder, frozen):
            cold, warm, files = outcomes[min(len(calls) // 2, len(outcomes) - 1)]
            calls.append(frozen)
            if not frozen:
                for name, size in files.items():
                    with open(os.path.join(folder, name), "wb") as f:
                        f.write(b"x" * size)
            return (warm if frozen else cold), ""
        return start, calls

    def test_primed_once(self):
        with tempfile.TemporaryDirectory() as folder:
            start, calls = self.starter([(8.0, 1.0, {"libclc": 200000, "kernel": 500})])
            space = self.space(folder)
            space.prime(self.DEVICE, start)
            space.prime(self.DEVICE, start)
            self.assertEqual(calls, [False, True])
            self.assertTrue(space.intact(self.DEVICE))
            # Kernels are not kept: one that is found would not be compiled.
            self.assertEqual(os.listdir(space.primed(self.DEVICE)), ["libclc"])

    def test_an_incomplete_entry_is_not_accepted(self):
        with tempfile.TemporaryDirectory() as folder:
            start, calls = self.starter([(8.0, 8.0, {"libclc.tmp": 200000})])
            with self.assertRaises(workspace.NotReady):
                self.space(folder).prime(self.DEVICE, start)
            self.assertEqual(calls, [False] * 3)

    def test_a_cache_that_does_not_help_is_not_accepted(self):
        with tempfile.TemporaryDirectory() as folder:
            start, _ = self.starter([(8.0, 7.0, {"libclc": 200000})])
            with self.assertRaises(workspace.NotReady):
                self.space(folder).prime(self.DEVICE, start)

    def test_damage_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            start, calls = self.starter([(8.0, 1.0, {"libclc": 200000})])
            space = self.space(folder)
            space.prime(self.DEVICE, start)
            path = os.path.join(space.primed(self.DEVICE), "libclc")
            with open(path, "r+b") as f:
                f.write(b"y")
            self.assertIsNotNone(space.record(self.DEVICE))
            self.assertFalse(space.intact(self.DEVICE))
            os.remove(path)
            self.assertIsNone(space.record(self.DEVICE))
            space.prime(self.DEVICE, start)
            self.assertEqual(len(calls), 4)

    def test_slow_start(self):
        with tempfile.TemporaryDirectory() as folder:
            start, _ = self.starter([(8.0, 1.0, {"libclc": 200000})])
            space = self.space(folder)
            space.prime(self.DEVICE, start)
            self.assertTrue(space.too_slow(self.DEVICE, 7.5))
            self.assertFalse(space.too_slow(self.DEVICE, 2.0))


class Results(unittest.TestCase):
    def test_store(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "packages.txt"), "w") as f:
                f.write("mesa-opencl-icd 1.0 abc\n")
            kept = store.Store(workspace.Workspace(folder))
            g52, g31 = devices.DEVICES["mali-g52"], devices.DEVICES["mali-g31"]
            key = kept.key("kernel", "-DA", g52)
            self.assertEqual(key, kept.key("kernel", "-DA", g52))
            self.assertEqual(len({key, kept.key("kernel2", "-DA", g52), kept.key("kernel", "-DB", g52),
                                  kept.key("kernel", "-DA", g31)}), 4)
            self.assertIsNone(kept.key('#include "x.h"\n', "", g52))
            kept.put(key, {"k": {"status": "ok", "cycles": 2.0}})
            self.assertEqual(kept.get(key)["k"]["cycles"], 2.0)
            other = kept.key("slow", "", g52)
            kept.put(other, {None: {"status": "no figure", "reason": "took too long"}})
            self.assertIsNone(kept.get(other))
            # What is stored is what was put: the job without a kernel, too.
            refused = {None: {"status": "no figure", "reason": "no double", "cacheable": True}}
            kept.put(other, refused)
            self.assertEqual(kept.get(other), refused)

    def test_loops_that_are_kept(self):
        # An outer loop of unknown trips, in it loops of 8 and, deeper, 4 trips, which may be unrolled.
        trips = [16.0, [8.0, 2], [4.0, 3]]
        self.assertEqual(weights.kept(trips, 3), [16.0, 8.0, 4.0])
        self.assertEqual(weights.kept(trips, 2), [16.0, 8.0])
        self.assertEqual(weights.kept(trips, 1), [16.0])
        self.assertIsNone(weights.kept(trips, 4))
        self.assertIsNone(weights.kept([16.0, 8.0], 1))
        self.assertIsNone(weights.kept([[8.0, 1], [4.0, 1]], 1))  # one of two alike: which is not known
        self.assertEqual(weights.kept(10, 2), [10, 10])

    def test_items(self):
        row = dict(status="ok", cycles=8.0, arithmetic=6.0, loadStore=8.0, texture=0.0, loops=0, blocks=[])
        self.assertEqual(weights.finish(row, None, 16)["perItem"],
                         {"arithmetic": 0.375, "loadStore": 0.5, "texture": 0.0, "cycles": 0.5})
        self.assertNotIn("perItem", weights.finish(row, None, None))

    def test_loops_counted_once_is_said(self):
        row = dict(status="ok", cycles=8.0, loops=2, blocks=[])
        self.assertTrue(weights.finish(row, None, None)["loopsCountedOnce"])
        self.assertTrue(weights.finish(row, 16, None)["loopsCountedOnce"])  # no blocks: not weighted
        self.assertFalse(weights.finish(dict(row, loops=0), 16, None)["loopsCountedOnce"])


class Names(unittest.TestCase):
    def test_every_model_of_the_rules_has_a_compiler(self):
        with open(os.path.join(arguments.source, "rules", "devices.yaml")) as f:
            models = re.findall(r"\b(?:mali|powervr)-[a-z]+-?\d[a-z0-9-]*", re.sub(r'"[^"]*"', "", f.read()))  # without patterns
        self.assertGreater(len(models), 30)
        for model in models:
            devices.resolve(model)

    def test_resolve(self):
        self.assertEqual([name for name, _ in devices.resolve("mali-bifrost, mali-g52,MALI-G31")],
                         ["mali-g52", "mali-g31"])
        name, device = devices.resolve("mali-g78")[0]
        self.assertEqual((name, device.name), ("mali-g78", "mali-g57"))
        for wrong in ("mali-g99", "", "mali-g52,nothing"):
            with self.assertRaises(ValueError):
                devices.resolve(wrong)


unittest.main(argv=[sys.argv[0], *rest])
