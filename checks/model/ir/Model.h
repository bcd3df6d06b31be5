//===-- checks/model/ir/Model.h - A kernel in its typed form -------*- C++ -*-===//
//
// What it is: the typed, structured form that every check queries and every
// rewriter transforms. A kernel is lifted once from Clang's AST (Lift.h), with
// its helper functions inlined, its pointers resolved to the objects they point
// into, and its side effects made statements of their own:
//
//   before (OpenCL C)                    after (this form)
//   out[i++] += f(in[j]);                float f.a = load in[j]
//                                        float f.r = (f.a * f.a)
//                                        store out[i] = (load out[i] + f.r)
//                                        i = i + 1
//
// Expressions are immutable trees without side effects; loads are expressions
// that read memory as it is when their statement begins. Every operand has
// been converted to the type that C computes with (the conversions are Cast
// nodes, marked Implicit), so the model needs no promotion rules of its own.
//
// Limits: what cannot be represented is an Opaque node with a text that names it.
// Checks report nothing there; rewriters refuse, with that text.
//
// This header includes no Clang headers, to compile fast.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_IR_MODEL_H
#define CLMALI_CHECKS_MODEL_IR_MODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Source ranges
//===----------------------------------------------------------------------===//

/// A range of bytes [Begin, End) of one of the module's files: the text that
/// the user wrote. A node from a macro has the range of the expansion; a node
/// from an inlined helper has its range in the helper.
struct SourceRange {
  uint32_t File = 0; ///< index into Module::Files
  uint32_t Begin = 0;
  uint32_t End = 0;
  bool isValid() const { return End != 0; }
};

struct SourceFile {
  std::string Name; ///< as the user gave it
  std::string Text; ///< its bytes
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

enum class ScalarKind : uint8_t {
  Bool,
  Char,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  Half,
  Float,
  Double
};
bool isFloat(ScalarKind K);
bool isSigned(ScalarKind K);  ///< signed integers only
bool isInteger(ScalarKind K); ///< Bool counts as an integer
unsigned sizeInBytes(ScalarKind K);
unsigned sizeInBits(ScalarKind K);  ///< Bool is 1
llvm::StringRef name(ScalarKind K); ///< "uchar"

enum class AddressSpace : uint8_t { Private, Global, Constant, Local };

struct Type;
struct Field {
  std::string Name;
  const Type *Ty = nullptr;
  uint32_t Offset = 0; ///< bytes
};

/// What a kernel may do with an image argument.
enum class AccessQualifier : uint8_t { ReadOnly, WriteOnly, ReadWrite };

/// Interned by its Module: equal types are the same pointer.
struct Type {
  enum Kind : uint8_t { Void, Value, Pointer, Array, Struct, Image, Sampler, Other };
  Kind K = Void;
  ScalarKind Scalar = ScalarKind::Int;     ///< Value
  uint8_t Lanes = 1;                       ///< Value: 1 is a scalar
  AddressSpace AS = AddressSpace::Private; ///< Pointer: of the pointee
  bool Const = false, Volatile = false,
       Restrict = false;      ///< Pointer: pointee const/volatile, pointer restrict
  const Type *Elem = nullptr; ///< Pointer, Array
  uint64_t Count = 0;         ///< Array: elements
  AccessQualifier Qualifier = AccessQualifier::ReadOnly; ///< Image
  uint8_t Dims = 0;          ///< Image: width, height, depth, and the layers of an array
  bool OfBuffer = false;     ///< Image: image1d_buffer_t, which is read without a sampler
  std::string Name;          ///< Struct: as written ("struct Body", "Body"); others: spelling
  std::vector<Field> Fields; ///< Struct
  uint64_t Size = 0;         ///< bytes in memory (a 3-vector counts 4)

