"""Places in the text of a rewritten kernel: its parameters, loads, stores, guards and barriers.

The text is what the rewriter's printer writes: one statement in each line or group of lines. A place
that is not understood (a pointer to a structure, a cast as a target) is left out.
"""
import re
from dataclasses import dataclass, field

SCALARS = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8,
           "ulong": 8, "float": 4, "double": 8}
ALIASES = {"unsigned char": "uchar", "unsigned short": "ushort", "unsigned int": "uint",
           "unsigned long": "ulong", "unsigned": "uint", "size_t": "ulong"}


def closing(text, start):
    """The position after the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += text[i] in "([{"
        depth -= text[i] in ")]}"
        if not depth:
            return i + 1
    raise ValueError("a bracket is not closed")


def split(text):
    """The parts between commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([{"
        depth -= c in ")]}"
        if c == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    return parts + [text[start:].strip()]


def element(name):
    """(scalar type, lanes) of a type name, or None."""
    name = ALIASES.get(name, name)
    m = re.fullmatch(r"([a-z]+?)(2|3|4|8|16)?", name)
    return (m.group(1), int(m.group(2) or 1)) if m and m.group(1) in SCALARS else None


@dataclass
class Parameter:
    name: str
    space: str    # "global", "constant", "local" or "" for a value
    type: tuple   # (scalar type, lanes); None: not built in


@dataclass
class Site:
    """A statement text[start:end], with its semicolon."""
    start: int
    end: int
    indent: str
    buffer: str = ""     # the parameter that is accessed
    scalar: str = ""     # the type of one lane
    lanes: int = 1
    value: str = ""      # store: the stored value; load: the variable
    pointer: str = ""    # a pointer to the first element
    again: str = "{}"    # the statement with another value (store), the value at another pointer (load)


@dataclass
class Kernel:
    """One kernel of a text."""
    name: str
    parameters: list
    start: int           # of the body
    end: int
    stores: list = field(default_factory=list)
    loads: list = field(default_factory=list)

    def parameter(self, name):
        return next((p for p in self.parameters if p.name == name), None)


def parameters(text):
    out = []
    for part in split(text):
        words = part.replace("*", " * ").split()
        space = next((s for s in ("global", "constant", "local") if s in words or f"__{s}" in words), "")
        name = words[-1] if words else ""
        drop = {"const", "restrict", "volatile", "*", name, f"__{space}", space}
        out.append(Parameter(name, space if "*" in words else "",
                             element(" ".join(w for w in words[:-1] if w not in drop))))
    return out


def read(text, name):
    """The kernel of that name, or None."""
    for m in re.finditer(rf"\b{name}\s*\(", text):
        stop = closing(text, m.end() - 1)
        head = text.rfind("\n", 0, m.start()) + 1
        if not re.search(r"\b(__)?kernel\b", text[max(head - 200, 0):m.start()]):
            continue
        if not text[stop:].lstrip().startswith("{"):
            continue
        start = text.index("{", stop)
        k = Kernel(name, parameters(text[m.end():stop - 1]), start + 1, closing(text, start) - 1)
        find_stores(text, k)
        find_loads(text, k)
        return k
    return None


def base_of(k, pointer):
    """The parameter in global memory that a pointer expression begins with."""
    m = re.match(r"\s*\(?(\w+)\b", pointer)
    p = m and k.parameter(m.group(1))
    return p if p and p.space in ("global", "constant") and p.type else None


def find_stores(text, k):
    for m in re.compile(r"^( *)(?:vstore(\d+)\(|(\w+)\[)", re.M).finditer(text, k.start, k.end):
        stop = closing(text, m.end() - 1)
        start = m.end(1)
        if m.group(2):
            if text[stop] != ";":
                continue
            parts = split(text[m.end():stop - 1])
            p = base_of(k, parts[2]) if len(parts) == 3 and parts[1] == "0" else None
            if p and p.type[1] == 1:
                k.stores.append(Site(start, stop + 1, m.group(1), p.name, p.type[0], int(m.group(2)),
                                     parts[0], f"({parts[2]})",
                                     f"vstore{m.group(2)}({{}}, 0, {parts[2]});"))
            continue
        p = base_of(k, m.group(3))
        end = text.find(";", stop)
        if not p or not text.startswith(" = ", stop) or end < 0:
            continue
        target = text[start:stop]
        k.stores.append(Site(start, end + 1, m.group(1), p.name, *p.type, text[stop + 3:end],
                             f"(&{target})", f"{target} = {{}};"))


def find_loads(text, k):
    """Declarations of a variable that is loaded whole."""
    pattern = re.compile(r"^( *)([a-z]+\d*) (\w+) = (?:vload(\d+)\(0, |(\w+)\[)", re.M)
    for m in pattern.finditer(text, k.start, k.end):
        kind = element(m.group(2))
        if not kind:
            continue
        opening = text.rindex("(" if m.group(4) else "[", 0, m.end())
        stop = closing(text, opening)
        if text[stop] != ";":
            continue
        if m.group(4):
            pointer = text[m.end():stop - 1]
            again = f"vload{m.group(4)}(0, {{}})"
        else:
            pointer = f"&{m.group(5)}[{text[m.end():stop - 1]}]"
            again = "*({})"
        p = base_of(k, pointer.lstrip("&"))
        if p and p.type[0] == kind[0]:
            k.loads.append(Site(m.end(1), stop + 1, m.group(1), p.name, *kind, m.group(3),
                                f"({pointer})", again))


def launched(manifest, original):
    """The launches of the manifest that replace those of the original."""
    return [l for k in manifest["kernels"] if k["original"] == original for l in k["launches"]]
