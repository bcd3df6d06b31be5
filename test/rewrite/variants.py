"""Equivalent variants of a golden kernel: renamed, macro-hidden, inverted guard, reordered.

Before:  the text of a .cl file and its launch file (YAML text).
After:   [(name, new text, new launch text)]; a transformation that does not apply gives no variant.
Limits:  works on the text, for the simply formatted kernels of this folder; the caller checks that
         each variant still computes the same.
"""
import json
import re
import shutil
import subprocess

_WORD = re.compile(r"(?P<skip>//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"])*\"|^\s*#\s*pragma[^\n]*)|(?P<before>\.|->)?(?P<word>\b[A-Za-z_]\w*)", re.S | re.M)


def _names(path, defines):
    """Names of variables and parameters declared in the file, except those that are also fields."""
    clang = shutil.which("clang-19") or shutil.which("clang")
    p = subprocess.run([clang, "--target=spir64", "-cl-std=CL1.2", "-fsyntax-only", "-Xclang", "-ast-dump=json", *defines, path],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    declared, fields = set(), set()

    def walk(node):
        kind, name = node.get("kind"), node.get("name")
        if kind in ("VarDecl", "ParmVarDecl") and name and not node.get("isImplicit"):
            declared.add(name)
        if kind in ("FieldDecl", "RecordDecl") and name:
            fields.add(name)
        for child in node.get("inner") or []:
            walk(child)

    try:
        for decl in json.loads(p.stdout or b"{}").get("inner") or []:
            # Built-ins are implicit declarations with parameters.
            if not decl.get("isImplicit"):
                walk(decl)
    except ValueError:
        return set()
    return declared - fields


def renamed(path, text, launch, defines):
    names = sorted(_names(path, defines))
    words = set(re.findall(r"\w+", text))
    macros = set(re.findall(r"#\s*define\s+(\w+)", text))
    new = {n: f"{'qzkvj'[i % 5]}{i}_{n[::-1]}" for i, n in enumerate(names) if n in words and n not in macros}
    if not new:
        return None

    def swap(m):
        if m.group("skip") or m.group("before"):
            return m.group(0)
        return new.get(m.group("word"), m.group("word"))

    out = re.sub(r"(name: )(\w+)(, (?:value|buffer|local|image|sampler))", lambda m: m.group(1) + new.get(m.group(2), m.group(2)) + m.group(3), launch)
    out = re.sub(r"(same-as: )(\w+)", lambda m: m.group(1) + new.get(m.group(2), m.group(2)), out)
    return _WORD.sub(swap, text), out


def macro_hidden(path, text, launch, defines):
    head, body = _split_head(text)
    new = re.sub(r"\bget_global_id\((\d)\)", r"ITEM(\1)", body)
    new = re.sub(r"\bget_local_id\((\d)\)", r"LANE(\1)", new)
    new = re.sub(r"\b__global\b", "GLB", new)
    new = re.sub(r"\bbarrier\(CLK_LOCAL_MEM_FENCE\)", "SYNC", new)
    new = re.sub(r"\breturn;", "LEAVE;", new)
    if new == body:
        return None
    macros = ("#define ITEM(d) get_global_id(d)\n#define LANE(d) get_local_id(d)\n#define GLB __global\n"
              "#define SYNC barrier(CLK_LOCAL_MEM_FENCE)\n#define LEAVE return\n")
    return head + macros + new, launch


def _split_head(text):
    """(leading comment lines, the rest)"""
    m = re.match(r"(?:\s*//[^\n]*\n)*", text)
    return text[: m.end()], text[m.end():]


def _block_end(text, at):
    """The index after the brace that closes the one at text[at]."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i + 1
    return len(text)


def inverted_guard(path, text, launch, defines):
    """Turns an early return into an if around the rest, or the reverse."""
    if "barrier(" in text:
        return None
    k = re.search(r"\b(?:__)?kernel\b[^{;/]*\{", text)
    end = _block_end(text, k.end() - 1)
    body = text[k.end(): end - 1]
    m = re.search(r"\n  if \((.*)\)\s*\n?\s*return;\n", body)
    if m:
        rest = body[m.end():]
        new = body[: m.start()] + f"\n  if (!({m.group(1)})) {{\n{rest}  }}\n"
    else:
        m = re.search(r"\n  if \((.*)\) \{\n", body)
        if m:
            close = _block_end(body, m.end() - 2)
            if body[close:].strip():
                return None
            new = body[: m.start()] + f"\n  if (!({m.group(1)}))\n    return;\n{body[m.end(): close - 1]}"
        else:
            m = re.search(r"\n  if \((.*)\)\n(    [^\n{}]*;\n)$", body)
            if not m:
                return None
            new = body[: m.start()] + f"\n  if (!({m.group(1)}))\n    return;\n{m.group(2)}"
    return text[: k.end()] + new + text[end - 1:], launch


def reordered(path, text, launch, defines):
    """The parameters in the opposite order, in the kernel and in the launch file."""
    m = re.search(r"(\b(?:__)?kernel\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?void\s+\w+\s*\()([^)]*)(\))", text, re.S)
    params = [p.strip() for p in m.group(2).split(",")]
    rows = re.findall(r"^  - \{ name: .*\}\n", launch, re.M)
    if len(params) < 2 or len(rows) != len(params):
        return None
    new = text[: m.start(2)] + ", ".join(reversed(params)) + text[m.end(2):]
    block = "".join(rows)
    return new, launch.replace(block, "".join(reversed(rows)))


ALL = [renamed, macro_hidden, inverted_guard, reordered]


def all_at_once(path, text, launch, defines=()):
    """(new text, new launch text) with every transformation that applies, or None if none does."""
    found = False
    for make in ALL:  # renamed() comes first: it reads the names from the file
        made = make(path, text, launch, list(defines))
        if made:
            found, (text, launch) = True, made
    return (text, launch) if found else None


def variants(path, text, launch, defines=()):
    out = []
    for make in ALL:
        made = make(path, text, launch, list(defines))
        if made:
            out.append((make.__name__.replace("_", "-"), *made))
    return out
