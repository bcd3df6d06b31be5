//===-- rewriters/use-address-mode.cpp - Borders are the sampler's work -------===//
//
// What it does: the border of an image that the kernel makes by hand becomes the address mode of a
// constant sampler, for integer coordinates.
//
//   before                                            after
//   if (x < 0 || x >= get_image_width(src)) v = 0;    v = read_imagef(src, zero, (int2)(x, y));
//   else v = read_imagef(src, s, (int2)(x, y));         zero: CLK_ADDRESS_CLAMP
//   if (x >= 0 && x < w)                              sum += read_imagef(src, zero, (int2)(x, y));
//     sum += read_imagef(src, s, (int2)(x, y));
//   read_imagef(src, s, (int2)(max(x, 0), y))         read_imagef(src, edge, (int2)(x, y))
//                                                       edge: CLK_ADDRESS_CLAMP_TO_EDGE
//   x < 0 ? -1 : x, by CLK_ADDRESS_CLAMP              x, by the same sampler
//
// Legal if: what the kernel computes outside is what the border colour gives, in each component
// that is used. The alpha of the colour depends on the format: where it is used, the formats of the
// launches decide. A sum in floating point that is left as it was is the sum with 0 if it is never
// -0. An argument is an extent of the image where every launch says so; the new kernel is launched
// under that condition. Each coordinate that the kernel does not keep inside is undefined outside,
// or has the same address mode already.
//
// Pays: always. The texture unit has the address modes at no cost, and windows of neighbouring
// work-items can be shared once their coordinates are plain.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Samplers.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/ImageBorder.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>

namespace clmali::rewrite {

using namespace model;
using namespace model::pattern;

namespace {

constexpr unsigned Alpha = 3;

/// The lanes of a value; nothing: not known. Zeros are +0.
using Lanes = llvm::SmallVector<std::optional<double>, 16>;

/// What expressions are where a read gives the border colour.
class BorderValues {
public:
  BorderValues(const Expr *Read, std::optional<double> Alpha) : Read(Read), BorderAlpha(Alpha) {}
  void set(const Var *V, const Expr *E) { Known[V] = of(E); }
  Lanes of(const Expr *E) const;

private:
  const Expr *Read;
  std::optional<double> BorderAlpha;
  llvm::DenseMap<const Var *, Lanes> Known;

  std::optional<double> product(std::optional<double> X, std::optional<double> Y,
                                bool IsFloat) const;
};

std::optional<double> BorderValues::product(std::optional<double> X, std::optional<double> Y,
                                            bool IsFloat) const {
  if (X == 1)
    return Y;
  if (Y == 1)
    return X;
  const bool IsZero = X == 0 || Y == 0;
  // With a negative or infinite number the product is no +0.
  const bool IsPlain = X && Y && *X >= 0 && *Y >= 0 && std::isfinite(*X) && std::isfinite(*Y);
  return IsZero && (!IsFloat || IsPlain) ? std::optional(0.0) : std::nullopt;
}

Lanes BorderValues::of(const Expr *E) const {
  Lanes R;
  auto AddLane = [&](double V) {
    R.push_back(V == 0 && std::signbit(V) ? std::nullopt : std::optional(V));
  };
  if (E == Read) {
    R.assign(E->Ty->Lanes, 0.0);
    R[Alpha] = BorderAlpha;
  } else if (E->K == ExprKind::IntConst) {
    AddLane(double(E->Int));
  } else if (E->K == ExprKind::FloatConst) {
    AddLane(E->Float);
  } else if (E->K == ExprKind::VarRef && Known.contains(E->V)) {
    R = Known.lookup(E->V);
  } else if (E->K == ExprKind::Swizzle) {
    const Lanes Of = of(E->Ops[0]);
    for (uint8_t L : E->LaneIdx)
      R.push_back(Of[L]);
  } else if (E->K == ExprKind::VectorCtor) {
    for (const Expr *X : E->Ops)
      llvm::append_range(R, of(X));
  } else if (E->K == ExprKind::Cast && E->C == CastOp::Splat) {
    R.assign(E->Ty->Lanes, of(E->Ops[0]).front());
  } else if (E->K == ExprKind::Cast && E->C != CastOp::Bitcast) {
    R = of(E->Ops[0]);
    for (std::optional<double> &V : R)
      if (V != 0 && V != 1) // these two are the same in every type
        V.reset();
  } else if (E->K == ExprKind::Binary && E->O == Op::Mul) {
    const Lanes X = of(E->Ops[0]), Y = of(E->Ops[1]);
    for (unsigned L = 0; L < E->Ty->Lanes; ++L)
      R.push_back(product(X[L], Y[L], E->Ty->isFloat()));
  }
  R.resize(E->Ty->Lanes);
  return R;
}

class AddressModes : KernelEditor {
public:
  AddressModes(const EditedKernel &E, const LaunchFacts &Launch, LaunchContract &Contract)
      : KernelEditor(E), Launch(Launch), Contract(Contract) {}

