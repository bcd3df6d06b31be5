#include "checks/model/pattern/ImageBorder.h"
#include "checks/model/pattern/MinMax.h"

namespace clmali::model::pattern {

using llvm::StringRef;

/// True for a value that is 0 or 1.
static bool isTruth(const Expr *E) {
  return E->Ty->isScalar() &&
         ((E->K == ExprKind::Binary &&
           (isComparison(E->O) || E->O == Op::LogicalAnd || E->O == Op::LogicalOr)) ||
          (E->K == ExprKind::Unary && E->O == Op::LogicalNot) ||
          (E->K == ExprKind::Binary && (E->O == Op::And || E->O == Op::Or) && isTruth(E->Ops[0]) &&
           isTruth(E->Ops[1])));
}

static void addConjuncts(const Expr *E, bool Holds, llvm::SmallVectorImpl<Conjunct> &Into) {
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot && E->Ty->isScalar())
    return addConjuncts(E->Ops[0], !Holds, Into);
  const bool Joins = isTruth(E) && (Holds ? E->O == Op::LogicalAnd || E->O == Op::And
                                          : E->O == Op::LogicalOr || E->O == Op::Or);
  if (!Joins)
    return Into.push_back({E, Holds});
  for (const Expr *Side : E->Ops)
    addConjuncts(Side, Holds, Into);
}

llvm::SmallVector<Conjunct, 4> conjunctsOf(const Expr *E, bool Holds) {
  llvm::SmallVector<Conjunct, 4> All;
  addConjuncts(E, Holds, All);
  return All;
}

/// True for an integer of 32 bits.
static bool is32Bits(const Type *Ty) {
  return Ty->isScalar() && Ty->isInteger() && sizeInBits(Ty->Scalar) == 32;
}

static constexpr llvm::StringLiteral ExtentNames[] = {"get_image_width", "get_image_height",
                                                      "get_image_depth"};

const Expr *extentOf(Module &M, Var *Image, unsigned D) {
  Expr *E = M.newExpr(ExprKind::ImageQuery, M.value(ScalarKind::Int));
  E->Name = ExtentNames[D].str();
  E->Image = Image;
  return E;
}

std::optional<TexelCoordinates> TexelCoordinates::of(Module &M, const KernelAnalysis &A,
                                                     const Expr *Read, const Stmt *At,
                                                     const LaunchFacts &Launch) {
  return of(M, A, Read->Image, Read->Ops[0], At, Launch);
}

std::optional<TexelCoordinates> TexelCoordinates::of(Module &M, const KernelAnalysis &A, Var *Of,
                                                     const Expr *All, const Stmt *At,
                                                     const LaunchFacts &Launch) {
  const bool Several = All->K == ExprKind::VectorCtor && All->Ops.size() == All->Ty->Lanes;
  if (!All->Ty->isInteger() || (!Several && !All->Ty->isScalar()))
    return std::nullopt;
  TexelCoordinates T(A, At);
  const Type &Image = *Of->Ty;
  const unsigned Count = Image.Dims - StringRef(Image.Name).contains("_array");
  if (Count > std::size(ExtentNames) || Count > All->Ty->Lanes)
    return std::nullopt;
  for (unsigned D = 0; D < Count; ++D) {
    T.Parts.push_back(Several ? All->Ops[D] : All);
    if (!is32Bits(T.Parts[D]->Ty))
      return std::nullopt;
    T.Polys.push_back(A.poly(T.Parts[D], At));
    auto &Extents = T.Extents.emplace_back();
    Extents.push_back({A.poly(extentOf(M, Of, D), At), ""});
    for (const SameExtent &Same : Launch.SameExtents)
      for (Var *P : A.kernel().Params)
        if (Same.Image == Of->Name && Same.Dim == D && Same.Other == P->Name &&
            (Same.OfImage || (is32Bits(P->Ty) && isSigned(P->Ty->Scalar))))
          Extents.push_back(
              {A.poly(Same.OfImage ? extentOf(M, P, D) : M.ref(P), At), Same.Condition});
  }
  return T;
}

