"""Rewrites SPIR-V modules of zink into a form that Mesa's PowerVR driver compiles.

The result is for counting only. It has the accesses and the arithmetic of the original, but a
narrow store writes a whole dword, and arithmetic on narrow integers does not wrap.
"""

import struct

EXT_IMPORT, EXT_INST, MEMORY_MODEL, CAPABILITY = 11, 12, 14, 17
TYPE_INT, TYPE_FLOAT, TYPE_VECTOR, TYPE_POINTER = 21, 22, 23, 32
CONSTANT, SPEC_CONSTANT, FUNCTION, LOAD, STORE = 43, 50, 54, 61, 62
CONSTRUCT, EXTRACT, COPY, U_CONVERT, S_CONVERT, BITCAST = 80, 81, 83, 113, 114, 124
I_ADD, SHIFT_RIGHT, SHIFT_LEFT, AND = 128, 194, 196, 199
FIELD_INSERT, FIELD_S_EXTRACT, FIELD_U_EXTRACT = 201, 202, 203
CONTROL_BARRIER, MEMORY_BARRIER, LABEL = 224, 225, 248
ATOMICS, TERMINATORS = range(227, 243), range(249, 256)
PHYSICAL_STORAGE_BUFFER = 5349
PACK_HALF, UNPACK_HALF = 58, 62  # of GLSL.std.450
# Int8, Int16, and the capabilities of 8- and 16-bit storage.
NARROW_CAPABILITIES = (39, 22, 4448, 4433, 4449, 4434)
# Bits of memory semantics that exist without the Vulkan memory model.
PLAIN_SEMANTICS = 0x1FFF
# Bits of memory operands of the Vulkan memory model: make available, make visible, non-private.
VULKAN_OPERANDS = 0x38
# Dwords of the longest burst.
BURST = 4

# Opcodes whose words are: type, result, operands.
_TYPED = ({EXT_INST, 41, 42, CONSTANT, 44, SPEC_CONSTANT, 51, 52, 57, LOAD, 59, 65, 67, 79, CONSTRUCT,
           EXTRACT, 82, COPY, 84, 87, 245} | set(range(95, 101)) | set(range(109, 125)) |
          set(range(126, 206)) | set(ATOMICS) - {228})


