//===-- rewriters/exchange-images.cpp - Images that are only written ----------===//
//
// What it does: the kernel takes a buffer in place of a two-dimensional image that it only writes:
// the texels as they are stored, in rows without gaps. The host, or
// clmali-inject, has to pass that buffer ("arguments" of the manifest).
//
//   before                                   after
//   write_only image2d_t dst                 __global uchar4 *dst
//   write_imagef(dst, (int2)(x, y), v);      dst[y * get_image_width(src) + x] =
//                                                convert_uchar4_sat_rte(v * 255.0f);
//
// Legal if: each write is inside the image, by its guards: a write outside is dropped by many
// devices, and would hit another texel of a buffer. All launches give the image one format, whose
// channels are stored in the order of the components. Another argument has its extents in every
// launch, which becomes a condition; the kernel asks the image for nothing else.
//
// Pays if: a write to an image takes more accesses of the load/store unit than one to a buffer
// (Bifrost, Valhall), and nothing else makes the kernel faster (plan/Search.cpp).
//
// Limits: images that are read stay: their texels may differ by a rounding from a read's.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/ImageBorder.h"
#include "rewriters/lanes/Exact.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace clmali::rewrite {

using namespace model;
using namespace model::pattern;

namespace {

class ImageExchange : KernelEditor {
public:
  ImageExchange(const EditedKernel &E, const LaunchFacts &Launch, LaunchContract &Contract)
      : KernelEditor(E), Launch(Launch), Contract(Contract) {}

  unsigned run() {
    unsigned Changes = 0;
    for (Var *&Param : K.Params)
      if (prepare(*Param)) {
        Param = exchange(*Param);
        ++Changes;
      }
    return Changes;
  }

private:
  const LaunchFacts &Launch;
  LaunchContract &Contract;

  // Of the image in question.
  const StoredTexel *Stored = nullptr;
  std::vector<Stmt *> Writes;
  std::array<const Expr *, 2> Extents = {nullptr, nullptr};
  std::set<std::string> Conditions;
  bool CutsIds = false; ///< ids must fit an int

  bool prepare(const Var &Image);
  bool collect(const Var &Image);
  bool isId(const Expr *E, const Stmt &At) const;
  bool isInside(const Stmt &Write);
  const Expr *extentElsewhere(const Var &Image, unsigned D);
  const Expr *stored(const Expr *Value) const;
  Var *exchange(const Var &Image);
};

} // namespace

/// Finds the writes. False if they are none, or if something else is done with the image.
bool ImageExchange::collect(const Var &Image) {
  Writes.clear();
  for (Stmt *W : stmts(K.Body)) {
    if (W->K == StmtKind::ImageWrite && W->Image == &Image)
      Writes.push_back(W);
    for (ExprAt X : exprs(*W)) {
      const bool IsExtent = X->K == ExprKind::ImageQuery &&
                            (X->Name == "get_image_width" || X->Name == "get_image_height");
      if (X->Image == &Image && !IsExtent)
        return false;
    }
  }
  return !Writes.empty();
}

/// True for the id of a work-item, which is not negative if it fits its 32 bits.
bool ImageExchange::isId(const Expr *E, const Stmt &At) const {
  const Poly P = A.poly(E, &At);
  return P.Terms.size() == 1 && P.Terms.begin()->second == 1 &&
         P.Terms.begin()->first.size() == 1 &&
         A.symbol(P.Terms.begin()->first.front()).K == SymbolInfo::WorkItem;
}

/// True if the guards of Write keep it inside. The image's extents are those of other arguments
/// under conditions that are collected.
bool ImageExchange::isInside(const Stmt &Write) {
  std::optional<TexelCoordinates> Texel =
      TexelCoordinates::of(M, A, Write.Image, Write.Args[0], &Write, Launch);
  if (!Texel)
    return false;
  ImageSides Closed = Texel->inside();
  for (unsigned D = 0; D < Texel->size(); ++D)
    if (isId((*Texel)[D], Write)) {
      Closed.Low |= uint8_t(1u << D);
      CutsIds = true;
    }
  for (const Guard &G : A.siteOf(&Write).Guards)
    for (const Conjunct &C : conjunctsOf(G.Cond, G.Holds))
      Closed |= Texel->testedBy(C, G.At);
  Conditions.insert(Texel->assumed().begin(), Texel->assumed().end());
  const ImageSides All = Texel->allSides();
  return Closed.Low == All.Low && Closed.High == All.High;
}

