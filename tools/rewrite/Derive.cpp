//===- Derive.cpp - derives a launch file from the kernel alone -------------------------------===//
//
// Before: if (i < n) y[i] = a * x[i];        and no launch file
// After:  global: [ "n" ], y and x of n elements, a = 1.5, three sizes
//
// How: guards and row pitches give the number of work-items along each dimension. Addresses, at the
// largest ids and loop variables, give the number of elements of each buffer; a clamped coordinate
// reaches as far as its clamp. If the kernel uses work-groups, get_group_id(0) * 16 +
// get_local_id(0) gives a local size of 16; otherwise a usual size is chosen for which every local
// array is large enough. Integers in memory that are used as indices are kept within the indexed
// arrays. What the kernel implies of its arguments is kept: a pitch is at least the length of a
// row, and work-items that share an element of local memory are not in one group. Components of
// vector arguments have names of their own: size_x, size_y.
//
// Images have as many texels as there are work-items, or as the coordinates of writes need; formats
// and samplers: derive/Images.h.
//
// Limits: the error says what could not be derived.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/launch/Expression.h"
#include "tools/rewrite/Inputs.h"
#include "tools/rewrite/derive/Deriver.h"
#include "tools/rewrite/derive/Images.h"
#include "tools/rewrite/derive/NamePoly.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;
using namespace clmali::model;

/// Some elements for each work-item, and for small launches; at least AtLeast, unless empty.
std::string Deriver::guessedCount(const Var &Buffer, StringRef AtLeast) const {
  // A group's local memory holds 32 KiB on every GPU; its launch has a few arrays.
  constexpr unsigned PerItem = 4, Least = 4096, LocalBytes = 4096;
  if (Buffer.Ty->AS == AddressSpace::Local)
    return std::to_string(LocalBytes / std::max<uint64_t>(Buffer.Ty->Elem->Size, 1));
  std::string Items;
  for (unsigned D = 0; D < Dims; ++D)
    Items += " * " + items(D);
  const std::string Count = std::to_string(PerItem) + Items + " + " + std::to_string(Least);
  return AtLeast.empty() ? Count : ("max(" + AtLeast + ", " + Count + ")").str();
}

/// The number of elements of Buffer that the kernel accesses, for the largest ids and loop
/// variables. Guess: why it is a guess; empty: it is none.
std::string Deriver::countOf(const Var *Buffer, bool &Read, bool &Written, std::string &Guess) {
  uint64_t Size = std::max<uint64_t>(Buffer->Ty->Elem->Size, 1);
  std::vector<NamePoly> Ends; ///< bytes
  for (const AccessSite &S : A.accesses()) {
    if (S.A->Base != Buffer)
      continue;
    Read |= S.IsRead || S.IsAtomic;
    Written |= S.IsWrite;
    Here.clear();
    std::vector<Poly> AtLeastZero;
    for (const Guard &G : S.Guards) {
      bounds(G, Here);
      distances(G, AtLeastZero);
    }
    std::optional<NamePoly> Last = largestUnder(S.Bytes, AtLeastZero);
    if (!Last) {
      Guess = "where it is accessed depends on more than ids, loops and arguments";
      continue;
    }
    uint64_t Width = uint64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes;
    Ends.push_back(add(*Last, constant(Width)));
  }
  // Drop ends that another end always covers.
  auto Covers = [](const NamePoly &X, const NamePoly &Y) {
    return all_of(add(X, Y, -1), [](const auto &T) { return T.second >= 0; });
  };
  std::string Count;
  bool Positive = true;
  for (size_t I = 0; I < Ends.size(); ++I) {
    bool Covered = false;
    for (size_t J = 0; J < Ends.size() && !Covered; ++J)
      Covered = J != I && Covers(Ends[J], Ends[I]) && (J < I || Ends[J] != Ends[I]);
    if (Covered)
      continue;
    NamePoly End = Ends[I];
    Positive &= all_of(End, [](const auto &T) { return T.second > 0; });
    bool Divides = all_of(End, [&](const auto &T) { return T.second % int64_t(Size) == 0; });
    if (Divides)
      for (auto &[N, C] : End)
        C /= int64_t(Size);
    std::string C = Divides
                        ? text(End)
                        : "(" + text(add(End, constant(Size - 1))) + ") / " + std::to_string(Size);
    Count = Count.empty() ? C : "max(" + Count + ", " + C + ")";
  }
  if (!Guess.empty())
    return guessedCount(*Buffer, Count);
  if (Count.empty())
    return "1";
  return Positive ? Count : "max(" + Count + ", 1)";
}