class Module:
    """Instructions as lists [opcode, word, ...]."""

    def __init__(self, data):
        words = struct.unpack("<%dI" % (len(data) // 4), data[:len(data) // 4 * 4])
        if len(words) < 5 or words[0] != 0x07230203:
            raise ValueError("not a SPIR-V module")
        self.header, self.bound, self.code = words[:3], words[3], []
        at = 5
        while at < len(words):
            length = words[at] >> 16
            if not length:
                raise ValueError("an instruction of length 0")
            self.code.append([words[at] & 0xFFFF, *words[at + 1:at + length]])
            at += length

    def new(self):
        self.bound += 1
        return self.bound - 1

    def before(self, opcode, added):
        """Inserts instructions before the first one with the opcode."""
        at = next(i for i, x in enumerate(self.code) if x[0] == opcode)
        self.code[at:at] = added

    def bytes(self):
        words = [*self.header, self.bound, 0]
        for x in self.code:
            words += [(len(x) << 16) | x[0], *x[1:]]
        return struct.pack("<%dI" % len(words), *(w & 0xFFFFFFFF for w in words))


class _Merger:
    """Joins accesses of dwords at base, base + 4, ... of one basic block into vector accesses.

    zink splits every vector access into dwords, each with its own 64-bit address of two halves.
    PowerVR loads and stores up to four dwords in one burst.
    """

    def __init__(self, module):
        self.module, self.types, self.vectors, self.vector_pointers = module, [], {}, {}
        self.defined, self.constants, self.pointers, self.u32 = {}, {}, {}, None
        for x in module.code:
            if x[0] == TYPE_INT and x[2:4] == [32, 0]:
                self.u32 = x[1]
            elif x[0] == TYPE_VECTOR and x[2] == self.u32:
                self.vectors[x[3]] = x[1]
            elif x[0] == TYPE_POINTER:
                self.pointers[x[1]] = (x[2], x[3])
            elif x[0] == CONSTANT:
                self.constants[x[2]] = x[3]
            elif x[0] in (CONSTRUCT, BITCAST, I_ADD):
                self.defined[x[2]] = x

    def strip(self, value):
        while value in self.defined and self.defined[value][0] == BITCAST:
            value = self.defined[value][3]
        return value

    def address(self, pointer):
        """(low half without a constant offset, offset) of a pointer to a dword, or None."""
        cast = self.defined.get(pointer)
        if not cast or self.pointers.get(cast[1]) != (PHYSICAL_STORAGE_BUFFER, self.u32):
            return None
        pair = self.defined.get(self.strip(pointer))
        if not pair or pair[0] != CONSTRUCT or len(pair) != 5:
            return None
        low = self.strip(pair[3])
        add = self.defined.get(low)
        if add and add[0] == I_ADD:
            for base, offset in ((add[3], add[4]), (add[4], add[3])):
                offset = self.strip(offset)
                if self.constants.get(offset, 256) < 256:
                    return self.strip(base), self.constants[offset]
        return low, 0

    def vector(self, count):
        if count not in self.vectors:
            self.vectors[count] = self.module.new()
            self.types.append([TYPE_VECTOR, self.vectors[count], self.u32, count])
        if count not in self.vector_pointers:
            self.vector_pointers[count] = self.module.new()
            self.types.append([TYPE_POINTER, self.vector_pointers[count], PHYSICAL_STORAGE_BUFFER,
                               self.vectors[count]])
        return self.vectors[count], self.vector_pointers[count]

    def runs(self, block, kind):
        """Lists of indices of accesses that follow each other in memory."""
        groups, epoch = {}, 0
        for k, x in enumerate(block):
            if x[0] == kind and (kind == STORE or x[1] == self.u32):
                at = self.address(x[3] if kind == LOAD else x[1])
                if at:
                    groups.setdefault((epoch, at[0]), {}).setdefault(at[1], k)
            # Accesses of the other kind, which may alias, end a run.
            if kind == LOAD and x[0] == STORE or \
                    kind == STORE and x[0] == LOAD and self.address(x[3]):
                epoch += 1
        for offsets in groups.values():
            rest = sorted(offsets)
            while rest:
                run = [rest[0]]
                while len(run) < BURST and run[-1] + 4 in offsets:
                    run.append(run[-1] + 4)
                rest = [offset for offset in rest if offset not in run]
                if len(run) > 1:
                    yield [offsets[offset] for offset in run]

    def merge_block(self, block):
        replaced, dropped = {}, set()
        for run in self.runs(block, LOAD):
            if run[0] != min(run):
                continue
            kind, pointer_kind = self.vector(len(run))
            value, pointer = self.module.new(), self.module.new()
            replaced[run[0]] = [
                [BITCAST, pointer_kind, pointer, self.defined[block[run[0]][3]][3]],
                [LOAD, kind, value, pointer, 2, 4],
                *([EXTRACT, self.u32, block[k][2], value, n] for n, k in enumerate(run))]
            dropped |= set(run[1:])
        for run in self.runs(block, STORE):
            kind, pointer_kind = self.vector(len(run))
            value, pointer, last = self.module.new(), self.module.new(), max(run)
            replaced[last] = [
                [CONSTRUCT, kind, value, *(block[k][2] for k in run)],
                [BITCAST, pointer_kind, pointer, self.defined[block[run[0]][1]][3]],
                [STORE, pointer, value, 2, 4]]
            dropped |= set(run) - {last}
        for k, x in enumerate(block):
            if k in replaced:
                yield from replaced[k]
            elif k not in dropped:
                yield x

    def run(self):
        ends = {LABEL, CONTROL_BARRIER, MEMORY_BARRIER, *ATOMICS, *TERMINATORS}
        blocks, block = [], []
        for x in self.module.code:
            block.append(x)
            if x[0] in ends:
                blocks.append(block)
                block = []
        merged = [x for b in [*blocks, block] for x in self.merge_block(b)]
        self.module.code = merged
        self.module.before(FUNCTION, self.types)


class _Widener:
    """8- and 16-bit integers become 32-bit ones that are kept zero-extended; half becomes float.

    The driver compiles a narrow access as one dword for each element. An access becomes what the
    GPU needs: an aligned dword, and shifts, masks or bit fields for the elements.
    """

    def __init__(self, module):
        self.module, self.out = module, []
        self.narrow, self.vectors, self.halves, self.pointers = {}, {}, set(), {}
        self.types, self.defined, self.constants, self.added_types = {}, {}, {}, []
        self.u32 = self.u64 = self.f32 = self.u32x2 = self.glsl = None
        for x in module.code:
            self.note(x)
        self.new_constants = {}
        self.u32x2 = self.u32x2 or self.type(TYPE_VECTOR, self.u32, 2)
        self.pointer = self.type(TYPE_POINTER, PHYSICAL_STORAGE_BUFFER, self.u32)
        self.f32x2 = None
        if self.halves:
            self.f32 = self.f32 or self.type(TYPE_FLOAT, 32)
            self.f32x2 = self.type(TYPE_VECTOR, self.f32, 2)

    def note(self, x):
        opcode = x[0]
        if opcode == TYPE_INT:
            if x[2] in (8, 16):
                self.narrow[x[1]] = x[2]
            elif x[2] == 32 and x[3] == 0:
                self.u32 = x[1]
            elif x[2] == 64:
                self.u64 = x[1]
        elif opcode == TYPE_FLOAT:
            if x[2] == 16:
                self.halves.add(x[1])
            elif x[2] == 32:
                self.f32 = x[1]
        elif opcode == TYPE_VECTOR:
            if x[2] in self.narrow:
                self.vectors[x[1]] = (self.narrow[x[2]], x[3])
            elif x[2] == self.u32 and x[3] == 2:
                self.u32x2 = x[1]
        elif opcode == TYPE_POINTER:
            self.pointers[x[1]] = x[2]
        elif opcode == EXT_IMPORT and self.glsl is None:
            self.glsl = x[1]
        elif opcode in _TYPED:
            self.types[x[2]] = x[1]
            self.defined[x[2]] = x
            if opcode in (CONSTANT, SPEC_CONSTANT):
                self.constants[x[2]] = x[3]

    def type(self, opcode, *words):
        result = self.module.new()
        self.added_types.append([opcode, result, *words])
        return result

    def constant(self, value):
        if value not in self.new_constants:
            self.new_constants[value] = self.type(CONSTANT, 0, value)
            last = self.added_types[-1]
            self.added_types[-1] = [CONSTANT, self.u32, last[1], value & 0xFFFFFFFF]
        return self.new_constants[value]

    def emit(self, opcode, kind, *operands, result=None):
        result = result or self.module.new()
        self.out.append([opcode, kind, result, *operands])
        return result

    def shape(self, kind):
        """(bits of an element, elements) of a narrow type, or None."""
        return (self.narrow[kind], 1) if kind in self.narrow else self.vectors.get(kind)

    def in_buffer(self, pointer):
        return (self.pointers.get(self.types.get(pointer)) == PHYSICAL_STORAGE_BUFFER and
                pointer in self.defined)

    def offset_pointer(self, low, high, offset):
        if offset:
            low = self.emit(I_ADD, self.u32, low, self.constant(offset))
        pair = self.emit(CONSTRUCT, self.u32x2, low, high)
        return self.emit(BITCAST, self.pointer, self.emit(BITCAST, self.u64, pair))

    def halves_of(self, pointer):
        pair = self.emit(BITCAST, self.u32x2, self.defined[pointer][3])
        return [self.emit(EXTRACT, self.u32, pair, n) for n in (0, 1)]

    def load(self, x):
        kind, result, pointer = x[1:4]
        bits, count = self.shape(kind)
        low, high = self.halves_of(pointer)
        aligned = self.emit(AND, self.u32, low, self.constant(0xFFFFFFFC))
        words = [self.emit(LOAD, self.u32, self.offset_pointer(aligned, high, 4 * n), 2, 4)
                 for n in range((count * bits + 31) // 32)]
        if count == 1:
            shift = self.emit(SHIFT_LEFT, self.u32, low, self.constant(3))
            value = self.emit(SHIFT_RIGHT, self.u32, words[0], shift)
            self.emit(AND, kind, value, self.constant((1 << bits) - 1), result=result)
            return
        elements = [self.emit(FIELD_U_EXTRACT, self.u32, words[n * bits // 32],
                              self.constant(n * bits % 32), self.constant(bits))
                    for n in range(count)]
        self.emit(CONSTRUCT, kind, *elements, result=result)

    def pack(self, value, bits, elements, kind=None, result=None):
        """One dword of some elements of a narrow vector."""
        packed = None
        for n in elements:
            element = self.emit(EXTRACT, self.u32, value, n)
            last = n == elements[-1]
            if packed is None:
                packed = element
            else:
                packed = self.emit(FIELD_INSERT, kind if last and kind else self.u32, packed,
                                   element, self.constant(n * bits % 32), self.constant(bits),
                                   result=result if last else None)
        return packed

    def store(self, x):
        pointer, value = x[1:3]
        bits, count = self.shape(self.types[value])
        if count == 1:
            at = self.emit(BITCAST, self.pointer, self.defined[pointer][3])
            self.out.append([STORE, at, value, 2, 4])
            return
        low, high = self.halves_of(pointer)
        for n in range((count * bits + 31) // 32):
            elements = range(n * 32 // bits, min(count, (n + 1) * 32 // bits))
            packed = self.pack(value, bits, elements)
            self.out.append([STORE, self.offset_pointer(low, high, 4 * n), packed, 2, 4])

    def convert(self, x):
        """Conversions between integers; True if the instruction was replaced."""
        opcode, kind, result, value = x[:4]
        source, target = self.shape(self.types.get(value)), self.shape(kind)
        if not source and not target:
            return False
        if target and (not source or source[0] > target[0]):
            mask = self.constant((1 << target[0]) - 1)
            if target[1] > 1:
                mask = self.emit(CONSTRUCT, kind, *[mask] * target[1])
            if not source and self.types.get(value) == self.u64:
                value = self.halves_of_value(value)
            self.emit(AND, kind, value, mask, result=result)
        elif opcode == S_CONVERT:
            wide = not target and kind == self.u64
            extended = self.emit(FIELD_S_EXTRACT, self.u32 if wide else kind, value,
                                 self.constant(0), self.constant(source[0]),
                                 result=None if wide else result)
            if wide:
                self.emit(S_CONVERT, kind, extended, result=result)
        elif kind == self.u64:
            self.emit(U_CONVERT, kind, value, result=result)
        else:
            self.emit(BITCAST, kind, value, result=result)
        return True

    def halves_of_value(self, value):
        pair = self.emit(BITCAST, self.u32x2, value)
        return self.emit(EXTRACT, self.u32, pair, 0)

    def bitcast(self, x):
        """Casts between a narrow vector and dwords, and of half; True if it was replaced."""
        kind, result, value = x[1:4]
        source, target = self.types.get(value), kind
        if target in self.halves and source in self.narrow:
            pair = self.emit(EXT_INST, self.f32x2, self.glsl, UNPACK_HALF, value)
            self.emit(EXTRACT, target, pair, 0, result=result)
        elif target in self.narrow and source in self.halves:
            pair = self.emit(CONSTRUCT, self.f32x2, value, value)
            packed = self.emit(EXT_INST, self.u32, self.glsl, PACK_HALF, pair)
            self.emit(AND, target, packed, self.constant(0xFFFF), result=result)
        elif target in self.vectors and source not in self.vectors:
            if source in self.narrow:
                return False
            bits, count = self.vectors[target]
            elements = []
            for n in range(count):
                word = value
                if count * bits > 32:
                    word = self.emit(EXTRACT, self.u32, value, n * bits // 32)
                elements.append(self.emit(FIELD_U_EXTRACT, self.u32, word,
                                          self.constant(n * bits % 32), self.constant(bits)))
            self.emit(CONSTRUCT, target, *elements, result=result)
        elif target not in self.vectors and source in self.vectors:
            bits, count = self.vectors[source]
            if count * bits > 32:
                words = [self.pack(value, bits, range(n * 32 // bits, (n + 1) * 32 // bits))
                         for n in range(count * bits // 32)]
                pair = self.emit(CONSTRUCT, self.u32x2, *words)
                self.emit(BITCAST, target, pair, result=result)
            else:
                self.pack(value, bits, range(count), target, result)
        else:
            return False
        return True

    def instruction(self, x):
        opcode = x[0]
        if opcode in (LOAD, STORE):
            at = 4 if opcode == LOAD else 3
            if len(x) > at and x[at] & VULKAN_OPERANDS:
                x = [*x[:at], x[at] & 3, *(x[at + 1:at + 2] if x[at] & 2 else [])]
        if opcode == CAPABILITY and x[1] in NARROW_CAPABILITIES:
            return
        if opcode == MEMORY_MODEL:
            x = [opcode, 0, 1]
        elif opcode == TYPE_FLOAT and x[1] in self.halves:
            x = [opcode, x[1], 32]
        elif opcode == TYPE_INT and x[1] in self.narrow:
            x = [opcode, x[1], 32, x[3]]
        elif opcode == LOAD and self.shape(x[1]) and self.in_buffer(x[3]):
            return self.load(x)
        elif opcode == STORE and self.shape(self.types.get(x[2])) and self.in_buffer(x[1]):
            return self.store(x)
        elif opcode in (U_CONVERT, S_CONVERT) and self.convert(x):
            return
        elif opcode == BITCAST and self.bitcast(x):
            return
        elif opcode in (CONTROL_BARRIER, MEMORY_BARRIER) or opcode in ATOMICS:
            at = {CONTROL_BARRIER: 3, MEMORY_BARRIER: 2, 228: 3}.get(opcode, 5)
            if len(x) > at and x[at] in self.constants:
                x = [*x[:at], self.constant(self.constants[x[at]] & PLAIN_SEMANTICS), *x[at + 1:]]
        self.out.append(x)

    def run(self):
        import_glsl = bool(self.halves) and self.glsl is None
        if import_glsl:
            self.glsl = self.module.new()
        for x in self.module.code:
            self.instruction(x)
        self.module.code = self.out
        self.module.before(FUNCTION, self.added_types)
        if import_glsl:
            name = struct.unpack("<4I", b"GLSL.std.450\0\0\0\0")
            self.module.before(MEMORY_MODEL, [[EXT_IMPORT, self.glsl, *name]])


def acceptable(data):
    """The module as bytes, rewritten for the PowerVR driver. Raises ValueError."""
    module = Module(data)
    _Merger(module).run()
    module = Module(module.bytes())
    _Widener(module).run()
    return module.bytes()
