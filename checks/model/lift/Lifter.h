//===-- checks/model/lift/Lifter.h - The lifter's own state --------*- C++ -*-===//
//
// What it is: one object that lifts one translation unit, in several files:
// Lift.cpp (kernels, types, variables, places in the source), Stmts.cpp
// (control flow, declarations), Exprs.cpp (values), Order.cpp (side
// effects in order), Memory.cpp (pointers and objects in memory), Fields.cpp
// (pointers kept in objects), Calls.cpp (built-ins and inlined helpers); StructureExits.cpp turns
// returns into if/else.
//
// How side effects are kept in order: expr() returns a pure expression and has
// emitted, into the current block, the side effects that come before its value.
// Whoever holds one value while lifting the next calls protect(), which saves
// what the newly emitted statements would change. Postfix ++ and -- wait in
// Pending until the next sequence point.
//
// Pointers never become values: pointer() gives the Place that a pointer
// expression points to. What is learnt too late (a pointer turns out to have two
// bases) is remembered in `Learnt`, and the kernel is lifted again.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_LIFT_LIFTER_H
#define CLMALI_CHECKS_MODEL_LIFT_LIFTER_H

#include "checks/model/ir/StructureExits.h"
#include "checks/model/lift/Lift.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <tuple>

namespace clmali::model {

/// The low 64 bits, sign- or zero-extended.
inline int64_t bits(const llvm::APSInt &V) {
  return V.isSigned() ? V.sextOrTrunc(64).getSExtValue()
                      : static_cast<int64_t>(V.zextOrTrunc(64).getZExtValue());
}

/// The location of a value: what an lvalue designates or a pointer points to.
struct Place {
  enum Kind : uint8_t {
    Bad,      ///< not representable, for the reason Why
    Register, ///< V, a Temp or a scalar parameter
    Memory,   ///< an object in memory
    Constant, ///< E, a value that cannot be written
    Handle,   ///< V, an image or a sampler
  };
  Kind K = Bad;
  Var *V = nullptr; ///< Register; Memory: the base
  const Expr *E = nullptr;
  llvm::SmallVector<const Expr *, 2> Index; ///< Memory: null is zero
  llvm::SmallVector<uint32_t, 2> Stride;
  uint32_t Disp = 0;
  std::string Path;
  const Type *Ty = nullptr;    ///< what is designated, before Lanes
  const Type *NatTy = nullptr; ///< the type here by the declaration of the base
  bool NatStride = true;       ///< every index steps over declared elements
  bool LevelOpen = false;      ///< the last index may still be added to
  bool ByPointer = false;      ///< the last index was added to a pointer, not to an array
  bool Volatile = false;
  llvm::SmallVector<uint8_t, 4> Lanes; ///< components of a vector, if not all
  std::string Why;
  SourceRange Range;

  static Place bad(llvm::StringRef Why) {
    Place P;
    P.Why = Why.str();
    return P;
  }
  explicit operator bool() const { return K != Bad; }
};

/// True for a constant 0, and for an index that was not given.
inline bool isZero(const Expr *E) { return !E || (E->K == ExprKind::IntConst && E->Int == 0); }

class Lifter {
public:
  using ClangExpr = clang::Expr;
  /// Skip: functions that the parser could not make sense of.
  using SkipFn = llvm::function_ref<bool(const clang::FunctionDecl *)>;
  /// WithCalls: kernels get their WithCalls.
  Lifter(clang::ASTContext &Ctx, Module &M, SkipFn Skip, bool WithCalls);
  void run();

private:
  //===--- Lift.cpp ------------------------------------------------------===//
  void liftKernel(const clang::FunctionDecl *FD);
  /// FD, with all that has to be learnt first.
  Kernel liftFunction(const clang::FunctionDecl *FD);
  void liftOnce(const clang::FunctionDecl *FD, Kernel &K);
  void startKernel(Kernel &K);
  void kernelHead(const clang::FunctionDecl *FD);
  void reserveNames(const clang::FunctionDecl *FD);
  void kernelParam(const clang::ParmVarDecl *P);
  const Type *type(clang::QualType T);
  const Type *recordType(const clang::RecordType *RT);
  llvm::DenseSet<const clang::RecordDecl *> OpenRecords; ///< whose fields are being lifted
  std::string spelling(const clang::VarDecl *D);