bool TexelCoordinates::isLast(unsigned D, const Poly &P) const {
  for (const Extent &E : Extents[D])
    if (P == E.P - Poly::constant(1)) {
      if (!E.Condition.empty())
        Assumed->insert(E.Condition);
      return true;
    }
  return false;
}

ImageSides TexelCoordinates::allSides() const {
  const uint8_t All = uint8_t((1u << size()) - 1);
  return {All, All};
}

ImageSides TexelCoordinates::inside() const {
  ImageSides S;
  for (unsigned D = 0; D < size(); ++D) {
    const Range R = A->range(Parts[D], At);
    S.Low |= uint8_t((R.Lo >= 0) << D);
    S.High |= uint8_t((R.Hi <= 0) << D); // no image has less than one texel
  }
  return S;
}

ImageSides TexelCoordinates::testedBy(const Conjunct &C, const Stmt *CondAt) const {
  ImageSides S;
  const Expr *E = C.E;
  if (E->K != ExprKind::Binary || !isComparison(E->O) || !is32Bits(E->Ops[0]->Ty) ||
      E->Ops[0]->Ty != E->Ops[1]->Ty)
    return S;
  Op O = C.Holds ? E->O : inverse(E->O);
  Poly Less = A->poly(E->Ops[0], CondAt), More = A->poly(E->Ops[1], CondAt);
  if (O == Op::GT || O == Op::GE) {
    std::swap(Less, More);
    O = O == Op::GT ? Op::LT : Op::LE;
  }
  if (O != Op::LT && O != Op::LE)
    return S;
  // Less <= More, from here on.
  if (O == Op::LT)
    More = More - Poly::constant(1);
  for (unsigned D = 0; D < size(); ++D) {
    if (!isSigned(E->Ops[0]->Ty->Scalar)) {
      // A coordinate below 0 is a large number. No sum on either side: it could wrap.
      if (Less == Polys[D] && isLast(D, More))
        S |= {uint8_t(1u << D), uint8_t(1u << D)};
      continue;
    }
    const Poly Slack = More - Less;
    if (Slack == Polys[D])
      S.Low |= uint8_t(1u << D);
    else if (isLast(D, Slack + Polys[D]))
      S.High |= uint8_t(1u << D);
  }
  return S;
}

TexelCoordinates::Definition TexelCoordinates::definitionOf(const Expr *E,
                                                            const Stmt *Where) const {
  const Expr *Bare = withoutExtensions(E);
  if (Bare->K != ExprKind::VarRef)
    return {E, Where};
  const Poly P = A->poly(Bare, Where);
  if (P.Terms.size() != 1 || P.Terms.begin()->second != 1 || P.Terms.begin()->first.size() != 1)
    return {E, Where};
  const unsigned Symbol = P.Terms.begin()->first.front();
  const SymbolInfo &Info = A->symbol(Symbol);
  if (Info.K != SymbolInfo::Atom || !Info.E)
    return {E, Where};
  const Stmt *Of = A->placeOf(Symbol);
  return {Info.E, Of ? Of : Where};
}

namespace {
/// A choice of Then where the scalar Cond holds, and of Else elsewhere.
struct ScalarChoice {
  const Expr *Cond, *Then, *Else;
};
} // namespace

static std::optional<ScalarChoice> asChoice(const Expr *E) {
  if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar())
    return ScalarChoice{E->Ops[0], E->Ops[1], E->Ops[2]};
  if (E->K == ExprKind::Call && E->Name == "select" && E->Ty->isScalar())
    return ScalarChoice{E->Ops[2], E->Ops[1], E->Ops[0]};
  return std::nullopt;
}

