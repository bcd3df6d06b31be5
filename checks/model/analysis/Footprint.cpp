//===-- checks/model/analysis/Footprint.cpp - What a tile touches ----------===//
//
// What it does: counts the distinct bytes of one object that a work-item, and
// a tile of neighbouring work-items, access. A 3x3 filter over floats:
//
//   one work-item  36 bytes in 9 loads
//   a tile of 4x1  72 bytes: each byte is used by 2 of them
//
// Accesses at constant distances form a cluster; a distance may also be whole rows, when the pitch
// is the stride of another dimension. Small loops of known length are unrolled.
//
// Limits: clusters of unrelated addresses are taken as disjoint. An access that is not affine, or
// moves by something else than a constant or a pitch, makes the result inexact (and is counted for
// each work-item alone).
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {
namespace {

/// Addresses of one access in unrolled loops.
constexpr size_t MaxAddresses = 256;

struct Piece {
  std::array<int64_t, 3> Rows{}; ///< of dimensions whose stride is a pitch
  int64_t Byte = 0;
  int64_t Width = 0;
};

struct Cluster {
  Poly Leader;
  std::array<Poly, 3> Stride;
  std::vector<Piece> Pieces;
};

/// D = Byte + sum of Rows[d] * Stride[d] over the strides that are no constants.
std::optional<Piece> place(Poly D, const std::array<Poly, 3> &Stride) {
  Piece P;
  for (unsigned Dim = 3; Dim-- > 0;) {
    if (Stride[Dim].isConstant())
      continue;
    // By the product with the most factors, which the pitches of smaller dimensions do not have.
    auto Longest = llvm::max_element(Stride[Dim].Terms, [](const auto &X, const auto &Y) {
      return X.first.size() < Y.first.size();
    });
    auto It = D.Terms.find(Longest->first);
    if (It == D.Terms.end())
      continue;
    if (It->second % Longest->second)
      return std::nullopt;
    P.Rows[Dim] = It->second / Longest->second;
    D = D - Stride[Dim] * P.Rows[Dim];
  }
  if (!D.isConstant())
    return std::nullopt;
  P.Byte = D.constantTerm();
  return P;
}

/// Distinct bytes of the cluster for a tile of items.
int64_t bytesOf(const Cluster &C, std::array<unsigned, 3> Tile) {
  std::map<std::array<int64_t, 3>, std::vector<std::pair<int64_t, int64_t>>> Rows;
  for (const Piece &P : C.Pieces)
    for (unsigned Z = 0; Z < Tile[2]; ++Z)
      for (unsigned Y = 0; Y < Tile[1]; ++Y)
        for (unsigned X = 0; X < Tile[0]; ++X) {
          std::array<int64_t, 3> Row = P.Rows, Item{X, Y, Z};
          int64_t Byte = P.Byte;
          for (unsigned D = 0; D < 3; ++D) {
            if (C.Stride[D].isConstant())
              Byte += C.Stride[D].constantTerm() * Item[D];
            else
              Row[D] += Item[D];
          }
          Rows[Row].push_back({Byte, Byte + P.Width});
        }
  int64_t Sum = 0;
  for (auto &[Row, Parts] : Rows) {
    llvm::sort(Parts);
    int64_t End = INT64_MIN;
    for (auto [Lo, Hi] : Parts) {
      Lo = std::max(Lo, End);
      if (Hi > Lo) {
        Sum += Hi - Lo;
        End = Hi;
      }
    }
  }
  return Sum;
}

} // namespace

Footprint KernelAnalysis::footprint(const Var *Base, bool Writes,
                                    std::array<unsigned, 3> Tile) const {
  Footprint F;
  for (unsigned D = 0; D < 3; ++D) {
    Tile[D] = std::max(1u, Tile[D]);
    F.Items *= Tile[D];
  }
  std::vector<Cluster> Clusters;
  for (const AccessSite &S : accesses()) {
    if (S.A->Base != Base || (Writes ? !S.IsWrite : !S.IsRead))
      continue;
    int64_t Width = int64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes;
    std::vector<Poly> Addresses{S.Bytes};
    for (const Stmt *L : S.Loops) {
      std::optional<CountedLoop> C = countedLoop(L);
      std::optional<int64_t> First = C ? constantValue(C->Lower) : std::nullopt;
      unsigned Symbol = None;
      for (unsigned X = 0; X < numSymbols(); ++X)
        if (symbol(X).K == SymbolInfo::LoopVar && symbol(X).Loop == L)
          Symbol = X;
      bool Moves = Symbol != None && S.Bytes.has(Symbol);
      if (!Moves)
        continue;
      if (!First || !C->TripCount || *C->TripCount * Addresses.size() > MaxAddresses) {
        F.Exact = false; // one trip represents all
        continue;
      }
      std::vector<Poly> All;
      for (int64_t T = 0; T < *C->TripCount; ++T)
        for (const Poly &P : Addresses)
          All.push_back(P.substitute(Symbol, Poly::constant(*First + T * C->Step)));
      Addresses = std::move(All);
    }
    F.Accesses += Addresses.size();
    for (const Poly &Address : Addresses) {
      std::array<Poly, 3> Stride;
      bool Affine = true;
      for (unsigned D = 0; D < 3; ++D) {
        std::optional<Poly> Step = stride(Address, D);
        Affine &= Step.has_value();
        Stride[D] = Step.value_or(Poly());
      }
      if (!Affine) {
        F.Exact = false;
        F.PerItem += Width;
        F.PerTile += Width * int64_t(F.Items);
        continue;
      }
      std::optional<Piece> P;
      Cluster *Home = nullptr;
      for (Cluster &C : Clusters) {
        if (C.Stride != Stride)
          continue;
        P = place(Address - C.Leader, Stride);
        if (P) {
          Home = &C;
          break;
        }
      }
      if (!Home) {
        Clusters.push_back({Address, Stride, {}});
        Home = &Clusters.back();
        P = Piece();
      }
      P->Width = Width;
      Home->Pieces.push_back(*P);
    }
  }
  for (const Cluster &C : Clusters) {
    F.PerItem += bytesOf(C, {1, 1, 1});
    F.PerTile += bytesOf(C, Tile);
  }
  return F;
}

} // namespace clmali::model