  SourceRange range(clang::SourceRange R);
  SourceRange range(const clang::Stmt *S) { return S ? range(S->getSourceRange()) : SourceRange(); }
  std::string sourceText(const clang::Stmt *S);
  uint32_t fileIndex(clang::FileID ID);
  /// The comments in [Begin, End) of a file.
  std::vector<std::string> comments(uint32_t File, uint32_t Begin, uint32_t End);

  std::string uniqueName(llvm::StringRef Wanted);
  Var *newVar(Var::Kind K, llvm::StringRef Name, const Type *Ty, SourceRange R = {});
  /// A new Temp, declared here with value E (may be null).
  Var *temp(llvm::StringRef Name, const Type *Ty, const Expr *E, SourceRange R = {});

  /// What a source variable designates at present.
  struct Binding {
    enum Kind : uint8_t {
      None,
      Object,  ///< P is the variable itself
      Pointer, ///< a pointer that always points to P
      PtrVar,  ///< a pointer that is assigned to; P.V is its base (null until known), Off counts
      Bad,     ///< P.Why
    } K = None;
    Place P;
    Var *Off = nullptr; ///< PtrVar: counts units of Unit bytes
    uint32_t Unit = 1;  ///< PtrVar: the pointee's size, or 1 where that is not enough
  };
  Binding &bindingOf(const clang::VarDecl *D);
  void bindProgramScope(const clang::VarDecl *D, Binding &B);

  //===--- Fields.cpp ------------------------------------------------===//
  using FieldKey = std::tuple<uint32_t, uint32_t, std::string>; ///< the object's declaration (file,
                                                                ///< offset) and the field's path
  /// The binding of a pointer field of a private struct; null where P is no such field.
  Binding *pointerField(const Place &P);
  /// Lvalue E, a pointer that is stepped: a variable, or such a field.
  Binding *movingPointer(const ClangExpr *E);
  Place pointerIn(const Binding &B, const Type *Pointee);
  void assignField(const Place &To, Place From, SourceRange R);
  void forgetFields(const Place &Object, llvm::StringRef Why);
  void declareMovingFields(Var *V);
  void moves(const Place &Field, uint32_t Unit);
  static bool isOwnObject(const Place &P);
  static FieldKey fieldKey(const Place &P);

  /// How a function uses its variables.
  struct FunctionFacts {
    llvm::DenseSet<const clang::VarDecl *> Modified; ///< assigned to, after initialisation
    llvm::DenseSet<const clang::VarDecl *> AddressTaken;
    /// For each compound statement or loop: variables modified inside.
    llvm::DenseMap<const clang::Stmt *, llvm::DenseSet<const clang::VarDecl *>> ModifiedIn;
  };
  const FunctionFacts &facts(const clang::FunctionDecl *FD);