  unsigned run() {
    guards(K.Body);
    walk(K.Body, [&](Stmt *S) {
      std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) {
        E = mapOperands(M, E, Replace);
        return E->K == ExprKind::ImageRead && mayChange(E) ? plainCoordinates(E, S) : E;
      };
      mapExprs(M, *S, Replace);
      return true;
    });
    return Changes;
  }

private:
  const LaunchFacts &Launch;
  LaunchContract &Contract;
  unsigned Changes = 0;

  /// A branch that reads a texel under a condition, as far as it is taken apart.
  struct Branch {
    Stmt *If;
    StmtList *Reads, *Other;
    const Expr *Read;
    llvm::SmallVector<const Expr *, 4> Kept; ///< conditions on other things
    ImageSides Tested;
    std::set<std::string> Assumed; ///< conditions of the manifest
    const Stmt *last() const { return Reads->back(); }
  };

  void guards(StmtList &List);
  std::optional<Branch> branchOf(Stmt &If, bool Then);
  bool becomesBorder(const Branch &B, const StmtList &List, size_t At);
  bool isBorder(const Branch &B, const Expr *Before, std::optional<double> BorderAlpha) const;
  bool neverNegativeZero(const Var *V) const;
  std::vector<bool> usedLanes(const Var *V) const;
  bool mayChange(const Expr *Read) const;
  const Expr *plainCoordinates(const Expr *Read, const Stmt *At);
  void assume(const std::set<std::string> &Conditions) {
    for (const std::string &C : Conditions)
      if (!llvm::is_contained(Contract.When, C))
        Contract.When.push_back(C);
  }
  Var *samplerOf(SamplerBits::Address Mode);
  const Expr *readBy(const Expr *Read, SamplerBits::Address Mode);
};

/// True if Read is of integer coordinates in an image whose texels do not change.
bool AddressModes::mayChange(const Expr *Read) const {
  std::optional<SamplerBits> Bits = Read->Sampler ? constantSampler(*Read->Sampler) : std::nullopt;
  return Read->Ops.size() == 1 && Read->Ty->Lanes == 4 && !isWritable(*Read->Image) &&
         !Read->Image->Ty->OfBuffer && (!Bits || (!Bits->Normalized && !Bits->Linear));
}

/// The address mode of Read: None also where it has no sampler; nothing: an argument has it.
static std::optional<SamplerBits::Address> modeOf(const Expr *Read) {
  if (!Read->Sampler)
    return SamplerBits::None;
  std::optional<SamplerBits> Bits = constantSampler(*Read->Sampler);
  return Bits ? std::optional(Bits->Mode) : std::nullopt;
}

Var *AddressModes::samplerOf(SamplerBits::Address Mode) {
  constexpr int64_t Nearest = 16, ModeUnit = 2;
  const int64_t Bits = Nearest + ModeUnit * Mode;
  for (Var *V : K.Vars)
    if (V->K == Var::SamplerConst && V->Ints.front() == Bits)
      return V;
  Var *V =
      M.newVar(Var::SamplerConst,
               uniqueName(K, Mode == SamplerBits::Clamp ? "zero_outside" : "edge"), M.sampler());
  V->Ints = {Bits};
  K.Vars.push_back(V);
  return V;
}

const Expr *AddressModes::readBy(const Expr *Read, SamplerBits::Address Mode) {
  Expr *New = M.newExpr(ExprKind::ImageRead, Read->Ty, Read->Range);
  *New = *Read;
  New->Sampler = samplerOf(Mode);
  return New;
}

//===----------------------------------------------------------------------===//
// Reads under a condition
//===----------------------------------------------------------------------===//

/// The one read in B, which declares and assigns variables, the last of them from outside. Null:
/// there is another one, or something that must not run outside.
static const Expr *onlyRead(const StmtList &B) {
  const Expr *Read = nullptr;
  if (B.empty() || B.back()->K != StmtKind::Assign || !B.back()->LaneIdx.empty())
    return nullptr;
  for (const Stmt *S : B) {
    if ((S->K != StmtKind::Decl && S != B.back()) || !S->E || S->V->K != Var::Temp)
      return nullptr;
    for (ExprAt X : exprs(*S)) {
      const bool Divides =
          X->K == ExprKind::Binary && X->Ty->isInteger() && (X->O == Op::Div || X->O == Op::Rem);
      if (X->K == ExprKind::Load || X->K == ExprKind::Opaque || Divides ||
          (X->K == ExprKind::ImageRead && Read))
        return nullptr;
      if (X->K == ExprKind::ImageRead)
        Read = X.E;
    }
  }
  return Read;
}

std::optional<AddressModes::Branch> AddressModes::branchOf(Stmt &If, bool Then) {
  Branch B{&If, Then ? &If.Body : &If.Else, Then ? &If.Else : &If.Body, nullptr, {}, {}, {}};
  B.Read = onlyRead(*B.Reads);
  if (!B.Read || !mayChange(B.Read))
    return std::nullopt;
  const Stmt *At = nullptr;
  for (ExprAt X : exprs(*B.Reads))
    if (X.E == B.Read)
      At = X.S;
  std::optional<TexelCoordinates> Texel = TexelCoordinates::of(M, A, B.Read, At, Launch);
  if (!Texel)
    return std::nullopt;
  for (const Conjunct &C : conjunctsOf(If.E, Then)) {
    const ImageSides S = Texel->testedBy(C, &If);
    B.Tested |= S;
    // What is left must not have been protected by what goes.
    if (!S.any() && mayFault(C.E))
      return std::nullopt;
    if (!S.any())
      B.Kept.push_back(C.Holds ? C.E : simplify(M, M.unary(Op::LogicalNot, C.E)));
  }
  B.Assumed = Texel->assumed();
  // On the sides that are not tested: undefined, a border already, or never outside.
  ImageSides Closed = Texel->inside();
  Closed |= B.Tested;
  const ImageSides All = Texel->allSides();
  const std::optional<SamplerBits::Address> Mode = modeOf(B.Read);
  const bool Complete = Closed.Low == All.Low && Closed.High == All.High;
  if (!B.Tested.any() || (!Complete && Mode != SamplerBits::None && Mode != SamplerBits::Clamp))
    return std::nullopt;
  return B;
}

/// The components of V that something reads.
std::vector<bool> AddressModes::usedLanes(const Var *V) const {
  std::vector<bool> Used(V->Ty->Lanes);
  auto See = [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      const bool Of = E->K == ExprKind::Swizzle && E->Ops[0]->K == ExprKind::VarRef;
      if (Of && E->Ops[0]->V == V)
        for (uint8_t L : E->LaneIdx)
          Used[L] = true;
      else if (E->K == ExprKind::VarRef && E->V == V)
        Used.assign(Used.size(), true);
      return !Of;
    });
  };
  for (const Stmt *S : stmts(K.Body))
    forEachExpr(*S, See);
  return Used;
}

