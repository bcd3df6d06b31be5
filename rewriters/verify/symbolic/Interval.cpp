// The interval rung: the range of narrow arithmetic.
//
//   before   the rewritten kernel, executed over terms with bounds
//   after    for each instruction in 8 or 16 bits: its result is in its type's
//            range for all inputs; or it may leave the range, and then the inputs
//            that drive it furthest out (a corner), to be run on the device
//   limits   bounds hold for the work-items that were executed; a corner is found
//            by a walk down the operands, not by a search
//
// An operation is in range if its exact result is, with its operands read as
// signed or as unsigned numbers: then a wider operation has the same result. An
// operation that leaves its range may still be right (it may wrap back), so this
// rung does not refute by itself; the device does, on the corners.

#include "rewriters/verify/symbolic/Interval.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

#include <algorithm>

namespace clmali::verify::symbolic {

using namespace llvm;
using Wide = __int128;

namespace {

struct Bounds {
  Wide Low = 0, High = 0;
};

Bounds boundsOf(const Node &N, bool Signed) {
  return Signed ? Bounds{N.SLo, N.SHi} : Bounds{Wide(N.ULo), Wide(N.UHi)};
}

Bounds exact(unsigned Opcode, Bounds X, Bounds Y) {
  switch (Opcode) {
  case Instruction::Add:
    return {X.Low + Y.Low, X.High + Y.High};
  case Instruction::Sub:
    return {X.Low - Y.High, X.High - Y.Low};
  case Instruction::Mul: {
    Wide C[] = {X.Low * Y.Low, X.Low * Y.High, X.High * Y.Low, X.High * Y.High};
    return {*std::min_element(C, C + 4), *std::max_element(C, C + 4)};
  }
  case Instruction::Shl: {
    // Amounts are below the width: OpenCL C takes them modulo the width.
    Wide Most = Wide(1) << int(std::clamp<Wide>(Y.High, 0, 31));
    return {std::min<Wide>(X.Low * Most, X.Low), std::max<Wide>(X.High * Most, X.High)};
  }
  default: // a conversion
    return X;
  }
}

} // namespace

void NarrowArithmetic::note(const TermStore &T, const Instruction *I, unsigned Opcode,
                            unsigned Bits, Term X, Term Y, function_ref<std::string()> WorkItem) {
  if (T.isUndef(X) || (Y && T.isUndef(Y)))
    return;
  if (T.isConst(X) && (!Y || T.isConst(Y)))
    return; // a constant
  auto [It, New] = Index.try_emplace(I, Sites.size());
  if (New) {
    Sites.emplace_back();
    Sites.back().Opcode = Opcode;
    Sites.back().Bits = Bits;
  }
  NarrowSite &S = Sites[It->second];
  ++S.Times;
  const Node &P = T.node(X);
  const Node &Q = T.node(Y ? Y : X);
  struct Reading {
    bool Signed;
    Wide Above, Below;
  } Best{};
  bool First = true;
  for (bool Signed : {true, false}) {
    Bounds B = exact(Opcode, boundsOf(P, Signed), boundsOf(Q, Signed));
    Wide Least = Signed ? -(Wide(1) << (Bits - 1)) : 0;
    Wide Most = Signed ? (Wide(1) << (Bits - 1)) - 1 : (Wide(1) << Bits) - 1;
    Reading R{Signed, B.High - Most, Least - B.Low};
    if (R.Above <= 0 && R.Below <= 0)
      return; // in range, in this reading
    if (First || std::max(R.Above, R.Below) < std::max(Best.Above, Best.Below))
      Best = R;
    First = false;
  }
  ++S.MayLeave;
  auto keep = [&](NarrowSite::Extreme &E, Wide Excess) {
    if (Excess <= E.Excess)
      return;
    E.Excess = Excess;
    E.Signed = Best.Signed;
    E.X = X;
    E.Y = Y;
    E.WorkItem = WorkItem();
  };
  keep(S.Above, Best.Above);
  keep(S.Below, Best.Below);
}

namespace {

/// Chooses inputs that make terms as large or as small as possible: a walk down the operands. The
/// first choice for an input is kept.
class CornerSearch {
public:
  explicit CornerSearch(const TermStore &T)
      : T(T), Inputs(T.variables(), 0), Fixed(T.variables(), false) {
    // All other inputs are zero, or as near to it as their bounds allow.
    for (unsigned V = 0; V < Inputs.size(); ++V) {
      const Node &N = T.node(T.variableTerm(V));
      if (N.SLo > 0 || N.ULo > 0)
        Inputs[V] = N.ULo;
      else if (N.SHi < 0)
        Inputs[V] = uint64_t(N.SHi) & maskOf(N.Width);
    }
  }