/// Sets Dims, InGroups and the dimensions along which ids are used.
void Deriver::findIds() {
  NDRangeUse Use = NDRangeUse::of(K);
  InGroups = A.hasBarrier() || Use.uses(WorkItemQuery::LocalId) ||
             Use.uses(WorkItemQuery::GroupId) || Use.uses(WorkItemQuery::LocalSize) ||
             Use.uses(WorkItemQuery::NumGroups);
  uint8_t Groups = 0;
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::WorkItem) {
      Dims = std::max(Dims, std::min(X->Dim + 1u, 3u));
      uint8_t &Of = X->Query == WorkItemQuery::LocalId ? OneGroup : Groups;
      if (X->Query != WorkItemQuery::LocalSize && X->Dim < 3)
        Of |= 1u << X->Dim;
    }
  OneGroup &= ~Groups;
  IdDims = Use.ids() & 7;
}

/// Width, height, depth and layers of an image, as far as it has them.
std::vector<std::string> Deriver::extentsOf(const Var &Image) {
  // Layers and slices beyond the dimensions of the launch: some.
  constexpr const char *Some = "4";
  std::vector<std::string> All;
  // The guards tell the image from the padding of the last group.
  auto guarded = [&](unsigned D) { return D < Dims && !Whole.count(Global[D]); };
  for (unsigned D = 0; D < Image.Ty->Dims; ++D)
    All.push_back(D >= Dims || Global[D] == "1" ? Some : guarded(D) ? Global[D] : items(D));
  Here = OfImages;
  for (const Expr *At : writtenAt(K, Image)) {
    // The components of (int2)(x, y); an expression of vectors says nothing.
    if (Image.Ty->Dims > 1 && (At->K != ExprKind::VectorCtor || At->Ops.size() < Image.Ty->Dims))
      continue;
    for (unsigned D = 0; D < Image.Ty->Dims; ++D) {
      const Expr *X = Image.Ty->Dims > 1 ? At->Ops[D] : At;
      std::optional<NamePoly> Last =
          X->Ty->isScalar() ? extreme(X, /*Largest=*/true, 0) : std::nullopt;
      if (Last)
        All[D] = text(add(*Last, constant(1)));
    }
  }
  return All;
}

/// One entry of `args:`.
Expected<std::string> Deriver::argument(const Var &P) {
  std::string Text = "  - { name: " + P.Name;
  if (P.isImage())
    return Text + imageText(K, P, extentsOf(P)) + " }\n";
  if (P.Ty->K == Type::Sampler)
    return Text + samplerText() + " }\n";
  if (P.Ty->K == Type::Struct)
    return structText(P);
  if (!P.isPointerParam()) {
    if (!P.Ty->isValue())
      return no("argument '" + P.Name + "' is no number");
    auto ValueOf = [&](const std::string &Name) {
      return "\"" + (P.Ty->isFloat() ? "1.5" : Sizes.count(Name) ? Name : "3") + "\"";
    };
    if (P.Ty->isScalar())
      return Text + ", value: " + ValueOf(P.Name) + " }\n";
    for (unsigned Lane = 0; Lane < P.Ty->Lanes; ++Lane)
      Text += (Lane ? ", " : ", value: [ ") + ValueOf(componentName(P, Lane));
    return Text + " ] }\n";
  }
  bool Read = false, Written = false;
  std::string Guess, Count = countOf(&P, Read, Written, Guess);
  if (!Guess.empty())
    Guess = " # the size is a guess: " + Guess;
  if (P.Ty->AS == AddressSpace::Local)
    return Text + ", local: \"(" + Count + ") * " + std::to_string(P.Ty->Elem->Size) + "\" }" +
           Guess + "\n";
  Text += std::string(", buffer: ") + (Written ? "inout" : "in") + ", count: \"" + Count + "\"";
  if (P.Ty->Elem->isFloat())
    Text += ", data: { uniform: [-1, 1] }";
  else if (auto It = Indices.find(&P); It != Indices.end())
    Text += ", data: { range: [0, " + std::to_string(It->second) + "] }";
  return Text + " }" + Guess + "\n";
}

/// The bytes of a value of type T at Bytes: integers are 3, floats 1.5. False: it holds pointers.
static bool fill(const Type &T, uint8_t *Bytes) {
  if (T.K == Type::Struct)
    return all_of(T.Fields, [&](const Field &F) { return fill(*F.Ty, Bytes + F.Offset); });
  if (T.K == Type::Array) {
    for (uint64_t I = 0; I < T.Count; ++I)
      if (!fill(*T.Elem, Bytes + I * T.Elem->Size))
        return false;
    return true;
  }
  if (!T.isValue())
    return false;
  const unsigned Size = sizeInBytes(T.Scalar);
  APInt Bits(8 * Size, 3);
  if (T.isFloat())
    Bits = (Size == sizeof(double)  ? APFloat(1.5)
            : Size == sizeof(float) ? APFloat(1.5f)
                                    : APFloat(APFloat::IEEEhalf(), "1.5"))
               .bitcastToAPInt();
  for (unsigned Lane = 0; Lane < T.Lanes; ++Lane)
    for (unsigned B = 0; B < Size; ++B)
      Bytes[Lane * Size + B] = uint8_t(Bits.extractBitsAsZExtValue(8, 8 * B));
  return true;
}