  //===--- Stmts.cpp --------------------------------------------------===//
  void stmt(const clang::Stmt *S);
  void compound(const clang::CompoundStmt *CS);
  void exprStmt(const ClangExpr *E);
  void ifStmt(const clang::IfStmt *S);
  void loop(const clang::Stmt *S, bool Unroll);
  void runOnce(const clang::Stmt *Body);
  void loopInit(const clang::Stmt *Source, Stmt *L);
  void loopStep(const ClangExpr *Source, Stmt *L, bool Continues);
  void loopTest(const Expr *C, StmtList Effects, SourceRange R, Stmt *L, bool Continues);
  void switchStmt(const clang::SwitchStmt *S);
  struct CaseGroup {
    std::vector<const clang::SwitchCase *> Labels;
    std::vector<const clang::Stmt *> Stmts;
    bool Default = false;
    StmtList Lifted;
  };
  std::optional<std::vector<CaseGroup>> caseGroups(const clang::CompoundStmt *Body);
  const Expr *caseTest(llvm::ArrayRef<CaseGroup> Groups, const Expr *Value);
  StmtList caseRun(llvm::MutableArrayRef<CaseGroup> Run, const Expr *Value);
  static std::vector<llvm::MutableArrayRef<CaseGroup>>
  runsOf(llvm::MutableArrayRef<CaseGroup> Groups);
  void returnStmt(const clang::ReturnStmt *S);
  /// Lifts S into a block of its own; Pending effects end inside it.
  StmtList blockOf(const clang::Stmt *S);
  StmtList blockOf(llvm::function_ref<void()> F);
  /// Region: what a `break` or `return` leaves, other than a loop.
  std::string newRegion();
  void leaveRegion(llvm::StringRef Id, SourceRange R);

  //===--- Decls.cpp --------------------------------------------------===//
  void declStmt(const clang::DeclStmt *DS);
  void localVar(const clang::VarDecl *D);
  void bindObject(const clang::VarDecl *D, Var *V);
  void eventVar(const clang::VarDecl *D);
  void valueVar(const clang::VarDecl *D, const Type *T);
  void memoryVar(const clang::VarDecl *D, const Type *T, AddressSpace AS);
  bool constantValues(const clang::VarDecl *D, Var *V);
  void initialise(const Place &P, const ClangExpr *Init);
  void initialiseWhole(const Place &P, const ClangExpr *Init, SourceRange R);
  void initialiseArray(const Place &P, const clang::InitListExpr *List, SourceRange R);
  Place elementAt(const Place &P, uint64_t I, SourceRange R);
  void zero(const Place &P);
  void pointerVar(const clang::VarDecl *D, const ClangExpr *Init, const Place *Arg);
  Binding fixedPointer(Place P, const clang::VarDecl *D, const Type *Pointee);
  Var *offsetVar(llvm::StringRef Name, const Expr *E, SourceRange R);

  //===--- Exprs.cpp --------------------------------------------------===//
  /// The value of E, an expression of Value type.
  const Expr *expr(const ClangExpr *E);
  const Expr *exprImpl(const ClangExpr *E);
  /// expr(), then everything pending has happened.
  const Expr *settled(const ClangExpr *E);
  /// A truth value: comparison, logic or integer.
  const Expr *condition(const ClangExpr *E);
  const Expr *truth(const Expr *E);
  const Expr *pointerTruth(const ClangExpr *E);
  const Expr *wrappedExpr(const ClangExpr *E);
  const Expr *reinterpreted(const clang::AsTypeExpr *E, const Type *Ty);
  const Expr *reference(const clang::DeclRefExpr *E, const Type *Ty);
  const Expr *initialiser(const ClangExpr *E, const Type *Ty);
  const Expr *statementExpr(const clang::StmtExpr *E, const Type *Ty);
  const Expr *shuffle(const clang::ShuffleVectorExpr *E, const Type *Ty);
  const Expr *literal(const ClangExpr *E);
  std::string literalText(clang::SourceLocation Loc);
  const Expr *vectorInit(const clang::InitListExpr *E, const Type *Ty);
  const Expr *constantFrom(const clang::APValue &V, const Type *Ty);
  const Expr *evaluated(const ClangExpr *E);

  //===--- Operators.cpp ----------------------------------------------===//
  static Op binaryOp(clang::BinaryOperatorKind K);
  const Expr *castExpr(const clang::CastExpr *E);
  const Expr *unaryExpr(const clang::UnaryOperator *E);
  const Expr *binaryExpr(const clang::BinaryOperator *E);
  const Expr *logicExpr(const clang::BinaryOperator *E, bool Negated = false);
  const Expr *pointerBinary(const clang::BinaryOperator *E);
  const Expr *conditionalExpr(const clang::AbstractConditionalOperator *E);

