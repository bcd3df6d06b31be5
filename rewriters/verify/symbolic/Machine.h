// The machine that executes LLVM IR over terms.
//
// One machine runs all launches of one program. Memory is a list of objects
// (buffers, local and private variables, constants) of byte cells; an address is
// an object and an offset. Work-items of a group run one after the other from
// barrier to barrier. If a branch depends on data, both sides run, from the
// branch to the join, and an ite merges what they changed.
//
// Everything that is not modelled stops the machine with a reason. Nothing is
// approximated: reads of unwritten memory are Undef; accesses that may be out of
// bounds and divisions that may be by zero are recorded as hazards.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_MACHINE_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_MACHINE_H

#include "rewriters/verify/symbolic/Interval.h"
#include "rewriters/verify/symbolic/Symbolic.h"
#include "rewriters/verify/symbolic/images/Images.h"
#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace clmali::verify::symbolic {

/// No object: an integer or floating-point lane.
constexpr uint32_t NoObject = ~0u;
/// The null pointer, and a pointer that may be one of several objects.
constexpr uint32_t NullObject = ~0u - 1, MixedObject = ~0u - 2;

class LoopValues;

/// One scalar: its bits, or the offset in an object.
struct Lane {
  Term T = 0;
  uint32_t Object = NoObject;
  /// The value of a signed integer of 32 bits as 64 bits, in exact arithmetic: right because its
  /// overflow is undefined. 0: the extension of T. Open work-items only.
  Term Wide = 0;
  bool isPointer() const { return Object != NoObject; }
  friend bool operator==(const Lane &, const Lane &) = default;
};
using Lanes = llvm::SmallVector<Lane, 4>;

/// Byte \p Byte of a lane of \p Bytes bytes.
struct Cell {
  Lane L;
  uint8_t Byte = 0, Bytes = 1;
  friend bool operator==(const Cell &, const Cell &) = default;
};

/// The last accesses to a byte: enough to find every race (see Memory.cpp).
struct Shadow {
  static constexpr uint32_t None = ~0u, Atomic = ~0u - 1, GroupCopy = ~0u - 2;
  uint32_t Writer = None, WriteGroup = 0, WriteEpoch = 0;
  uint32_t Reader = None, ReadGroup = 0, ReadEpoch = 0;
  bool ManyReaders = false, ManyGroups = false;
  bool WriteMaybe = false, ReadMaybe = false;
  bool AtomicGroups = false; ///< atomic operations of more than one group
  uint8_t AtomicKind = 0;    ///< UpdateKind of the atomic operation that wrote
};

/// Why a machine stopped, in kinds; Machine::reason() is the text.
enum class StopKind {
  None,
  Other,
  LocalMemory,
  Groups,
  Race,
  Atomics,
  Images,
  Pointer,
  Uninitialised,
  LoopForm,
  StoreInLoop,
  StoreOrder,
  Limit,
  Time
};

/// Work-items whose ids and sizes are terms, and whose buffers have any size: one, or those of one
/// group.
struct OpenItem {
  std::string Kernel;
  std::array<Term, 3> Id{};             ///< of the first work-item that runs; 64 bits
  std::array<Term, 3> Size{}, Offset{}; ///< 64 bits; 0: not known
  Term Dimensions = 0;
  /// One bit: the work-item is one of the launch; 0: it always is.
  Term Exists = 0;
  /// The size of a group; 0: not known.
  std::array<uint64_t, 3> Local{};
  std::array<Term, 3> Group{}, Groups{}; ///< 64 bits; where Local is known
  /// One work-item of the group runs alone, with this local id. Barriers do nothing, and what it
  /// reads from local memory is any value. 0: the whole group runs, from barrier to barrier.
  std::array<Term, 3> Alone{};
  /// Bytes of __local arguments, where they are not those of the arguments.
  std::map<std::string, uint64_t> LocalBytes;
  /// Bytes that one value read from a buffer has, at most; by buffer.
  std::vector<unsigned> Granules;
  /// Headers of loops that are proved by induction. Others are unrolled.
  llvm::DenseSet<const llvm::BasicBlock *> Inductive;
  LoopValues *Loops = nullptr;
  /// Parts of addresses that stay as they are: no other form is shown to be equal, see SplitSum.
  const llvm::DenseSet<Term> *Wrapping = nullptr;
  /// Instructions in loops whose addresses stay as they are: the terms of a loop have other
  /// variables each time that it is executed.
  const llvm::DenseSet<const llvm::Instruction *> *Kept = nullptr;
  /// True if a load of the first offset is known to be of another address than a store to the
  /// second one. May add to what has to be shown for that: bits that must be 1.
  std::function<bool(unsigned Buffer, Term Load, Term Store, Term Path, std::vector<Term> &Claims)>
      Apart;