/// True if no value of V, a variable of floating point, is -0: it starts with constants, and the
/// sum of a number that is not -0 and any other is not -0. A product may be contracted with the
/// sum, and rounds to -0.
bool AddressModes::neverNegativeZero(const Var *V) const {
  auto IsProduct = [](const Expr *E) {
    while (E->K == ExprKind::Unary || E->K == ExprKind::Cast || E->K == ExprKind::Swizzle)
      E = E->Ops[0];
    return E->K == ExprKind::Binary && E->O == Op::Mul;
  };
  return llvm::all_of(A.defs(V), [&](const Stmt *S) {
    if (!S->E || (S->K != StmtKind::Decl && S->K != StmtKind::Assign))
      return false;
    if (llvm::all_of(BorderValues(nullptr, std::nullopt).of(S->E),
                     [](const std::optional<double> &X) { return X.has_value(); }))
      return true;
    if (!S->LaneIdx.empty() || S->E->K != ExprKind::Binary || S->E->O != Op::Add)
      return false;
    for (unsigned Side : {0, 1})
      if (S->E->Ops[Side]->K == ExprKind::VarRef && S->E->Ops[Side]->V == V)
        return !IsProduct(S->E->Ops[!Side]);
    return false;
  });
}

/// True if B.Reads outside of the image, with this alpha, gives its variable the value that
/// B.Other does, or Before, the value that it has.
bool AddressModes::isBorder(const Branch &B, const Expr *Before,
                            std::optional<double> BorderAlpha) const {
  const Stmt *Last = B.last();
  BorderValues Values(B.Read, BorderAlpha);
  for (const Stmt *S : *B.Reads)
    if (S != Last)
      Values.set(S->V, S->E);
  const std::vector<bool> Used = usedLanes(Last->V);
  auto AreSame = [&](const Lanes &X, const Lanes &Y) {
    for (size_t L = 0; L < Used.size(); ++L)
      if (Used[L] && (!X[L] || X[L] != Y[L]))
        return false;
    return true;
  };
  if (!B.Other->empty())
    return AreSame(Values.of(Last->E), Values.of(B.Other->front()->E));
  if (Before && AreSame(Values.of(Last->E), Values.of(Before)))
    return true;
  const Expr *E = Last->E;
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub))
    return false;
  const Lanes Zero(Used.size(), 0.0);
  for (unsigned Side : {0, 1}) {
    if (E->Ops[Side]->K != ExprKind::VarRef || E->Ops[Side]->V != Last->V ||
        (Side && E->O == Op::Sub))
      continue;
    // V - 0 is V, -0 included.
    return AreSame(Values.of(E->Ops[!Side]), Zero) &&
           (E->O == Op::Sub || E->Ty->isInteger() || neverNegativeZero(Last->V));
  }
  return false;
}

