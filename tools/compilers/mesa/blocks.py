"""Basic blocks and loops of the listings that Mesa's compilers print."""

import re

_BEGIN = re.compile(r"^block(\d+):? \{")
_END = re.compile(r"^\}(?: +->((?: +block\d+)*))?(?: +from.*)?\s*$")


class Block:
    """number, lines of the body, numbers of the successors, loops (indices into the loop list)"""

    def __init__(self, number):
        self.number, self.lines, self.successors, self.loops = number, [], [], []


def last_listing(text):
    """The blocks of the last listing in text that is divided into blocks; [] if there is none."""
    listings, block = [], None
    for line in text.splitlines():
        begin = _BEGIN.match(line)
        if begin:
            block = Block(int(begin.group(1)))
            if not listings or block.number == 0:
                listings.append([])
            listings[-1].append(block)
            continue
        end = _END.match(line)
        if end and block is not None:
            block.successors = [int(n) for n in re.findall(r"block(\d+)", end.group(1) or "")]
            block = None
        elif block is not None:
            block.lines.append(line)
    return listings[-1] if listings else []


def find_loops(blocks):
    """The natural loops in the order of their headers; sets the loops of each block.

    A back edge leads to the same or an earlier block: the compilers lay a loop out with its header
    first. Loops with one header are one loop.
    """
    at = {block.number: i for i, block in enumerate(blocks)}
    before = [[] for _ in blocks]
    for i, block in enumerate(blocks):
        for number in block.successors:
            if number in at:
                before[at[number]].append(i)
    headers = {}
    for i, block in enumerate(blocks):
        for number in block.successors:
            if number in at and at[number] <= i:
                headers.setdefault(at[number], []).append(i)
    for index, header in enumerate(sorted(headers)):
        members, work = {header}, list(headers[header])
        while work:
            i = work.pop()
            if i not in members:
                members.add(i)
                work += before[i]
        for i in members:
            blocks[i].loops.append(index)
    return sorted(headers)


def mnemonic(line):
    """LOAD of "r2 = LOAD.i32 r3, t1" and of "LD.32 R0.u32.w, _"; "" for a line without one."""
    text = line.strip()
    if " = " in text:
        text = text.split(" = ", 1)[1]
    match = re.match(r"(?:[a-z]+\.)?([A-Za-z_][A-Za-z0-9_]*)", text)
    return match.group(1) if match else ""