  // What the machine says when it stops.
  const llvm::BasicBlock *TooLong = nullptr;              ///< a loop that must become inductive
  std::optional<std::pair<unsigned, unsigned>> TooNarrow; ///< a buffer, and its granule
};

/// Atomic updates whose old value is not used. Those of one kind commute.
enum class UpdateKind : uint8_t { None, Add, Min, Max, UMin, UMax, And, Or, Xor };

/// \p Old after an update of kind \p K, or two operands as one. Not for None.
Term updated(TermStore &T, UpdateKind K, Term Old, Term Operand);
/// The operand that changes nothing.
Term neutralOperand(TermStore &T, UpdateKind K, unsigned Width);

/// An access of an open work-item to a buffer.
struct OpenAccess {
  bool Write = false;                   ///< a store
  UpdateKind Update = UpdateKind::None; ///< ... or an atomic update, whose operand is Value
  unsigned Buffer = 0, Bytes = 0;
  unsigned Item = 0;  ///< its work-item in the group
  unsigned Phase = 0; ///< barriers of global memory before it
  Term Offset = 0;    ///< in bytes
  Term Value = 0;
  /// The conditions under which it is made, outermost first.
  llvm::SmallVector<Term, 8> Path;
  /// The inductive loops around it, outermost first.
  llvm::SmallVector<unsigned, 2> Loops;
};

/// A part of an address that was replaced by a simpler one: an extension of a sum by the sum of
/// extensions, a rounded coordinate by the integer that it was made from.
struct SplitSum {
  Term Extension = 0;                        ///< what was replaced
  Term Bit = 0;                              ///< 1 where both are equal, as is to be shown
  bool OfSizes = false;                      ///< it follows from the sizes of the launch, if at all
  const llvm::Instruction *InLoop = nullptr; ///< the instruction, where it is in a loop
};

struct Object {
  enum class Kind { Buffer, Constant, Local, Private };
  Kind K = Kind::Private;
  std::string Name;
  unsigned Buffer = 0; ///< of the request; Buffer only
  unsigned ElementBytes = 1;
  /// Of the first byte. Buffers and `__local` arguments begin where every type
  /// may.
  uint64_t Alignment = 128;
  /// Cells of accesses by more than one work-item.
  bool Shared = false;
  /// const-qualified: reads are not recorded, a write stops the machine.
  bool ReadOnly = false;
  bool Written = false;
  bool Dead = false;
  bool Open = false; ///< of any size; its accesses are in a list
  std::optional<ImageContents> Image;
  std::vector<Cell> Cells;
  std::vector<Shadow> Shadows;
  uint64_t size() const { return Cells.size(); }
};

/// One scalar inside a type, as it lies in memory.
struct Part {
  uint64_t Offset = 0;
  unsigned Bits = 0;
  bool Pointer = false;
};

/// An access or a division that is invalid for inputs for which Path and Bad are 1.
struct Hazard {
  enum class Kind { Bounds, Division, Alignment, Overflow };
  Kind K = Kind::Bounds;
  Term Path = 0; ///< one bit
  Term Bad = 0;  ///< one bit
  std::string What, WorkItem, Argument;
  uint64_t Element = 0;
  /// Of an overflow: the result as a number of 64 bits, and as the program has it.
  Term Exact = 0, Result = 0;
};

struct RaceReport {
  bool Definite = false;
  std::string Argument, First, Second;
  uint64_t Element = 0;
};

/// What a buffer argument holds before the launch; both programs share it.
struct BufferContents {
  std::string Name;
  unsigned ElementBytes = 1;
  bool ReadOnly = false;
  std::vector<Cell> Cells;            ///< of an image: texels in rows without gaps
  std::optional<ImageContents> Image; ///< where it is an image
};

/// A kernel argument as the machine gets it. An image is a buffer with a format; a sampler is a
/// scalar, in the bits of SamplerBits.
struct BoundArgument {
  enum class Kind { Buffer, Scalar, Local } K = Kind::Scalar;
  unsigned Buffer = 0;
  llvm::SmallVector<Term, 4> Components; ///< Scalar
  std::vector<Cell> Bytes;               ///< Scalar passed by its bytes
  uint64_t LocalBytes = 0;
  std::string Name;
};