/// What every launch gives as extent D of Image and is no part of an image that is written.
const Expr *ImageExchange::extentElsewhere(const Var &Image, unsigned D) {
  for (const SameExtent &Same : Launch.SameExtents)
    for (Var *P : K.Params) {
      if (Same.Image != Image.Name || Same.Dim != D || Same.Other != P->Name)
        continue;
      const bool IsInt = P->Ty->isScalar() && P->Ty->Scalar == ScalarKind::Int;
      if (Same.OfImage ? !P->isImage() || isWritable(*P) : !IsInt || !A.defs(P).empty())
        continue;
      Conditions.insert(Same.Condition);
      return Same.OfImage ? extentOf(M, P, D) : M.ref(P);
    }
  return nullptr;
}

bool ImageExchange::prepare(const Var &Image) {
  auto Format = Launch.StoredTexels.find(Image.Name);
  if (!Image.isImage() || Image.Ty->Qualifier != AccessQualifier::WriteOnly ||
      Image.Ty->Dims != 2 || llvm::StringRef(Image.Ty->Name).contains("array") ||
      Format == Launch.StoredTexels.end() || !collect(Image))
    return false;
  Stored = &Format->second;
  Conditions.clear();
  CutsIds = false;
  for (unsigned D = 0; D < Extents.size(); ++D)
    if (!(Extents[D] = extentElsewhere(Image, D)))
      return false;
  return llvm::all_of(Writes, [&](const Stmt *W) {
    return W->Args[0]->K == ExprKind::VectorCtor && W->Args[0]->Ops.size() == 2 &&
           W->E->Ty == M.value(Stored->component(), 4) && isInside(*W);
  });
}

/// A value of four components as it is stored.
const Expr *ImageExchange::stored(const Expr *Value) const {
  const uint8_t First[] = {0, 1};
  if (Stored->Channels < 4)
    Value = M.swizzle(Value, llvm::ArrayRef(First, Stored->Channels));
  const Type *To = M.value(Stored->Channel, Stored->Channels);
  if (Value->Ty == To)
    return Value;
  if (Stored->Normalized)
    Value = M.binary(
        Op::Mul, Value,
        M.cast(M.floatConst(double(Stored->largest()), M.value(ScalarKind::Float)), Value->Ty));
  Expr *X = M.newExpr(ExprKind::Cast, To);
  X->C = CastOp::Builtin;
  X->Text = Stored->Normalized ? "_sat_rte" : "_sat";
  X->Ops = {Value};
  return X;
}

/// The buffer that the kernel takes in place of Image.
Var *ImageExchange::exchange(const Var &Image) {
  const Type *Texel = M.value(Stored->Channel, Stored->Channels);
  Var *Buffer = M.newVar(Var::Param, Image.Name, M.pointer(Texel, AddressSpace::Global));
  Buffer->Index = Image.Index;
  for (Stmt *W : Writes) {
    const Expr *X = W->Args[0]->Ops[0], *Y = W->Args[0]->Ops[1];
    W->K = StmtKind::Store;
    W->Acc.Base = Buffer;
    W->Acc.Index = {M.binary(Op::Add, M.binary(Op::Mul, Y, Extents[0]), X)};
    W->Acc.Stride = {uint32_t(Texel->Size)};
    W->Acc.Elem = Texel->Scalar;
    W->Acc.Lanes = Texel->Lanes;
    W->Acc.Range = W->Range;
    W->E = stored(W->E);
    W->Args.clear();
    W->Image = nullptr;
    W->Name.clear();
  }
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) {
    if (E->K == ExprKind::ImageQuery && E->Image == &Image)
      return Extents[E->Name == "get_image_height"];
    return mapOperands(M, E, Replace);
  };
  walk(K.Body, [&](Stmt *W) {
    mapExprs(M, *W, Replace);
    return true;
  });
  for (const std::string &C : Conditions)
    if (!llvm::is_contained(Contract.When, C))
      Contract.When.push_back(C);
  if (CutsIds)
    lowerTo(Contract.IdsBelow, IdsThatFitInt);
  Contract.AsBuffers.push_back(Stored->Name);
  Contract.oblige({"the host passes, in place of the image " + Stored->Name +
                   ", a buffer of its texels in rows without gaps"});
  return Buffer;
}

unsigned exchangeImages(const EditedKernel &E, const LaunchFacts &Launch,
                        LaunchContract &Contract) {
  return ImageExchange(E, Launch, Contract).run();
}

/// An image write takes more accesses than a store.
static bool suits(const PassState &S) { return S.device().ImageAccesses > 1; }

static unsigned edit(PassState &S) {
  return exchangeImages(S.editedKernel(), S.launch(), S.Contract);
}

CLMALI_PASS(.Id = "exchange-images", .ShownAs = "exchange-images",
            .Does = "A buffer takes the place of an image that is only written.", .Suits = suits,
            .Edit = edit, .Requires = NormalForm);

} // namespace clmali::rewrite
