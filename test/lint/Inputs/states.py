"""states.py LINT: suppressed, known, new and absent results in SARIF, and their locations."""
import json
import os
import subprocess
import sys

lint = sys.argv[1]
HEAD = "// \u00e9\U0001f600\n"
KERNEL = """__kernel void f(__global int *a, int n) { /* \u00e9\U0001f600 */
  int i = get_global_id(0);
  a[i] = i / n; // NOLINT(clmali-integer-division)
  a[i] = i / n;
  a[i] = i < 0 ? 0 : i;
}
"""


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def run(*options, cwd="."):
    done = subprocess.run([lint, "--device=mali", "--checks=-*,integer-division,manual-clamp", "--fail-on=error",
                           "--format=sarif", *options], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done
    subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "sarif.py"), "/dev/stdin"],
                   input=done.stdout, text=True, check=True, stdout=subprocess.DEVNULL)
    return json.loads(done.stdout)["runs"][0]["results"]


def prints(results):
    return sorted(r["partialFingerprints"]["clmali/v1"] for r in results)


write("k.cl", KERNEL)
results = run("k.cl")
states = [("suppressions" in r, r["ruleId"]) for r in results]
assert states == [(True, "clmali-integer-division"), (False, "clmali-integer-division"),
                  (False, "clmali-manual-clamp")], states
assert results[0]["suppressions"][0]["kind"] == "inSource"
assert all("baselineState" not in r for r in results)
place = results[1]["locations"][0]["physicalLocation"]
assert place["artifactLocation"] == {"uri": "k.cl", "uriBaseId": "%SRCROOT%"}, place
assert place["region"] == {"startLine": 4, "startColumn": 10, "endLine": 4, "endColumn": 15}, place

# The fix gives the replaced text, with columns in the same unit.
fix, = results[2]["fixes"]
change = fix["artifactChanges"][0]["replacements"][0]
lines = KERNEL.split("\n")
region = change["deletedRegion"]
assert region["startLine"] == region["endLine"] == 5
old = lines[4][region["startColumn"] - 1:region["endColumn"] - 1]
new = lines[4].replace(old, change["insertedContent"]["text"])
assert "max(" in new and "?" not in new, new

# Columns after a character of two UTF-16 units.
write("u.cl", "__kernel void f(__global int *a, int n) { /* \U0001f600 */ a[get_global_id(0)] = (int)get_global_id(0) / n; }\n")
region = run("u.cl")[0]["locations"][0]["physicalLocation"]["region"]
utf16 = open("u.cl").read().encode("utf-16-le")
text = utf16[2 * (region["startColumn"] - 1):2 * (region["endColumn"] - 1)].decode("utf-16-le")
assert text == "(int)get_global_id(0) / n", text

# Fingerprints do not depend on moved or indented lines, nor on how the file is named.
want = prints(results)
write("k.cl", HEAD * 3 + KERNEL.replace("  a[i]", "\ta[i]"))
assert prints(run("k.cl")) == want
assert prints(run(os.path.abspath("k.cl"))) == want
assert prints(run("../k.cl", cwd="sub")) == want
assert run("../k.cl", cwd="sub")[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "k.cl"

# Compared with a baseline.
run("k.cl", "--write-baseline=base.json")
write("k.cl", KERNEL.replace("a[i] = i / n;\n", "a[i] += i % (n + 1);\n"))
results = run("k.cl", "--baseline=base.json")
states = sorted((r["baselineState"], r["ruleId"]) for r in results if "suppressions" not in r)
assert states == [("absent", "clmali-integer-division"), ("new", "clmali-integer-division"),
                  ("unchanged", "clmali-manual-clamp")], states
# The baseline written again: new results become known, absent ones are removed.
run("k.cl", "--baseline=base.json", "--write-baseline=base.json")
states = {r["baselineState"] for r in run("k.cl", "--baseline=base.json") if "suppressions" not in r}
assert states == {"unchanged"}, states
entries = json.load(open("base.json"))["findings"]
assert sorted(e["rule"] for e in entries) == ["integer-division", "manual-clamp"], entries
print("states and locations are correct")