struct FunctionInfo {
  llvm::DenseMap<const llvm::Value *, unsigned> Slots;
  unsigned Size = 0; ///< lanes of all slots
  llvm::DominatorTree Dominators;
  llvm::PostDominatorTree PostDominators;
  llvm::DenseSet<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> BackEdges;
  llvm::LoopInfoBase<llvm::BasicBlock, llvm::Loop> Loops;
};

struct Frame {
  const llvm::Function *F = nullptr;
  FunctionInfo *Info = nullptr;
  const llvm::BasicBlock *Block = nullptr;
  llvm::BasicBlock::const_iterator Next;
  std::vector<Lane> Registers;
  llvm::SmallVector<uint32_t, 16> Objects;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Trips; ///< of loops, by header
  bool AtLoop = false; ///< Block is the header of an inductive loop that is entered
  void enterBlock(const llvm::BasicBlock *B) {
    Block = B;
    Next = B->getFirstNonPHIIt();
  }
};

struct Item {
  std::array<uint64_t, 3> Global{}, Local{}, Group{};
  std::array<Term, 3> OpenId{}; ///< of an open work-item
  uint32_t Number = 0;          ///< of the launch, from 0
  uint32_t GroupNumber = 0;     ///< of the launch, from 0
  std::vector<Frame> Frames;
  Lanes Returned;
  unsigned AsyncCopies = 0;
  const llvm::Instruction *Waiting = nullptr;
  unsigned Fences = 0; ///< of the barrier: 1 local, 2 global
  bool Finished = false;
};

class Machine {
public:
  Machine(TermStore &T, const SymbolicLimits &Limits, const llvm::Module &M,
          std::vector<BufferContents> Buffers, std::chrono::steady_clock::time_point Deadline);

  /// Runs every work-item of one launch; false where the machine stopped.
  bool launch(const SymbolicLaunch &L, llvm::ArrayRef<BoundArgument> Args);
  /// Runs work-items of kernel I.Kernel; the buffers have no cells. False where it stopped.
  bool runOpen(OpenItem &I, llvm::ArrayRef<BoundArgument> Args);
  const std::vector<OpenAccess> &accesses() const { return Accesses; }
  /// Bits that must be 1, or the accesses are not what they seem; see OpenItem::Apart.
  const std::vector<Term> &claims() const { return Claims; }
  const std::vector<SplitSum> &splits() const { return Splits; }
  /// Bits that are 1 in every run of the work-items that ends.
  const std::vector<Term> &facts() const { return Facts; }

  const std::string &reason() const { return Reason; }
  StopKind stopKind() const { return Stop; }
  const Object &buffer(unsigned Index) const { return Objects[Index]; }
  const std::vector<Hazard> &hazards() const { return Hazards; }
  const std::optional<RaceReport> &race() const { return Race; }
  uint64_t instructions() const { return Executed; }
  uint64_t items() const { return ItemCount; }
  unsigned longestLoop() const { return LongestLoop; }
  const NarrowArithmetic &narrow() const { return Narrow; }
  /// What the execution takes for granted: "signed overflow wraps", ...
  const std::set<std::string> &assumptions() const { return Assumptions; }
  /// Operations of signed integers whose result may be outside their type.
  using Overflow = std::tuple<unsigned, Term, Term>; ///< opcode and operands
  const std::set<Overflow> &overflows() const { return Overflows; }
  /// The lane of \p Bytes bytes at \p Offset, without any bookkeeping; no term
  /// where it holds a pointer.
  Lane peek(const Object &O, uint64_t Offset, unsigned Bytes);
  /// The work-item that last wrote a byte of a buffer.
  std::string writerOf(unsigned Buffer, uint64_t Offset) const;

  llvm::ArrayRef<Part> partsOf(llvm::Type *Ty);

private:
  enum class Halt { Finished, Barrier, Stopped, Returned, Failed };