  //===--- Assign.cpp -------------------------------------------------===//
  /// Assignment, compound or not; the value if Want.
  const Expr *assign(const clang::BinaryOperator *E, bool Want);
  const Expr *increment(const clang::UnaryOperator *E, bool Want);
  void assignPointer(const ClangExpr *LHS, const ClangExpr *RHS, SourceRange R);
  void stepPointer(const clang::BinaryOperator *E);
  void assignEvent(const clang::BinaryOperator *E);
  const Expr *compoundValue(const clang::CompoundAssignOperator *E, const Place &To, const Expr *V);

  //===--- Order.cpp --------------------------------------------------===//
  /// True if E changes a variable and uses it unsequenced: undefined in C.
  bool unsequenced(const ClangExpr *E);

  const Expr *opaque(llvm::StringRef What, const Type *Ty, SourceRange R);
  void opaqueStmt(llvm::StringRef What, SourceRange R);
  void unparsedStmt(SourceRange R);
  void note(llvm::StringRef What, SourceRange R);

  void emit(Stmt *S) { Out->push_back(S); }
  Stmt *emit(StmtKind K, SourceRange R);
  void emitAssign(Var *V, const Expr *E, SourceRange R);
  void flush();
  /// Keeps E's value as it was when Out had Mark statements.
  const Expr *protect(const Expr *E, size_t Mark);
  void protect(Place &P, size_t Mark);
  const Expr *at(const Expr *E, SourceRange R);

  //===--- Places.cpp ------------------------------------------------===//
  /// The object that lvalue E designates.
  Place place(const ClangExpr *E);
  Place placeOfReference(const clang::DeclRefExpr *E);
  Place placeOfSubscript(const clang::ArraySubscriptExpr *E);
  Place placeOfMember(const clang::MemberExpr *E);
  Place placeOfComponents(const clang::ExtVectorElementExpr *E);
  Place placeOfLiteral(const clang::CompoundLiteralExpr *E);
  Place vectorElement(const clang::ArraySubscriptExpr *E);
  /// The object that holds E, a struct as a value.
  Place structValue(const ClangExpr *E);
  const Expr *toLong(const Expr *E);
  Place placeOf(Var *V, const Type *Ty);
  Place castPointer(Place P, const Type *To, bool ToVolatile);
  Place decay(Place P);
  Place field(Place P, const clang::FieldDecl *F);
  Place lanes(Place P, llvm::ArrayRef<uint8_t> Lanes);
  void needsAddress(const Place &P);
  void addIndex(Place &P, const Expr *E, uint64_t Stride, bool Negative = false);

  //===--- Pointers.cpp ----------------------------------------------===//
  /// The object that pointer E points to.
  Place pointer(const ClangExpr *E);
  Place pointerCast(const clang::CastExpr *E);
  Place loadedPointer(const clang::CastExpr *E);
  Place pointerUnary(const clang::UnaryOperator *E);
  Place steppedPointer(const clang::UnaryOperator *E);
  Place pointerOperation(const clang::BinaryOperator *E);
  Place chosenPointer(const clang::ConditionalOperator *E);
  Place pointerVarPlace(const Binding &B, const Type *Pointee);
  Place pointee(const Binding &B, clang::QualType Pointer);
  /// P's distance from the start of its base in units of Unit bytes (a long),
  /// or null if it is no whole number of them.
  const Expr *offset(const Place &P, uint64_t Unit);
  /// E, a long, times Factor.
  const Expr *scaled(const Expr *E, uint64_t Factor);
  uint64_t pointeeSize(clang::QualType Pointer);
  /// True if E gives the same value everywhere in the scope that is being lifted.
  bool isStable(const Expr *E);
  bool isStableVariable(const Var *V);

