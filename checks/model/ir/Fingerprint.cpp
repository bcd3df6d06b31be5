//===-- checks/model/ir/Fingerprint.cpp - All that a kernel consists of --------===//

#include "checks/model/ir/Fingerprint.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/xxhash.h"
#include <type_traits>

using llvm::StringRef;

namespace clmali::model {

/// The anchor that R lies in; the number of anchors: none.
static size_t anchorOf(llvm::ArrayRef<SourceRange> Anchors, SourceRange R) {
  size_t I = 0;
  while (I < Anchors.size() &&
         (Anchors[I].File != R.File || R.Begin < Anchors[I].Begin || R.End > Anchors[I].End))
    ++I;
  return I;
}

namespace {

/// Writes a kernel as bytes. Shared nodes are written once and then named by their number.
class Writer {
public:
  Writer(const Module &M, std::vector<SourceRange> &Anchors) : M(M), Anchors(Anchors) {}

  void write(const Kernel &K) {
    write(K.Name);
    // The anchors come first: all other ranges may lie in them.
    writeAnchor(K.Range);
    writeAll(K.HelperRanges, [&](SourceRange R) { writeAnchor(R); });
    write(K.NameRange);
    write(K.BodyRange);
    writeAll(K.Helpers, [&](const std::string &Name) { write(Name); });
    for (const auto &Size : {K.ReqdWorkGroupSize, K.WorkGroupSizeHint}) {
      write(Size.has_value());
      for (uint32_t N : Size.value_or(std::array<uint32_t, 3>{}))
        write(N);
    }
    write(K.VecTypeHint);
    writeAll(K.Params, [&](const Var *V) { write(V); });
    writeAll(K.Vars, [&](const Var *V) { write(V); });
    write(K.Body);
    writeAll(K.Opaques, [&](const OpaqueNote &N) {
      write(N.What);
      write(N.Range);
    });
    write(K.UsesFp64);
    write(K.UsesFp16);
    for (const RefusedCode &R : M.Refused)
      if (anchorOf(Anchors, R.Range) < Anchors.size()) {
        write(R.K);
        write(R.Range);
        write(R.Name);
      }
  }

  void write(StringRef Text) {
    write(Text.size());
    Bytes.append(Text.begin(), Text.end());
  }

  std::string Bytes;

private:
  const Module &M;
  std::vector<SourceRange> &Anchors;
  llvm::DenseMap<const void *, unsigned> Numbers; ///< of the nodes that were written

  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void write(T Value) {
    Bytes.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  }

  template <typename List, typename Function> void writeAll(const List &L, Function Write) {
    write(L.size());
    for (const auto &X : L)
      Write(X);
  }

  /// Writes the number of a node that was written before, or is null. False: it is new.
  bool isKnown(const void *Node) {
    unsigned New = Numbers.size() + 1;
    auto [At, IsNew] = Numbers.try_emplace(Node, Node ? New : 0);
    write(At->second);
    return !Node || !IsNew;
  }

  void writeAnchor(SourceRange R) {
    Anchors.push_back(R);
    write(R.File);
    write(R.isValid() && R.File < M.Files.size()
              ? StringRef(M.Files[R.File].Text).slice(R.Begin, R.End)
              : StringRef());
  }

  void write(SourceRange R) {
    write(R.isValid());
    if (!R.isValid())
      return;
    size_t At = anchorOf(Anchors, R);
    write(At);
    if (At == Anchors.size())
      writeAnchor(R);
    write(R.Begin - Anchors[At].Begin);
    write(R.End - R.Begin);
  }

  void write(const Type *T) {
    if (isKnown(T))
      return;
    write(T->K);
    write(T->Scalar);
    write(T->Lanes);
    write(T->AS);
    write(T->Const);
    write(T->Volatile);
    write(T->Restrict);
    write(T->Elem);
    write(T->Count);
    write(T->Qualifier);
    write(T->Dims);
    write(T->OfBuffer);
    write(T->Name);
    writeAll(T->Fields, [&](const Field &F) {
      write(F.Name);
      write(F.Ty);
      write(F.Offset);
    });
    write(T->Size);
  }