  // Machine.cpp: control flow
  void fail(const llvm::Twine &Why, StopKind K = StopKind::Other);
  bool failed() const { return !Reason.empty(); }
  FunctionInfo &infoOf(const llvm::Function &F);
  bool runGroup(std::vector<Item> &Items);
  Halt run(Item &W, size_t BaseDepth, const llvm::BasicBlock *Stop);
  bool enter(Item &W, const llvm::Function &F);
  void leave(Item &W);
  /// Moves the frame to \p To, with its phis.
  void jump(Frame &F, const llvm::BasicBlock *To);
  std::optional<bool> decide(Term Condition);
  using Case = std::pair<Term, const llvm::BasicBlock *>;
  Halt branch(Item &W, size_t BaseDepth, const llvm::BasicBlock *Stop, llvm::ArrayRef<Case> Cases,
              const llvm::BasicBlock *Otherwise);
  /// True if the branch leaves a loop that has been unrolled too often, which stops the machine.
  bool leavesLongLoop(const Frame &F);
  Halt returnFrom(Item &W, size_t BaseDepth, Lanes Value);
  struct Side;
  bool runChoice(Item &W, const Frame &Start, llvm::ArrayRef<Case> Cases,
                 const llvm::BasicBlock *Otherwise, const llvm::BasicBlock *Join, Side &Result);
  bool runStraight(Item &W, const Frame &Start, const llvm::BasicBlock *To,
                   const llvm::BasicBlock *Join, Side &Result);
  /// Merges registers, results and memory of two sides into ite(Condition, A, B).
  void mergeSides(const Frame &Start, Term Condition, Side &A, Side &B,
                  const llvm::BasicBlock *Join, Side &Result);
  void mergeMemory(Term Condition, const Side &A, const Side &B, Side &Result);
  /// The number of groups of a launch.
  bool setGroups(const launch::Geometry &G, std::array<uint64_t, 3> &GroupCount);
  /// Values of the arguments for the next group; \p GroupObjects gets its local memory.
  void bindGroup(std::vector<uint32_t> &GroupObjects);
  /// Numbers the work-items of a group and enters the kernel in each.
  void endGroup(llvm::ArrayRef<uint32_t> GroupObjects);
  bool startGroup(const llvm::Function &F, uint64_t Group,
                  const std::array<uint64_t, 3> &GroupCount, std::vector<Item> &Items);
  bool enterKernel(Item &W, const llvm::Function &F);
  Term pathCondition();
  std::string nameOf(const Item &W) const;
  std::string nameOfItem(uint32_t Number) const;

  // loops/Open.cpp: work-items at symbolic sizes
  Term wideOf(Lane X) { return X.Wide ? X.Wide : T.extend(X.T, 64, true); }
  /// Adds the exact value to the result of an operation whose overflow is undefined.
  void widen(Item &W, const llvm::BinaryOperator &B, Lane X, Lane Y, Lane &Result);
  /// The value of get_global_id and others; no term for what is not known.
  Term openQuery(const Item &W, llvm::StringRef Name, unsigned Dimension, unsigned Bits);
  bool isAlone() const { return Open && Open->Alone[0]; }
  Lane loadOpen(const Item &W, Lane Address, unsigned Bytes);
  void updateOpen(Item &W, Lane Address, unsigned Bytes, UpdateKind Kind, Term Operand);
  void storeOpen(const Item &W, Lane Address, Lane Value, unsigned Bytes);
  /// An address in which no constant is inside an extension: that it does not wrap is a claim.
  Term splitAddress(Term Address);
  /// \p Simple in place of \p Part of an address, equal to it where \p Equal is 1: which must be
  /// known, or is shown later.
  Term replaceIf(Term Equal, Term Part, Term Simple, bool OfSizes);
  void recordOpen(const Item &W, bool Write, Lane Address, unsigned Bytes, Term Value,
                  UpdateKind Update = UpdateKind::None);
  /// A store to \p Buffer before: its value for a load at \p Address. False: none of these bytes,
  /// or the machine stopped.
  bool storedThere(const Item &W, const OpenAccess &S, Term Address, unsigned Bytes, Term &Value);
  /// The value that the initial contents of a buffer have there.
  Term readOpen(unsigned Buffer, Term Offset, unsigned Bytes);

  // loops/Induction.cpp: loops of symbolic trip count
  struct LoopRun;
  /// Runs the inductive loop at whose header the frame is; the frame is then behind it.
  bool runLoop(Item &W);
  bool runIteration(Item &W, const Frame &Start, LoopRun &L);
  /// Runs from the header to the branch that leaves the loop. \p Stay: the loop goes on.
  bool runToExit(Item &W, const Frame &Start, LoopRun &L, Term &Stay);
  void addPlaces(LoopRun &L);
  bool loadsWhatItStores(const LoopRun &L) const;
  /// Forgets the accesses and hazards from these on.
  void dropAfter(size_t Access, size_t FirstHazard);
  void finishLoop(Item &W, const Frame &Start, LoopRun &L);

