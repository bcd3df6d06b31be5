//===- register-pressure.cpp -------------------------------------------------------------------===//
//
// Before: many large variables, all alive at one statement
// After:  smaller types, shorter lives, or a kernel in two parts
// Limits: an estimate from the source: the variables alive between statements, backwards through the
//         structured control flow; a compiler may do better, so a margin is left. Arrays count whole.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {

using Live = std::set<const Var *>;

class Liveness {
public:
  explicit Liveness(unsigned RegisterBits, bool Pads) : RegisterBits(RegisterBits), Pads(Pads) {}

  unsigned Most = 0;
  const Stmt *Where = nullptr;

  void block(const Block &B, Live &L) {
    for (size_t I = B.size(); I-- > 0;)
      statement(*B[I], L);
  }

private:
  unsigned RegisterBits;
  bool Pads;

  void uses(const Expr *Root, Live &L) {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::VarRef && E->V->K == Var::Temp)
        L.insert(E->V);
      return true;
    });
  }

  void statement(Stmt &S, Live &L) {
    switch (S.K) {
    case StmtKind::If: {
      Live Else = L;
      block(S.Body, L);
      block(S.Else, Else);
      L.insert(Else.begin(), Else.end());
      break;
    }
    case StmtKind::Loop: {
      // Twice: what the next iteration needs is alive at the end of this one.
      for (unsigned Round = 0; Round < 2; ++Round) {
        Live Body = L;
        if (S.E)
          uses(S.E, Body);
        block(S.Step, Body);
        block(S.Body, Body);
        L.insert(Body.begin(), Body.end());
      }
      block(S.Init, L);
      break;
    }
    case StmtKind::Decl:
    case StmtKind::Assign:
      if (S.V && S.LaneIdx.empty())
        L.erase(S.V);
      break;
    default:
      break;
    }
    forEachExpr(S, [&](const Expr *E) { uses(E, L); });
    // Wide registers hold several scalars: bits are added up before they are divided.
    uint64_t Total = 0;
    for (const Var *V : L) {
      unsigned Bits = sizeInBits(V->Ty->Scalar);
      if (Pads)
        Bits = std::max(Bits, 32u);
      Total += alignTo(uint64_t(Bits) * V->Ty->Lanes, 32);
    }
    unsigned Registers = divideCeil(Total, uint64_t(RegisterBits));
    if (Registers > Most && S.Range.isValid()) {
      Most = Registers;
      Where = &S;
    }
  }
};

} // namespace

/// Arrays and structures of the work-item are alive all the time, but for tables of constants.
static uint64_t bitsOfArrays(const KernelAnalysis &K, bool Pads, const Var *&Largest) {
  std::set<const Var *> Written;
  for (const AccessSite &A : K.accesses())
    if (A.IsWrite)
      Written.insert(A.A->Base);
  uint64_t Total = 0;
  for (const Var *V : K.kernel().Vars) {
    if (V->K != Var::Memory || V->space() != AddressSpace::Private || !Written.count(V))
      continue;
    const Type *Of = V->Ty;
    uint64_t Elements = 1;
    for (; Of->K == Type::Array; Of = Of->Elem)
      Elements *= Of->Count;
    uint64_t Bits = Of->isValue() && Pads ? Elements * Of->Lanes * std::max(sizeInBits(Of->Scalar), 32u) : V->Ty->Size * 8;
    Total += alignTo(Bits, 32);
    if (!Largest || V->Ty->Size > Largest->Ty->Size)
      Largest = V;
  }
  return Total;
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  Liveness L(D.RegisterBits, D.PadsSubword);
  Live AtEnd;
  L.block(K.Body, AtEnd);
  const rules::Fact *Limit = D.fact("registers-reported"), *Noted = D.fact("registers-noted");
  if (!Limit)
    return;
  const Var *Array = nullptr;
  unsigned OfArrays = divideCeil(bitsOfArrays(C.analysis(), D.PadsSubword, Array), uint64_t(D.RegisterBits));
  // What was taken for float may be half, and two of them take one register.
  auto Exceeds = [&](uint64_t Registers, const rules::Fact *Of) {
    if (hasGuessedFloats(C.module()) && !D.PadsSubword)
      Registers /= 2;
    return int64_t(Registers) * 100 > Of->Value * C.option("Percent");
  };
  bool Many = L.Where && Exceeds(L.Most, Limit);
  // A number that had to be guessed is no array's length.
  bool ManyInArrays = Array && !hasGuessedNumbers(C.module()) && Exceeds(OfArrays, Limit);
  // What is alive beside an array takes registers, too.
  constexpr unsigned Part = 5, Margin = 6; // a compiler keeps fewer alive than the source names
  bool Together = Array && !hasGuessedNumbers(C.module()) && Noted && Exceeds((L.Most + OfArrays) * Part / Margin, Noted);
  if (!Many && !ManyInArrays && !Together && !(L.Where && Noted && Exceeds(L.Most, Noted)))
    return;
  ManyInArrays |= Together && !Many;
  unsigned Most = L.Most + (ManyInArrays ? OfArrays : 0);
  std::string Cost = "the family has " + utostr(D.RegistersFull) + " at full occupancy";
  if (Most > D.RegistersQuarter)
    Cost += ", and above " + utostr(D.RegistersQuarter) + " they go to memory";
  Finding &F = C.report(ManyInArrays && !Many && Array->Range.isValid() ? Array->Range : K.NameRange, (ManyInArrays ? "its variables and arrays take about " : "its variables take about ") + utostr(Most) +
                                         " registers of " + utostr(D.RegisterBits) + " bits at once");
  F.cost(Cost);
  if (L.Where && !ManyInArrays)
    F.note(L.Where->Range, "the most are alive here");
  else if (ManyInArrays && Many && Array->Range.isValid())
    F.note(Array->Range, "the largest array");
  if (!Many)
    F.atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("register-pressure", run);