  void write(const Var *V) {
    if (isKnown(V))
      return;
    write(V->K);
    write(V->Name);
    write(V->Ty);
    write(V->AS);
    write(V->Spelling);
    write(V->Range);
    write(V->IsPointerOffset);
    write(V->FromHelper);
    write(V->ProgramScope);
    write(V->Index);
    writeAll(V->Ints, [&](int64_t N) { write(N); });
    writeAll(V->Floats, [&](double N) { write(N); });
  }

  void write(const Access &A) {
    write(A.Base);
    writeAll(A.Index, [&](const Expr *E) { write(E); });
    writeAll(A.Stride, [&](uint32_t N) { write(N); });
    write(A.Disp);
    write(A.Path);
    write(A.Elem);
    write(A.Lanes);
    write(A.F);
    write(A.Volatile);
    write(A.OverRows);
    write(A.Range);
  }

  void write(const Expr *E) {
    if (isKnown(E))
      return;
    write(E->K);
    write(E->Ty);
    write(E->O);
    write(E->C);
    write(E->Implicit);
    write(E->Parens);
    write(E->Query);
    write(E->Dim);
    write(E->Int);
    write(E->Float);
    for (const Var *V : {E->V, E->Image, E->Sampler})
      write(V);
    write(E->Acc);
    writeAll(E->Ops, [&](const Expr *Operand) { write(Operand); });
    writeAll(E->LaneIdx, [&](uint8_t Lane) { write(Lane); });
    write(E->Name);
    write(E->Text);
    write(E->Range);
  }

  void write(const StmtList &B) {
    writeAll(B, [&](const Stmt *S) { write(*S); });
  }

  void write(const Stmt &S) {
    write(S.K);
    write(static_cast<const Var *>(S.V));
    write(S.E);
    writeAll(S.LaneIdx, [&](uint8_t Lane) { write(Lane); });
    write(S.Acc);
    write(S.Source);
    write(static_cast<const Var *>(S.Image));
    writeAll(S.Args, [&](const Expr *E) { write(E); });
    for (const StmtList *B : {&S.Body, &S.Else, &S.Init, &S.Step})
      write(*B);
    write(S.Form);
    write(S.EarlyReturn);
    write(S.LocalFence);
    write(S.GlobalFence);
    write(S.Rare);
    write(S.UnrollHint);
    write(S.Name);
    write(S.Text);
    write(S.Range);
    writeAll(S.Comments, [&](const std::string &Line) { write(Line); });
  }
};

} // namespace

static void hash(StringRef Bytes, Fingerprint &Into) {
  llvm::XXH128_hash_t Hash = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(Bytes.data()), Bytes.size()));
  Into.Hash = {Hash.low64, Hash.high64};
}

Fingerprint fingerprint(const Module &M, const Kernel &K) {
  Fingerprint Result;
  Writer W(M, Result.Anchors);
  W.write(K);
  hash(W.Bytes, Result);
  return Result;
}

void addTo(Fingerprint &F, StringRef Text) {
  std::string Bytes(reinterpret_cast<const char *>(F.Hash.data()), sizeof F.Hash);
  hash(Bytes + Text.str(), F);
}

std::optional<SourceRange> Fingerprint::carried(SourceRange R, const Fingerprint &To) const {
  if (!R.isValid())
    return R;
  size_t At = anchorOf(Anchors, R);
  if (At == Anchors.size())
    return std::nullopt;
  uint32_t Begin = To.Anchors[At].Begin + (R.Begin - Anchors[At].Begin);
  return SourceRange{To.Anchors[At].File, Begin, Begin + (R.End - R.Begin)};
}

} // namespace clmali::model