  //===--- Memory.cpp ------------------------------------------------===//
  Access access(const Place &P, Access::Form F = Access::Subscript, unsigned Lanes = 0);
  const Expr *read(const Place &P, SourceRange R);
  void write(const Place &P, const Expr *E, SourceRange R);
  void forEachElement(uint64_t Count, SourceRange R, llvm::function_ref<void(const Expr *)> F);
  /// Computes P's address once, before several stores to it.
  void pin(Place &P);
  void copyStruct(Place To, Place From, SourceRange R);
  /// Pointers: pointers between private structs can be copied, too.
  bool canCopy(const Type *T, bool Pointers = false);

  //===--- Calls.cpp --------------------------------------------------===//
  /// Null for void, and where the value is not wanted.
  const Expr *call(const clang::CallExpr *E, bool Want);
  const Expr *builtinCall(const clang::CallExpr *E, const clang::FunctionDecl *FD, bool Want);
  const Expr *convertCall(llvm::StringRef Name, const clang::CallExpr *E);
  llvm::SmallVector<const Expr *, 4> valueArgs(const clang::CallExpr *E);
  /// vloadN, vload_halfN and the like: how many elements, how far apart two calls' are, and what
  /// they are converted from or to.
  struct VectorBuiltin {
    bool Stores = false, Half = false;
    unsigned Lanes = 1, Step = 1;
    llvm::StringRef Rounding; ///< of a store of halves: "_rtz"
  };
  static std::optional<VectorBuiltin> vectorBuiltin(llvm::StringRef Name);
  const Expr *vectorLoad(const clang::CallExpr *E, const VectorBuiltin &B);
  void vectorStore(const clang::CallExpr *E, const VectorBuiltin &B);
  const Expr *toHalf(const Expr *V, llvm::StringRef Rounding);
  const Expr *atomicCall(llvm::StringRef Name, const clang::CallExpr *E, bool Want);
  void asyncCopy(const clang::CallExpr *E, Var *Event);
  static bool isAsyncCopy(const clang::CallExpr *E);
  void barrier(llvm::StringRef Name, const clang::CallExpr *E);
  void plainCall(llvm::StringRef Name, const clang::CallExpr *E);
  const Expr *opaqueCall(llvm::StringRef What, llvm::StringRef Name, const clang::CallExpr *E,
                         bool Want);
  const Expr *workItemCall(WorkItemQuery Q, llvm::StringRef Name, const clang::CallExpr *E);
  const Expr *clangBuiltin(llvm::StringRef Name, const clang::CallExpr *E, bool Want);
  const Expr *undefinedCall(llvm::StringRef Name, const clang::CallExpr *E, bool Want);

  //===--- Images.cpp -----------------------------------------------------===//
  /// The type of an image or a sampler; null: T is neither.
  const Type *handleType(clang::QualType T);
  /// The image or the sampler that E names: an argument of the kernel, or a constant sampler. Bad:
  /// it is not known.
  Place handle(const ClangExpr *E);
  /// The constant sampler that Init is; Bad: its value is not known.
  Place samplerConstant(llvm::StringRef Name, const ClangExpr *Init, SourceRange R,
                        bool ProgramScope);
  /// Slot becomes the constant sampler that D is, or bad.
  void bindSampler(const clang::VarDecl *D, const ClangExpr *Init, bool ProgramScope,
                   Binding &Slot);
  /// The sampler at program scope that E names; null: it names none.
  const clang::VarDecl *programSampler(const ClangExpr *E);
  /// A call of read_image.., write_image.. or get_image... False: it is none that the model has.
  bool imageCall(llvm::StringRef Name, const clang::CallExpr *E, bool Want, const Expr *&Value);
  const Expr *callWithTwoResults(llvm::StringRef Name, const clang::CallExpr *E, bool Want);
  const Expr *otherBuiltin(llvm::StringRef Name, const clang::CallExpr *E, bool Want);
  bool isEvent(clang::QualType T);