/// One entry of `args:` of a struct that is passed by value.
Expected<std::string> Deriver::structText(const Var &P) {
  std::vector<uint8_t> Bytes(P.Ty->Size);
  if (Bytes.empty() || !fill(*P.Ty, Bytes.data()))
    return no("argument '" + P.Name + "' is a struct with pointers");
  std::vector<std::string> Texts;
  for (uint8_t B : Bytes)
    Texts.push_back("\"" + std::to_string(B) + "\"");
  return "  - { name: " + P.Name + ", value: [ " + join(Texts, ", ") + " ] }\n";
}

/// Three sizes: distinct numbers, so that swapped sizes are found; small if loops multiply the
/// work.
std::string Deriver::sizes() const {
  bool Loops = any_of(A.accesses(), [](const AccessSite &S) { return !S.Loops.empty(); });
  unsigned Count = Sizes.size() + Loops;
  const std::array<unsigned, 3> Base = Count <= 1   ? std::array<unsigned, 3>{4096, 1001, 5}
                                       : Count == 2 ? std::array<unsigned, 3>{96, 37, 5}
                                                    : std::array<unsigned, 3>{32, 19, 4};
  std::string Text;
  for (unsigned R = 0; R < 3; ++R) {
    Text += R ? ", { " : "{ ";
    std::map<std::string, uint64_t> Values;
    for (const std::string &Name : Sizes) {
      uint64_t Value = Base[R] + (R == 0 ? 16 : R == 1 ? 6 : 1) * Values.size();
      if (unsigned Group = groupOf(Name))
        Value = alignTo(Value, Group);
      Values[Name] = Value;
    }
    for (const RowPitch &P : Pitches) {
      uint64_t &Pitch = Values[P.Pitch];
      Pitch = std::max(Pitch, P.least(Values) + R);
      if (unsigned Group = groupOf(P.Pitch))
        Pitch = alignTo(Pitch, Group);
    }
    unsigned N = 0;
    for (const auto &[Name, Value] : Values)
      Text += (N++ ? ", " : "") + Name + ": " + std::to_string(Value);
    Text += " }";
  }
  return Text;
}

/// `global:`, and `local:` and `require:` if needed.
std::string Deriver::geometry() const {
  std::string Shape, Groups;
  std::vector<std::string> Require;
  for (unsigned D = 0; D < Dims; ++D) {
    Shape += (D ? ", \"" : "\"") + items(D) + "\"";
    if (Local[D])
      Groups += (D ? ", \"" : "\"") + std::to_string(Local[D]) + "\"";
  }
  for (const std::string &Name : Sizes)
    if (unsigned Group = groupOf(Name))
      Require.push_back(Name + " % " + std::to_string(Group) + " == 0");
  for (const RowPitch &P : Pitches)
    Require.push_back(P.text());
  return "global: [ " + Shape + " ]\n" + (Groups.empty() ? "" : "local: [ " + Groups + " ]\n") +
         (Require.empty() ? "" : "require: [ \"" + join(Require, "\", \"") + "\" ]\n");
}

Expected<std::string> Deriver::run() {
  if (!K.Opaques.empty())
    return no("the model cannot represent " + K.Opaques.front().What);
  findIds();
  for (const Var *P : K.Params)
    if (launch::isReservedName(P->Name) && P->Ty->isScalar() && P->Ty->isInteger())
      return no("its argument '" + P->Name + "' has a name that launch files reserve");
  for (const Var *P : K.Params)
    for (unsigned Lane = 0; P->Ty->isVector() && P->Ty->isInteger() && Lane < P->Ty->Lanes; ++Lane)
      if (any_of(K.Params,
                 [&](const Var *Other) { return Other->Name == componentName(*P, Lane); }))
        return no("its argument '" + P->Name + "' has components named as another argument");
  findGeometry();
  findIndices();
  findLocal();
  for (unsigned D = 0; D < 3; ++D)
    if (Global[D] == OneGroupText)
      Global[D] = std::to_string(std::max(1u, Local[D]));
  findPitches();
  // Counts first: they may add names to Sizes.
  for (const Var *P : K.Params) {
    if (!P->isPointerParam())
      continue;
    if (!P->Ty->Elem->isValue() && (P->Ty->Elem->K != Type::Struct || !P->Ty->Elem->Size))
      return no("argument '" + P->Name + "' is no buffer of numbers or structs");
    bool Read = false, Written = false;
    std::string Guess;
    countOf(P, Read, Written, Guess);
  }
  std::string Args;
  for (const Var *P : K.Params) {
    Expected<std::string> One = argument(*P);
    if (!One)
      return One.takeError();
    Args += *One;
  }
  return "kernel: " + K.Name + "\nargs:\n" + Args + geometry() + "sizes: [ " + sizes() + " ]\n";
}

Expected<std::string> tool::deriveLaunch(Module &M, const Kernel &K,
                                         std::optional<std::array<uint64_t, 3>> HostLocal) {
  return Deriver(M, K, HostLocal).run();
}