  /// \p More: as large as possible; else as small.
  void drive(Term X, bool More, bool Signed) {
    if (!X || !Seen.insert({X, More * 2 + Signed}).second || Seen.size() > 20000)
      return;
    const Node &N = T.node(X);
    ArrayRef<Term> Ops = T.operands(X);
    switch (N.O) {
    case Op::Var:
      if (!Fixed[N.Imm]) {
        Fixed[N.Imm] = true;
        Inputs[N.Imm] =
            (Signed ? uint64_t(More ? N.SHi : N.SLo) : (More ? N.UHi : N.ULo)) & maskOf(N.Width);
      }
      return;
    case Op::Sum:
      for (size_t I = 0; I < Ops.size(); I += 2) {
        bool Down = signedOf(T.value(Ops[I + 1]), N.Width) < 0;
        drive(Ops[I], More != Down, Signed);
      }
      return;
    case Op::Mul: {
      const Node &A = T.node(Ops[0]), &B = T.node(Ops[1]);
      if (A.SLo >= 0 && B.SLo >= 0) {
        drive(Ops[0], More, Signed);
        drive(Ops[1], More, Signed);
        return;
      }
      // The bounds with the largest (smallest) product.
      Wide Best = 0;
      int Which = 0;
      for (int C = 0; C < 4; ++C) {
        Wide P = Wide(C & 1 ? A.SHi : A.SLo) * Wide(C & 2 ? B.SHi : B.SLo);
        if (C == 0 || (More ? P > Best : P < Best)) {
          Best = P;
          Which = C;
        }
      }
      drive(Ops[0], Which & 1, true);
      drive(Ops[1], Which & 2, true);
      return;
    }
    case Op::ZExt:
      return drive(Ops[0], More, false);
    case Op::SExt:
      return drive(Ops[0], More, true);
    case Op::Extract:
    case Op::UDiv:
    case Op::SDiv:
    case Op::LShr:
    case Op::AShr:
    case Op::Shl:
      return drive(Ops[0], More, Signed);
    case Op::And:
    case Op::Or:
    case Op::Concat:
    case Op::SMin:
    case Op::SMax:
    case Op::UMin:
    case Op::UMax:
      for (Term O : Ops)
        drive(O, More, Signed);
      return;
    case Op::Xor:
      if (T.isConst(Ops[1], ~0ull))
        drive(Ops[0], !More, Signed);
      return;
    case Op::Ite:
      drive(Ops[1], More, Signed);
      drive(Ops[2], More, Signed);
      return;
    default:
      return; // constants, and operations that are not followed
    }
  }

  const TermStore &T;
  std::vector<uint64_t> Inputs;
  std::vector<bool> Fixed;
  std::set<std::pair<Term, int>> Seen;
};

} // namespace

std::vector<NarrowCorner> NarrowArithmetic::corners(const TermStore &T, size_t Most) const {
  std::vector<NarrowCorner> All;
  for (const NarrowSite &S : Sites)
    for (bool Up : {true, false}) {
      const NarrowSite::Extreme &E = Up ? S.Above : S.Below;
      if (E.Excess <= 0)
        continue;
      CornerSearch C(T);
      switch (S.Opcode) {
      case Instruction::Sub:
        C.drive(E.X, Up, E.Signed);
        C.drive(E.Y, !Up, E.Signed);
        break;
      case Instruction::Mul:
        // Both far from zero; the sign of one decides.
        C.drive(E.X, true, E.Signed);
        C.drive(E.Y, Up, E.Signed);
        break;
      default:
        C.drive(E.X, Up, E.Signed);
        C.drive(E.Y, Up, E.Signed);
        break;
      }
      NarrowCorner N;
      N.What = std::string(Instruction::getOpcodeName(S.Opcode)) + " in " + std::to_string(S.Bits) +
               " bits " + (Up ? "above" : "below") + " its range, work-item " + E.WorkItem;
      N.Inputs = std::move(C.Inputs);
      if (none_of(All, [&](const NarrowCorner &O) { return O.Inputs == N.Inputs; }))
        All.push_back(std::move(N));
      if (All.size() == Most)
        return All;
    }
  return All;
}

uint64_t NarrowArithmetic::operations() const {
  uint64_t Sum = 0;
  for (const NarrowSite &S : Sites)
    Sum += S.Times;
  return Sum;
}

unsigned NarrowArithmetic::mayLeave() const {
  return unsigned(count_if(Sites, [](const NarrowSite &S) { return S.MayLeave != 0; }));
}

} // namespace clmali::verify::symbolic