  bool isValue() const { return K == Value; }
  bool isScalar() const { return K == Value && Lanes == 1; }
  bool isVector() const { return K == Value && Lanes > 1; }
  bool isFloat() const { return K == Value && model::isFloat(Scalar); }
  bool isInteger() const { return K == Value && model::isInteger(Scalar); }
  /// A union is a Struct whose fields all lie at offset 0.
  bool isUnion() const { return K == Struct && llvm::StringRef(Name).starts_with("union"); }
};

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// A parameter, a variable, or an object in memory. Pointer variables of the
/// source do not survive lifting: each becomes an integer variable (of type
/// long, IsPointerOffset) that counts elements of its pointee from the start
/// of the one object it points into.
struct Var {
  enum Kind : uint8_t {
    Param,        ///< kernel parameter (scalar, vector, pointer, struct by value, other)
    Temp,         ///< variable of the work-item: Value type (a register)
    Memory,       ///< array or struct variable: private, __local, or program-scope __constant
    SamplerConst, ///< a constant sampler: Ints is its CLK_ bits. No statement declares it
  };
  Kind K = Temp;
  std::string Name; ///< unique within the kernel (helpers' names made so)
  const Type *Ty = nullptr;
  AddressSpace AS = AddressSpace::Private; ///< Memory
  std::string
      Spelling;      ///< the type as the user wrote it, if it can be printed ("size_t"), else empty
  SourceRange Range; ///< its declaration
  bool IsPointerOffset = false;
  bool FromHelper = false;   ///< came with an inlined function
  bool ProgramScope = false; ///< declared outside the kernel; its declaration stays where it is
  unsigned Index = 0;        ///< Param: position
  /// Program-scope constants and constant private arrays: the values, row by
  /// row, if all are known (Ints for integers, Floats for floating point).
  std::vector<int64_t> Ints;
  std::vector<double> Floats;
  bool isPointerParam() const { return K == Param && Ty->K == Type::Pointer; }
  bool isImage() const { return Ty->K == Type::Image; }
  bool isMemory() const { return K == Memory || isPointerParam(); }
  /// Texels are in global memory.
  AddressSpace space() const {
    return isPointerParam() ? Ty->AS : isImage() ? AddressSpace::Global : AS;
  }
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

enum class ExprKind : uint8_t {
  IntConst,   ///< Int
  FloatConst, ///< Float, Text is the literal as written if it was one
  VarRef,     ///< V, of Value type (Temp or scalar/vector Param)
  WorkItem,   ///< Query, Dim
  Unary,      ///< Op over Ops[0]
  Binary,     ///< Op over Ops[0], Ops[1]; both of one type (shifts: count may differ), result of
              ///< comparisons: int or the vector's mask type
  Cast,       ///< CastOp of Ops[0] to Ty
  Select,     ///< Ops[0] ? Ops[1] : Ops[2]; a scalar condition evaluates one side only; a vector
              ///< condition (negative lanes choose Ops[1]) both
  Load,       ///< Acc
  Swizzle,    ///< lanes Lanes of vector Ops[0]
  VectorCtor, ///< (T)(Ops...): lanes of all operands in order
  Call,       ///< pure built-in Name(Ops...) (mathematics, integer, geometric, relational)
  HelperCall, ///< a pure function of the program Name(Ops...), of scalars; only in a kernel that is
              ///< another's WithCalls
  ImageRead, ///< Name(Image, Sampler, Ops...): the texel at the coordinates Ops[0]; level or sample
             ///< behind them. Of an image that the kernel cannot write it depends on Ops only
  ImageQuery, ///< Name(Image): its size or format, the same for all work-items of the launch
  Opaque,     ///< Text says what it is; Ops may hold what it reads
};

enum class Op : uint8_t {
  None,
  Neg,
  BitNot,
  LogicalNot,
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  And,
  Or,
  Xor,
  LT,
  LE,
  GT,
  GE,
  EQ,
  NE,
  LogicalAnd,
  LogicalOr, ///< scalar: short-circuit
};
llvm::StringRef spelling(Op O); ///< "+"
bool isComparison(Op O);
/// The comparison that holds where O does not; None: O is no comparison.
Op inverse(Op O);

enum class CastOp : uint8_t {
  Convert, ///< C conversion of a value (or convert_T of a vector); wraps integers, truncates floats
  Splat,   ///< scalar to every lane
  Builtin, ///< convert_T with a suffix: Text holds "_sat", "_rte", "_sat_rtz" ...
  Bitcast, ///< as_T
};

enum class WorkItemQuery : uint8_t {
  GlobalId,
  LocalId,
  GroupId,
  GlobalSize,
  LocalSize,
  NumGroups,
  GlobalOffset,
  WorkDim
};
llvm::StringRef builtinName(WorkItemQuery Q); ///< "get_global_id"

struct Expr;

/// One access to memory: Lanes elements of type Elem, the first at
/// Base + sum(Index[d] * Stride[d]) + Disp bytes.
struct Access {
  enum Form : uint8_t {
    Subscript, ///< base[i], base[i][j], base[i].f; a vector element type is loaded whole and is
               ///< aligned
    VLoad,     ///< vloadN/vstoreN: lanes need only the element's alignment
    Cast,      ///< *(__global T4 *)&base[i]: as wide as T, must be aligned to it
  };
  Var *Base = nullptr;                      ///< never null
  llvm::SmallVector<const Expr *, 2> Index; ///< outermost dimension first; one for a pointer; each
                                            ///< of integer type, signed or not as computed in C
  llvm::SmallVector<uint32_t, 2> Stride;    ///< bytes for each index
  uint32_t Disp = 0;                        ///< bytes: struct field
  std::string Path; ///< field path as printed: ".pos"; "[]" takes the next index: ".c[].x"
  ScalarKind Elem = ScalarKind::Int;
  uint8_t Lanes = 1;
  Form F = Subscript;
  bool Volatile = false;
  /// Made with a pointer to an element of an array of arrays: the last index may run beyond its
  /// row, so it is no subscript of that row.
  bool OverRows = false;
  SourceRange Range;
};

struct Expr {
  ExprKind K = ExprKind::IntConst;
  const Type *Ty = nullptr; ///< always a Value type (Opaque: any)
  Op O = Op::None;
  CastOp C = CastOp::Convert;
  bool Implicit = false; ///< Cast: a conversion that C makes implicitly
  bool Parens = false;   ///< FP contraction: nothing; kept for printing only
  WorkItemQuery Query = WorkItemQuery::GlobalId;
  uint8_t Dim = 0;
  int64_t Int = 0;  ///< IntConst: value, sign- or zero-extended from Ty
  double Float = 0; ///< FloatConst: exact for half, float, double
  Var *V = nullptr;
  Var *Image = nullptr;   ///< ImageRead, ImageQuery: never null
  Var *Sampler = nullptr; ///< ImageRead: null where it has none
  Access Acc;
  llvm::SmallVector<const Expr *, 3> Ops;
  llvm::SmallVector<uint8_t, 8> LaneIdx; ///< Swizzle
  std::string Name; ///< Call, ImageRead, ImageQuery: built-in; HelperCall: function
  std::string Text; ///< literal or macro name as written; Builtin cast suffix; Opaque: what it is
  SourceRange Range;
};

/// Built-ins that also store a result behind a pointer (sincos, fract, modf, frexp, remquo,
/// lgamma_r) are two pure calls without the pointer: NAME is the value that is returned, NAME with
/// this suffix the value that is stored.
constexpr llvm::StringLiteral SecondResult = ".second";
/// True for the names of these built-ins, without the suffix.
bool hasTwoResults(llvm::StringRef Name);
/// The function that Call, or a statement's Name, stands for: its name without the suffix.
inline llvm::StringRef functionOf(llvm::StringRef Name) {
  Name.consume_back(SecondResult);
  return Name;
}

/// True for what reads memory: a load, or a texel of an image.
inline bool isRead(ExprKind K) { return K == ExprKind::Load || K == ExprKind::ImageRead; }
/// True for a query of an image's width, height, depth or number of layers.
bool isExtent(const Expr &Query);
/// True for an image that the kernel may write: its texels change.
inline bool isWritable(const Var &Image) {
  return Image.isImage() && Image.Ty->Qualifier != AccessQualifier::ReadOnly;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

enum class StmtKind : uint8_t {
  Decl,   ///< V is declared here; Temp: E is its first value or null; Memory: E is null, Text is
          ///< the initialiser as written where V's values are known
  Assign, ///< V = E; with LaneIdx: V.lanes = E
  Store,  ///< Acc = E
  ImageWrite, ///< Name(Image, Args..., E): the texel at the coordinates Args[0] = E
  If,         ///< if (E) Body else Else
  Loop,       ///< for (Init; E; Step) Body; LoopForm says how it was written; E null: no condition
  Break,
  Continue,
  Return,    ///< only where structuring could not remove it (inside loops)
  Barrier,   ///< Name is the built-in as called; LocalFence / GlobalFence
  Atomic,    ///< V (or null) = Name(&Acc, Args...)
  AsyncCopy, ///< V (event, or null) = async_work_group_copy(Acc <- Source, Args[0] elements)
  Call,      ///< Name(Args): built-in with effects that nothing above covers (wait_group_events,
             ///< mem_fence, printf, prefetch)
  Opaque,    ///< Text says what it is; V: all that it changes, if not null
};

struct Stmt;
using StmtList = std::vector<Stmt *>;

struct Stmt {
  StmtKind K = StmtKind::Opaque;
  Var *V = nullptr;
  const Expr *E = nullptr;
  llvm::SmallVector<uint8_t, 4> LaneIdx; ///< Assign to components
  Access Acc;                            ///< Store, Atomic, AsyncCopy (destination)
  Access Source;                         ///< AsyncCopy
  Var *Image = nullptr;                  ///< ImageWrite: never null
  llvm::SmallVector<const Expr *, 2> Args;
  StmtList Body, Else, Init, Step;
  enum LoopForm : uint8_t { For, While, DoWhile } Form = For;
  bool EarlyReturn = false; ///< If: was written as `if (E) { Body; return; }` with Else following
  bool LocalFence = false, GlobalFence = false;
  bool Rare = false; ///< Loop made by a rewriter for remainders and fall-backs: seldom executed
  bool UnrollHint = false; ///< Loop: #pragma unroll or attribute
  std::string Name, Text;
  SourceRange Range;                 ///< whole statement
  std::vector<std::string> Comments; ///< lines before it, with their // or /* */
};

//===----------------------------------------------------------------------===//
// Kernel and module
//===----------------------------------------------------------------------===//

/// What could not be represented, and where.
struct OpaqueNote {
  std::string What;
  SourceRange Range;
};

struct Kernel {
  std::string Name;
  std::vector<Var *> Params;
  std::vector<Var *> Vars; ///< all others, declaration order
  StmtList Body;
  std::optional<std::array<uint32_t, 3>> ReqdWorkGroupSize;
  std::optional<std::array<uint32_t, 3>> WorkGroupSizeHint;
  std::string VecTypeHint;
  SourceRange Range; ///< whole definition, attributes included
  SourceRange NameRange;
  SourceRange BodyRange;                 ///< from '{' to behind '}'
  std::vector<std::string> Helpers;      ///< functions that were inlined
  std::vector<SourceRange> HelperRanges; ///< their definitions, in the same order
  /// The same kernel with calls of its pure helpers of scalars instead of their bodies; null: it
  /// calls none. Its parameters are other variables, in the same order.
  std::shared_ptr<const Kernel> WithCalls;
  std::vector<OpaqueNote> Opaques;
  bool UsesFp64 = false, UsesFp16 = false;

  /// True if its groups are required to be single work-items: nothing in them races or diverges.
  bool hasGroupsOfOne() const { return ReqdWorkGroupSize == std::array<uint32_t, 3>{1, 1, 1}; }
};

/// Code that the tolerant parse accepts, and compilers that are made from Clang refuse.
struct RefusedCode {
  enum Kind : uint8_t {
    LocalInBlock,          ///< a local variable, not at a kernel's own scope
    CallBeforeDeclaration, ///< of the function Name
  } K;
  SourceRange Range; ///< the first token of the call, the variable's name
  std::string Name;
};

/// A translation unit: owns every node of its kernels.
class Module {
public:
  Module();
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  std::vector<SourceFile> Files; ///< [0] is the main file
  std::vector<std::unique_ptr<Kernel>> Kernels;
  /// The functions that HelperCall may name. The last parameter is not theirs: a pointer to which
  /// the value is stored.
  std::vector<std::unique_ptr<Kernel>> PureHelpers;
  std::vector<RefusedCode> Refused;
  std::vector<std::string> Notes; ///< what was assumed to make it parse ("macro T taken as float")
  /// Macros that some #define of this build made, those of branches that it skips left out; not
  /// known where the module was not parsed.
  std::optional<std::set<std::string>> DefinedMacros;

  // Types
  const Type *voidType();
  const Type *value(ScalarKind K, unsigned Lanes = 1);
  const Type *pointer(const Type *Pointee, AddressSpace AS, bool Const = false,
                      bool Volatile = false, bool Restrict = false);
  const Type *array(const Type *Elem, uint64_t Count);
  const Type *structType(llvm::StringRef Name, std::vector<Field> Fields, uint64_t Size);
  const Type *image(llvm::StringRef Spelling, AccessQualifier Qualifier, unsigned Dims,
                    bool OfBuffer = false);
  const Type *sampler();
  const Type *other(llvm::StringRef Spelling);
  /// The type of a comparison of two T: int for scalars, the signed integer of
  /// the same width for vectors.
  const Type *comparisonType(const Type *T);

  // Nodes. New ones belong to the module and live as long as it does.
  Expr *newExpr(ExprKind K, const Type *Ty, SourceRange R = {});
  Stmt *newStmt(StmtKind K, SourceRange R = {});
  Var *newVar(Var::Kind K, llvm::StringRef Name, const Type *Ty);
  Kernel *newKernel(llvm::StringRef Name);

  const Expr *intConst(int64_t V, const Type *Ty);
  const Expr *intConst(int64_t V, ScalarKind K = ScalarKind::Int);
  const Expr *floatConst(double V, const Type *Ty);
  const Expr *ref(Var *V);
  const Expr *workItem(WorkItemQuery Q, unsigned Dim);
  const Expr *unary(Op O, const Expr *A);
  /// Result type: A's, or comparisonType for comparisons and logic.
  const Expr *binary(Op O, const Expr *A, const Expr *B);
  const Expr *cast(const Expr *A, const Type *Ty, bool Implicit = false);
  const Expr *select(const Expr *C, const Expr *A, const Expr *B);
  const Expr *load(Access A);
  const Expr *swizzle(const Expr *A, llvm::ArrayRef<uint8_t> Lanes);
  const Expr *vectorCtor(const Type *Ty, llvm::ArrayRef<const Expr *> Ops);
  const Expr *call(llvm::StringRef Name, const Type *Ty, llvm::ArrayRef<const Expr *> Ops);
  /// Read, an ImageRead, at other coordinates.
  const Expr *imageRead(const Expr *Read, llvm::ArrayRef<const Expr *> Ops);

private:
  std::deque<std::unique_ptr<Type>> Types;
  std::deque<Expr> Exprs;
  std::deque<Stmt> Stmts;
  std::deque<Var> Vars;
};

//===----------------------------------------------------------------------===//
// Walking and rewriting trees
//===----------------------------------------------------------------------===//

/// Calls F on the direct operands of E (a load's indices included).
void forEachOperand(const Expr &E, llvm::function_ref<void(const Expr *)> F);
/// E with each operand replaced by F(operand); E itself if nothing changed.
const Expr *mapOperands(Module &M, const Expr *E, llvm::function_ref<const Expr *(const Expr *)> F);
/// Preorder over E and all below; F returns false to skip what is below.
void walk(const Expr *E, llvm::function_ref<bool(const Expr *)> F);
/// Calls F on each expression that S itself holds (not on those of nested statements).
void forEachExpr(const Stmt &S, llvm::function_ref<void(const Expr *)> F);
/// Replaces each expression that S itself holds.
void mapExprs(Module &M, Stmt &S, llvm::function_ref<const Expr *(const Expr *)> F);
/// Preorder over statements, nested ones included; F returns false to skip what is nested.
void walk(const StmtList &B, llvm::function_ref<bool(Stmt *)> F);
/// Calls F on each nested block of S.
void forEachStmtList(Stmt &S, llvm::function_ref<void(StmtList &)> F);
/// Same shape, types, variables and constants (source ranges ignored).
bool equal(const Expr *A, const Expr *B);
bool equal(const Access &A, const Access &B);
/// A deep copy of statements; expressions are shared. Variables are mapped by
/// Rename (identity if it returns its argument).
StmtList cloneStmts(Module &M, const StmtList &B, llvm::function_ref<Var *(Var *)> Rename);
/// E with variables replaced.
const Expr *substitute(Module &M, const Expr *E,
                       llvm::function_ref<const Expr *(const Expr *)> Leaf);

/// Text for tests and debugging: one line for each statement.
std::string dump(const Kernel &K);
std::string dump(const Expr *E);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_MODEL_H