  // Values.cpp: values, constants and conversions
  Lanes get(Frame &F, const llvm::Value *V);
  Lane getOne(Frame &F, const llvm::Value *V);
  const Lanes &constantLanes(const llvm::Constant *C);
  void set(Frame &F, const llvm::Value *V, llvm::ArrayRef<Lane> L);
  Lanes bitcast(llvm::ArrayRef<Lane> From, llvm::Type *FromTy, llvm::Type *ToTy);
  Lanes convert(unsigned Opcode, llvm::ArrayRef<Lane> From, llvm::Type *FromTy, llvm::Type *ToTy);
  Term integerToFloat(Term X, bool Signed, unsigned Width, llvm::StringRef Rounding = "");
  Term floatToInteger(Term X, bool Signed, unsigned Width, llvm::StringRef Suffix = "");

  // Instructions.cpp: what an instruction computes
  bool step(Item &W, const llvm::Instruction &I);
  /// The lanes that \p I computes; none for a store.
  Lanes compute(Item &W, const llvm::Instruction &I);
  Lanes allocate(Frame &F, const llvm::AllocaInst &A);
  Lanes loadInstruction(Item &W, const llvm::LoadInst &I);
  void storeInstruction(Item &W, const llvm::StoreInst &I);
  Lanes compareInstruction(Frame &F, const llvm::CmpInst &C);
  Lanes selectInstruction(Frame &F, const llvm::SelectInst &I);
  Lanes extractElement(Frame &F, const llvm::ExtractElementInst &I);
  Lanes insertElement(Frame &F, const llvm::InsertElementInst &I);
  Lanes shuffle(Frame &F, const llvm::ShuffleVectorInst &I);
  /// ExtractValue and InsertValue.
  Lanes aggregate(Frame &F, const llvm::Instruction &I);
  Lanes castInstruction(Item &W, const llvm::CastInst &I);
  Lanes binaryInstruction(Item &W, const llvm::BinaryOperator &B);
  bool call(Item &W, const llvm::CallInst &C, bool &Entered);
  Term arithmetic(Item &W, const llvm::BinaryOperator &B, Term X, Term Y);
  Term floatArithmetic(unsigned Opcode, Term X, Term Y);
  Term compareIntegers(llvm::CmpInst::Predicate P, Lane X, Lane Y);
  Term compareFloats(llvm::CmpInst::Predicate P, Term X, Term Y);
  /// For the interval rung. Ignores operations of other than 8 and 16 bits.
  void noteNarrow(const Item &W, const llvm::Instruction &I, unsigned Opcode, unsigned Bits, Term X,
                  Term Y);
  Lane addressOf(Frame &F, const llvm::GetElementPtrInst &G);
  Term divide(Item &W, unsigned Opcode, Term X, Term Y);
  void noteSignedOverflow(const llvm::BinaryOperator &B, Term X, Term Y);
  Term floatNegate(Term X);
  Term isNan(Term X);
  Lane choose(Term C, Lane A, Lane B);
  bool intrinsic(Item &W, const llvm::CallInst &C, llvm::StringRef Name);

  // Builtins.h: OpenCL built-in functions
  friend class Builtins;
  bool builtin(Item &W, const llvm::CallInst &C);

