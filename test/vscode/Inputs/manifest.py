"""The extension's package.json, language configuration and grammar: manifest.py SOURCE."""
import json
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
folder = source / "tools/editors/vscode"
about = json.loads((folder / "package.json").read_text())
number = re.search(r"^project\(clmali VERSION ([\d.]+) ", (source / "CMakeLists.txt").read_text(), re.M)[1]
assert about["version"] == number, (about["version"], number)
lock = json.loads((folder / "package-lock.json").read_text())
assert lock["version"] == number and not [p for p in lock["packages"].values() if "resolved" in p]

contributes = about["contributes"]
language, = contributes["languages"]
kernels = {".cl", ".clh", ".ocl", ".opencl"}
assert language["id"] == "opencl" and set(language["extensions"]) == kernels, language
json.loads((folder / language["configuration"]).read_text())
settings = contributes["configuration"]["properties"]
code = (folder / "extension.js").read_text()
for name, setting in settings.items():
    assert name.startswith("clmali.") and "default" in setting and "markdownDescription" in setting, name
    assert 'get("%s")' % name.removeprefix("clmali.") in code, name
    assert "`%s`" % name in (folder / "README.md").read_text(), name
assert set(re.findall(r'get\("(\w+)"\)', code)) == {n.removeprefix("clmali.") for n in settings}
for command in contributes["commands"]:
    assert 'registerCommand("%s"' % command["command"] in code, command
# What a folder can set, and must not: which program is run.
restricted = about["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
assert set(restricted) == {"clmali.path", "clmali.arguments"}, restricted

# The families and their names are those of the programs.
device = settings["clmali.device"]
said = subprocess.run(["clmali-lint", "--version"], check=True, capture_output=True, text=True).stdout
titles = dict(re.findall(r"^  (\S+)\s+([^:\n]+)", said, re.M))
shown = dict(zip(device["enum"], device["enumDescriptions"]))
assert len(device["enum"]) == len(device["enumDescriptions"]) and device["default"] == ""
for name, title in shown.items():
    assert name in ("", "mali") or titles.get(name) == title, (name, title, titles)
assert {n for n in titles if n.startswith(("mali", "powervr"))} <= set(shown), titles

# The grammar. Its expressions are common to Oniguruma and Python.
grammar = json.loads((folder / contributes["grammars"][0]["path"]).read_text())
rules = []


def collect(rule):
    for key in ("include",):
        if key in rule:
            collect(grammar["repository"][rule[key].removeprefix("#")])
    for key in ("match", "begin", "end"):
        if key in rule:
            re.compile(rule[key], re.M)
    if "match" in rule or "begin" in rule:
        rules.append(rule)
    else:
        for inner in rule.get("patterns", []):
            collect(inner)


collect(grammar)


def scope(text, word):
    """The scope of WORD in TEXT: the first rule that matches at the leftmost place, as VS Code reads a line."""
    at = 0
    while at < len(text):
        found = [(m.start(), number, m, rule) for number, rule in enumerate(rules)
                 if (m := re.compile(rule.get("match") or rule["begin"], re.M).search(text, at))]
        if not found:
            return None
        _, _, match, rule = min(found, key=lambda f: f[:2])
        end = match.end()
        if "end" in rule:
            closing = re.compile(rule["end"], re.M).search(text, end)
            end = closing.end() if closing else len(text)
        if match.start() <= text.index(word) < max(end, match.start() + 1):
            for group, capture in rule.get("captures", {}).items():
                if match.group(int(group)) == word:
                    return capture["name"]
            return rule.get("name")
        at = max(end, match.start() + 1)
    return None


LINE = "__kernel void blend(__global const uchar4 *restrict in, read_only image2d_t im, float f)"
for text, word, expected in [
        (LINE, "__kernel", "storage.modifier.kernel.opencl"),
        (LINE, "void", "storage.type.built-in.opencl"),
        (LINE, "blend", "entity.name.function.opencl"),
        (LINE, "__global", "storage.modifier.address-space.opencl"),
        (LINE, "const", "storage.modifier.opencl"),
        (LINE, "uchar4", "storage.type.vector.opencl"),
        (LINE, "read_only", "storage.modifier.access.opencl"),
        (LINE, "image2d_t", "storage.type.built-in.opencl"),
        ("int i = get_global_id(0);", "get_global_id", "support.function.work-item.opencl"),
        ("int i = get_global_id(0);", "0", "constant.numeric.opencl"),
        ("x = my_get_global_id(0);", "my_get_global_id", "entity.name.function.opencl"),
        ("float4 v = vload4(0, p);", "vload4", "support.function.memory.opencl"),
        ("v = convert_uchar16_sat_rte(w);", "convert_uchar16_sat_rte", "support.function.conversion.opencl"),
        ("float x = native_sin(y);", "native_sin", "support.function.math.opencl"),
        ("int select = 3;", "select", None),
        ("barrier(CLK_LOCAL_MEM_FENCE);", "barrier", "support.function.synchronization.opencl"),
        ("barrier(CLK_LOCAL_MEM_FENCE);", "CLK_LOCAL_MEM_FENCE", "constant.language.opencl"),
        ("a = v.s01 + v.xyzw;", "s01", "variable.other.member.swizzle.opencl"),
        ("a = 0x1Fu;", "0x1Fu", "constant.numeric.opencl"),
        ("a = 1.5e-3f;", "1.5e-3f", "constant.numeric.opencl"),
        ("a = x4;", "4", None),
        ("// kernel", "kernel", "comment.line.double-slash.opencl"),
        ("/* float */ int", "float", "comment.block.opencl"),
        ("/* float */ int", "int", "storage.type.built-in.opencl"),
        ('printf("%d float\\n", 1);', "float", "string.quoted.double.opencl"),
        ("#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "#pragma", "keyword.control.directive.opencl"),
        ("#define TILE 16", "TILE", "entity.name.function.preprocessor.opencl"),
        ("__attribute__((reqd_work_group_size(8, 8, 1)))", "reqd_work_group_size", "entity.other.attribute-name.opencl")]:
    assert scope(text, word) == expected, (text, word, scope(text, word), expected)
print("manifest: as it should be")