/// True if B is what the border of its image gives. List[At] is the branch.
bool AddressModes::becomesBorder(const Branch &B, const StmtList &List, size_t At) {
  const Var *V = B.last()->V;
  const Expr *Before = nullptr;
  if (B.Other->empty()) {
    auto Sets = [&](const Stmt *S) { return S->V == V; };
    while (At-- > 0 && !Before) {
      const Stmt *S = List[At];
      if (Sets(S) && S->LaneIdx.empty() && (S->K == StmtKind::Decl || S->K == StmtKind::Assign))
        Before = S->E;
      else if (llvm::any_of(stmts({List[At]}), Sets))
        break;
      if (Sets(S))
        break;
    }
  } else if (B.Other->size() != 1 || B.Other->front()->K != StmtKind::Assign ||
             B.Other->front()->V != V || !B.Other->front()->LaneIdx.empty()) {
    return false;
  }
  if (isBorder(B, Before, std::nullopt))
    return true;
  const std::optional<bool> Opaque = Launch.borderIsOpaque(*B.Read->Image);
  if (!Opaque || !isBorder(B, Before, *Opaque ? 1.0 : 0.0))
    return false;
  Contract.oblige(
      {"the border colour of " + B.Read->Image->Name + " has alpha " +
       (*Opaque ? "1: its channel order has no alpha" : "0: its channel order has alpha")});
  return true;
}