  //===--- Inline.cpp -----------------------------------------------------===//
  /// Lifts the body of FD here; for a struct result, Result is where it lies.
  const Expr *inlineCall(const clang::CallExpr *E, const clang::FunctionDecl *FD, Place *Result);
  struct Argument {
    const Expr *V = nullptr; ///< a value
    Place P;                 ///< a pointer or struct
  };
  std::string whyNotInlined(const clang::CallExpr *E, const clang::FunctionDecl *FD);
  llvm::SmallVector<Argument, 8> arguments(const clang::CallExpr *E);
  bool canPassUnchanged(const Expr *V, bool HasPending);
  void bindValue(const clang::ParmVarDecl *P, const Expr *V, bool HasPending);
  void bindCopy(const clang::ParmVarDecl *P, Place From, SourceRange R);
  void bindArguments(const clang::FunctionDecl *FD, llvm::MutableArrayRef<Argument> Args,
                     bool HasPending, SourceRange R);
  void declareResult(Var *Result, StmtList &Body, SourceRange R);

  //===--- PureHelpers.cpp -------------------------------------------------===//
  bool isPureHelper(const clang::FunctionDecl *FD);
  void storeResult(Kernel &Helper);
  void findPureHelpers();
  bool keepsCall(const clang::FunctionDecl *FD);
  const Expr *keptCall(const clang::CallExpr *E, const clang::FunctionDecl *FD);

  //===--- State ---------------------------------------------------------===//
  clang::ASTContext &Ctx;
  const clang::SourceManager &SM;
  Module &M;
  SkipFn Skip;
  llvm::DenseMap<clang::FileID, uint32_t> FileIndex;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<FunctionFacts>> Facts;
  const bool WithCalls;
  llvm::SetVector<const clang::FunctionDecl *> Inlined; ///< into the kernel, as far as it is lifted
  llvm::DenseMap<const clang::FunctionDecl *, bool> Pure; ///< what isPureHelper has found
  bool KeepsCalls = false;                                ///< calls of pure helpers stay calls

  /// Facts found in earlier attempts at this kernel.
  struct {
    llvm::DenseMap<const clang::VarDecl *, std::string> BadPointers;
    llvm::DenseSet<const clang::VarDecl *> InMemory; ///< scalars that must have an address
    llvm::DenseSet<const clang::VarDecl *>
        InBytes; ///< pointers that are not aligned to their pointee
    std::map<FieldKey, std::string> BadFields;
    std::map<FieldKey, uint32_t> MovingFields; ///< and the bytes of a step
  } Learnt;
  bool Again = false;

  // For one attempt at one kernel.
  Kernel *K = nullptr;
  StmtList *Out = nullptr;
  StmtList Pending;
  llvm::StringMap<unsigned> Names; ///< taken, and the last number appended
  llvm::DenseMap<const clang::VarDecl *, Binding> Bindings;
  std::map<std::pair<const Var *, std::string>, Binding>
      Fields; ///< pointers in objects, by object and path
  llvm::DenseMap<Var *, const clang::VarDecl *> DeclOf;
  unsigned Regions = 0;
  static constexpr unsigned MaxStatements = 50000; ///< lifting stops at this size
  unsigned Statements = 0;

  /// The function that is being lifted: the kernel or an inlined helper.
  struct Frame {
    const clang::FunctionDecl *FD = nullptr;
    const FunctionFacts *Facts = nullptr;
    std::string Region; ///< what `return` leaves
    Place Result;       ///< where its value goes
    bool IsKernel = false;
  };
  std::vector<Frame> Frames;
  llvm::SmallVector<const clang::Stmt *, 16> Scopes; ///< compounds and loops around, of the frame
  /// What `break` and `continue` leave: an empty string is the loop itself.
  std::string BreakRegion, ContinueRegion;
  std::vector<std::string> WaitingComments;
  bool NeedsContinue = false; ///< the loop being lifted holds a `continue`
};

void liftInto(clang::ASTContext &Ctx, Module &M, Lifter::SkipFn Skip, bool WithCalls = false);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_LIFT_LIFTER_H