  // Memory.cpp
  uint32_t newObject(Object::Kind K, llvm::StringRef Name, uint64_t Size);
  uint32_t objectOfGlobal(const llvm::GlobalVariable &G, const Item *W);
  bool initialize(Object &O, uint64_t Offset, const llvm::Constant *C);
  Lane load(Item &W, Lane Address, unsigned Bits, bool Pointer);
  void store(Item &W, Lane Address, Lane Value, unsigned Bits);
  /// An atomic update of \p Bits bits, whose old value is not used.
  void update(Item &W, Lane Address, unsigned Bits, UpdateKind Kind, Term Operand);
  Lanes loadType(Item &W, Lane Address, llvm::Type *Ty);
  void storeType(Item &W, Lane Address, llvm::ArrayRef<Lane> L, llvm::Type *Ty);
  void copyBytes(Item &W, Lane To, Lane From, uint64_t Bytes);
  void fillBytes(Item &W, Lane To, Term Byte, uint64_t Bytes);
  void writeCell(uint32_t Object, uint64_t Offset, const Cell &C);
  void writeLane(uint32_t Object, uint64_t Offset, Lane L, unsigned Bytes);
  /// False: outside the object (recorded as a hazard), no access may follow.
  bool checkAccess(Item &W, Lane Address, unsigned Bytes, bool Write);
  void checkAlignment(Item &W, Lane Address, uint64_t Alignment);
  /// Offsets in the object that a varying address may have; false: too many.
  bool candidates(Lane Address, unsigned Bytes, llvm::SmallVectorImpl<uint64_t> &Offsets);
  void recordRead(const Item &W, uint32_t Object, uint64_t Offset, unsigned Bytes, bool Maybe);
  /// \p Cells: what is written, one for each byte; empty for an atomic update.
  void recordWrite(const Item &W, uint32_t Object, uint64_t Offset, unsigned Bytes,
                   llvm::ArrayRef<Cell> Cells, uint8_t AtomicKind, bool Maybe);
  bool tracked(const Object &O) const;
  void reportRace(const Object &O, uint64_t Offset, uint32_t First, uint32_t Second, bool Definite);
  Hazard hazard(const Item &W, Hazard::Kind K, Term Bad) const;
  void addHazard(Hazard H);
  unsigned pointerBits() const { return Layout.getPointerSizeInBits(0); }
  Cell mergeCell(Term C, const Cell &A, const Cell &B);
  Term byteOf(const Cell &C);

  TermStore &T;
  const SymbolicLimits &Limits;
  const llvm::Module &M;
  const llvm::DataLayout &Layout;
  std::chrono::steady_clock::time_point Deadline;

  std::vector<Object> Objects;
  std::vector<uint32_t> FreeObjects;
  llvm::DenseMap<const llvm::GlobalVariable *, uint32_t> ConstantGlobals;
  llvm::DenseMap<const llvm::GlobalVariable *, uint32_t> LocalGlobals;
  llvm::DenseMap<llvm::Type *, std::unique_ptr<std::vector<Part>>> Types;
  llvm::DenseMap<const llvm::Constant *, std::unique_ptr<Lanes>> Constants;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<FunctionInfo>> Infos;
  std::map<const llvm::Function *, std::string> Demangled;

  // The launch and the group that run
  struct Run {
    SymbolicLaunch Launch;
    uint32_t FirstItem = 0, FirstGroup = 0; ///< numbers continue from launch to launch
    std::array<uint64_t, 3> LocalSize{1, 1, 1};
  };
  std::vector<Run> Runs;
  std::array<uint64_t, 3> LocalSize{1, 1, 1};
  bool LocalKnown = true;
  std::vector<BoundArgument> Bound;
  std::vector<Lanes> BoundLanes; ///< of the group that runs
  /// Barriers passed by the group, those that order local memory and those
  /// that order global memory.
  uint32_t LocalEpoch = 0, GlobalEpoch = 0;
  uint32_t epochOf(const Object &O) const {
    return O.K == Object::Kind::Local ? LocalEpoch : GlobalEpoch;
  }
  struct AsyncCopy {
    Lane To, From;
    uint64_t Bytes = 0;
  };
  std::vector<AsyncCopy> AsyncCopies; ///< of the group

  // Branches that depend on data, outermost first
  std::vector<Term> Path;
  using Journal = std::map<std::pair<uint32_t, uint64_t>, Cell>;
  std::vector<Journal> Journals;

  // Open work-items
  OpenItem *Open = nullptr;
  std::vector<OpenAccess> Accesses;
  llvm::DenseSet<unsigned> StoredBuffers; ///< of Accesses
  llvm::SmallVector<unsigned, 2> LoopNest;
  unsigned LoopCount = 0;
  std::vector<Term> Facts, Claims;
  std::vector<SplitSum> Splits;
  const llvm::Instruction *Current = nullptr;
  const llvm::Instruction *Pause = nullptr; ///< run() stops before it, in the frame where it began

  std::string Reason;
  StopKind Stop = StopKind::None;
  std::vector<Hazard> Hazards;
  llvm::DenseSet<std::pair<Term, Term>> KnownHazards;
  std::optional<RaceReport> Race;
  std::set<std::string> Assumptions;
  std::set<Overflow> Overflows;
  NarrowArithmetic Narrow;
  uint64_t Executed = 0, ItemCount = 0;
  unsigned LongestLoop = 0;
};

} // namespace clmali::verify::symbolic

#endif