void AddressModes::guards(StmtList &List) {
  for (size_t I = 0; I < List.size(); ++I) {
    Stmt *S = List[I];
    forEachStmtList(*S, [&](StmtList &Nested) { guards(Nested); });
    if (S->K != StmtKind::If)
      continue;
    for (const bool Then : {true, false}) {
      std::optional<Branch> B = branchOf(*S, Then);
      if (!B || !becomesBorder(*B, List, I))
        continue;
      const Expr *New = readBy(B->Read, SamplerBits::Clamp);
      std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) {
        return E == B->Read ? New : mapOperands(M, E, Replace);
      };
      for (Stmt *Arm : *B->Reads)
        mapExprs(M, *Arm, Replace);
      ++Changes;
      assume(B->Assumed);
      if (B->Kept.empty()) {
        const StmtList Arm = *B->Reads;
        Arm.front()->Comments.insert(Arm.front()->Comments.begin(), S->Comments.begin(),
                                     S->Comments.end());
        List.erase(List.begin() + long(I));
        List.insert(List.begin() + long(I), Arm.begin(), Arm.end());
        break;
      }
      if (!Then)
        std::swap(S->Body, S->Else);
      S->EarlyReturn = false;
      S->E = B->Kept.front();
      for (const Expr *E : llvm::drop_begin(B->Kept))
        S->E = M.binary(Op::LogicalAnd, S->E, E);
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Coordinates that are kept inside
//===----------------------------------------------------------------------===//

const Expr *AddressModes::plainCoordinates(const Expr *Read, const Stmt *At) {
  std::optional<TexelCoordinates> Texel = TexelCoordinates::of(M, A, Read, At, Launch);
  if (!Texel)
    return Read;
  const std::optional<SamplerBits::Address> Mode = modeOf(Read);
  ImageSides Kept, Closed = Texel->inside();
  llvm::SmallVector<const Expr *, 3> Parts;
  for (unsigned D = 0; D < Texel->size(); ++D)
    Parts.push_back(Texel->unlimited(D, Kept));
  Closed |= Kept;
  const ImageSides All = Texel->allSides();
  const bool Complete = Closed.Low == All.Low && Closed.High == All.High;
  const bool ToEdge =
      Kept.any() && (Complete || Mode == SamplerBits::None || Mode == SamplerBits::ClampToEdge);
  if (!ToEdge && Mode == SamplerBits::Clamp) {
    Parts.clear();
    for (unsigned D = 0; D < Texel->size(); ++D) {
      const Expr *Inside = Texel->chosenInside(D);
      if (Inside)
        Texel = Texel->with(D, Inside);
      Parts.push_back(Inside ? Inside : (*Texel)[D]);
      Changes += Inside != nullptr;
    }
  } else if (ToEdge) {
    ++Changes;
  } else {
    return Read;
  }
  const Expr *Old = Read->Ops[0];
  llvm::SmallVector<const Expr *, 4> Ops(Parts.begin(), Parts.end());
  if (Old->Ty->isVector())
    Ops.append(Old->Ops.begin() + Parts.size(), Old->Ops.end());
  if (llvm::equal(Ops, Old->Ty->isVector() ? llvm::ArrayRef(Old->Ops) : llvm::ArrayRef(Old)))
    return Read;
  assume(Texel->assumed());
  const Expr *New = M.imageRead(Read, {Old->Ty->isVector() ? M.vectorCtor(Old->Ty, Ops) : Ops[0]});
  return ToEdge ? readBy(New, SamplerBits::ClampToEdge) : New;
}

} // namespace

unsigned useAddressModes(const EditedKernel &E, const LaunchFacts &Launch,
                         LaunchContract &Contract) {
  return AddressModes(E, Launch, Contract).run();
}

static unsigned edit(PassState &S) {
  return useAddressModes(S.editedKernel(), S.launch(), S.Contract);
}

CLMALI_PASS(.Id = "use-address-mode", .ShownAs = "use-address-mode",
            .Does = "Borders of images that are made by hand become the sampler's address mode.",
            .Edit = edit, .Requires = NormalForm);

} // namespace clmali::rewrite