std::optional<TexelCoordinates::Limit> TexelCoordinates::limitOf(const Definition &X,
                                                                 unsigned D) const {
  const Expr *E = X.E;
  auto IsZero = [](const Expr *Y) { return integerConstant(Y) == 0; };
  auto IsLastTexel = [&](const Expr *Y) { return isLast(D, A->poly(Y, X.At)); };
  const uint8_t Bit = uint8_t(1u << D);
  if (!is32Bits(E->Ty) || !isSigned(E->Ty->Scalar))
    return std::nullopt;
  if (E->K == ExprKind::Call && E->Name == "clamp" && IsZero(E->Ops[1]) && IsLastTexel(E->Ops[2]))
    return Limit{E->Ops[0], {Bit, Bit}, std::nullopt};
  const bool IsMin = E->K == ExprKind::Call && E->Name == "min";
  if (IsMin || (E->K == ExprKind::Call && E->Name == "max"))
    for (unsigned Side : {0, 1})
      if (IsMin ? IsLastTexel(E->Ops[Side]) : IsZero(E->Ops[Side]))
        return Limit{E->Ops[!Side], {uint8_t(IsMin ? 0 : Bit), uint8_t(IsMin ? Bit : 0)}, {}};
  std::optional<ScalarChoice> C = asChoice(E);
  for (const bool Then : {true, false}) {
    if (!C)
      break;
    const Expr *Value = Then ? C->Then : C->Else, *Other = Then ? C->Else : C->Then;
    const llvm::SmallVector<Conjunct, 4> If = conjunctsOf(C->Cond, Then);
    const bool Low = IsZero(Other), High = !Low && IsLastTexel(Other);
    if (If.size() == 1 && (Low || High))
      return Limit{Value, {uint8_t(Low ? Bit : 0), uint8_t(High ? Bit : 0)}, If.front()};
  }
  return std::nullopt;
}

const Expr *TexelCoordinates::unlimited(unsigned D, ImageSides &Kept) const {
  ImageSides Found;
  llvm::SmallVector<std::pair<Limit, const Stmt *>, 4> Chosen; ///< and where the choice is made
  Definition X = definitionOf(Parts[D], At);
  while (std::optional<Limit> L = limitOf(X, D)) {
    Found |= L->Side;
    if (L->If)
      Chosen.push_back({*L, X.At});
    X = definitionOf(L->Value, X.At);
  }
  if (!Found.any() || X.E->Ty != Parts[D]->Ty || !(A->poly(X.E, At) == A->poly(X.E, X.At)))
    return Parts[D];
  const TexelCoordinates Plain = with(D, X.E);
  for (const auto &[L, Where] : Chosen) {
    const ImageSides Tested = Plain.testedBy(*L.If, Where);
    if (Tested.Low != L.Side.Low || Tested.High != L.Side.High)
      return Parts[D];
  }
  Kept |= Found;
  return X.E;
}

const Expr *TexelCoordinates::chosenInside(unsigned D) const {
  const Definition X = definitionOf(Parts[D], At);
  const std::optional<ScalarChoice> C = asChoice(X.E);
  if (!C)
    return nullptr;
  auto IsNegative = [&](const Expr *Y) { return A->range(Y, X.At).Hi < 0; };
  const bool IfHolds = IsNegative(C->Else);
  if (!IfHolds && !IsNegative(C->Then))
    return nullptr;
  const Expr *Value = IfHolds ? C->Then : C->Else;
  const TexelCoordinates Inside = with(D, Value);
  for (const Conjunct &Test : conjunctsOf(C->Cond, IfHolds))
    if (!Inside.testedBy(Test, X.At).any())
      return nullptr;
  if (Value->Ty != Parts[D]->Ty || !(A->poly(Value, At) == A->poly(Value, X.At)))
    return nullptr;
  return Value;
}

TexelCoordinates TexelCoordinates::with(unsigned D, const Expr *Part) const {
  TexelCoordinates T = *this;
  T.Parts[D] = Part;
  T.Polys[D] = A->poly(Part, At);
  return T;
}

} // namespace clmali::model::pattern
