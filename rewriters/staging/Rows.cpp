//===-- rewriters/staging/Rows.cpp - Rows of flat tiles -------------------===//
//
// Part of Delocalizer: a tile that is indexed by row * length + column has one index for two local
// ids. Finds the length of a row, and divides indices into row and column:
//
//   tile[ly * 18 + lx + 1]     row: ly, column: lx + 1, if the local size in x is at most 17
//
// Limits: the length is a constant or a parameter of the kernel.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// Flat indices of two local ids: finds the length of a row, a constant or else a
/// parameter. False: there is none.
bool Delocalizer::rows(Tile &T) {
  std::optional<int64_t> Constant;
  std::optional<unsigned> Symbol;
  for (Copy &C : T.Copies) {
    if (C.Index.size() != 1)
      return false;
    unsigned Ids = 0, Local = 0;
    int64_t Largest = 0, LargestLocal = 0;
    for (const auto &[Mono, Coefficient] : C.Index[0].Terms) {
      if (!llvm::any_of(Mono, [&](unsigned S) { return isId(C, S); }))
        continue;
      if (Mono.size() == 2 && Coefficient == 1) {
        unsigned Other = isId(C, Mono[0]) ? Mono[1] : Mono[0];
        if (A.symbol(Other).K != SymbolInfo::Param || (Symbol && *Symbol != Other))
          return false;
        Symbol = Other;
      } else if (Mono.size() != 1) {
        return false;
      } else {
        ++Ids;
        Largest = std::max(Largest, std::abs(Coefficient));
        for (unsigned D = 0; D < 3; ++D)
          if (Mono[0] == P.localId(D)) {
            ++Local;
            LargestLocal = std::max(LargestLocal, std::abs(Coefficient));
          }
      }
    }
    // An iteration of many rows, t[(ly + 16 * r) * 20 + lx], does not give the length of a row.
    if (Local >= 2 && LargestLocal > 1)
      Largest = LargestLocal;
    if (Ids >= 2 && Largest > 1)
      Constant = Constant ? std::min(*Constant, Largest) : Largest;
  }
  T.Row.reset();
  if (Constant && Symbol)
    return false;
  if (Constant)
    T.Row = Poly::constant(*Constant);
  else if (Symbol)
    T.Row = Poly::symbol(*Symbol);
  // The copies themselves may need a bound of the local size.
  return T.Row && llvm::all_of(T.Copies, [&](const Copy &C) { return stored(T, C).has_value(); });
}

/// The index at which C stores, with pinned ids replaced; row and column for a flat tile.
std::optional<std::vector<Poly>> Delocalizer::stored(const Tile &T, const Copy &C) {
  std::vector<Poly> Index;
  for (const Poly &I : C.Index)
    Index.push_back(substituteAll(I, [&](unsigned S) {
      auto It = C.Pins.find(S);
      return It == C.Pins.end() ? Poly::symbol(S) : It->second;
    }));
  if (!T.Row || Index.size() != 1)
    return Index;
  std::vector<Poly> Known;
  for (const Guard &F : C.Guards)
    P.nonNegative(F, Known);
  return divide(Index[0], *T.Row, Known);
}

/// tile[ly * row + lx]: demands that no two work-items of a group store the same element.
void Delocalizer::askForRows(const Copy &C) {
  if (C.Index.size() != 1)
    return;
  std::vector<std::pair<int64_t, unsigned>> Steps; // by local id
  std::optional<unsigned> Symbolic;
  for (const auto &[Mono, Coefficient] : C.Index[0].Terms)
    for (unsigned D = 0; D < 3; ++D) {
      if (!llvm::is_contained(Mono, P.localId(D)))
        continue;
      if (Mono.size() == 1)
        Steps.push_back({std::abs(Coefficient), D});
      else if (Mono.size() == 2 && Coefficient == 1)
        Symbolic = Mono[0] == P.localId(D) ? Mono[1] : Mono[0];
    }
  llvm::sort(Steps);
  for (size_t I = 0; I + 1 < Steps.size(); ++I) {
    std::optional<int64_t> &Max = P.LocalMax[Steps[I].second];
    Max = std::min(Max.value_or(INT64_MAX),
                   std::max<int64_t>(1, Steps[I + 1].first / Steps[I].first) - 1);
  }
  static const char *const Names[] = {"lx", "ly", "lz"};
  if (!Symbolic || Steps.size() != 1 || Steps[0].first != 1)
    return;
  const SymbolInfo &S = A.symbol(*Symbolic);
  if (S.K != SymbolInfo::Param)
    return;
  std::string L = Names[Steps[0].second];
  std::string Text = "lx > 0 && " + L + " <= " + S.E->V->Name;
  if (!llvm::is_contained(When, Text))
    When.push_back(Text);
}

/// Flat = Row * [0] + [1] with [1] in a row, if that is known.
std::optional<std::vector<Poly>> Delocalizer::divide(const Poly &Flat, const Poly &Row,
                                                     llvm::ArrayRef<Poly> Known) {
  if (!Row.isConstant()) {
    unsigned S = Row.Terms.begin()->first[0];
    if (Flat.degree(S) > 1)
      return std::nullopt;
    Poly Q = Flat.coefficient(S), R = Flat - Q * Row;
    Poly Room = Row - Poly::constant(1) - R;
    if (!P.prove(R, Known))
      return std::nullopt;
    if (!P.prove(Room, Known)) {
      // Demanded of the launch, with the largest local ids.
      static const char *const Sizes[] = {"lx", "ly", "lz"};
      std::string Text;
      for (const auto &[Mono, C] : R.Terms) {
        if (Mono.size() > 1)
          return std::nullopt;
        std::string Name;
        int64_t Constant = C;
        if (!Mono.empty()) {
          const SymbolInfo &I = A.symbol(Mono[0]);
          if (I.K != SymbolInfo::WorkItem ||
              (I.E->Query != WorkItemQuery::LocalId && I.E->Query != WorkItemQuery::LocalSize))
            return std::nullopt;
          Name = Sizes[I.E->Dim];
          Constant = 0;
          if (I.E->Query == WorkItemQuery::LocalId) {
            if (C < 0)
              continue;
            Constant = -C;
          }
          Text += (Text.empty() ? "" : " + ") + std::to_string(C) + " * " + Name;
        }
        if (Constant)
          Text += (Text.empty() ? "" : " + ") + ("(" + std::to_string(Constant) + ")");
      }
      Text = "lx > 0 && " + (Text.empty() ? "0" : Text) + " < " + A.symbol(S).E->V->Name;
      if (!llvm::is_contained(When, Text))
        When.push_back(Text);
    }
    return std::vector<Poly>{Q, R};
  }
  int64_t Length = Row.constantTerm();
  Poly Q, R;
  for (const auto &[Mono, C] : Flat.Terms) {
    Poly Term;
    Term.Terms[Mono] = C;
    if (!Mono.empty() && C % Length == 0) {
      Term.Terms[Mono] = C / Length;
      Q = Q + Term;
    } else if (!Mono.empty()) {
      R = R + Term;
    }
  }
  int64_t C = Flat.constantTerm(), Floor = C / Length - (C % Length < 0);
  // Of several divisions, the one with the weakest bound of the local size.
  auto Saved = P.LocalMax, Loosest = Saved;
  std::optional<std::vector<Poly>> Best;
  auto asks = [&](const auto &Max) {
    int64_t Sum = 0;
    for (const std::optional<int64_t> &D : Max)
      Sum += std::min<int64_t>(D.value_or(1 << 20), 1 << 20);
    return Sum;
  };
  for (int64_t M0 : {Floor, Floor + 1, Floor - 1}) {
    Poly Rest = R + Poly::constant(C - M0 * Length);
    P.LocalMax = Saved;
    if (P.prove(Rest, Known) &&
        P.prove(Poly::constant(Length - 1) - Rest, Known, /*Assume=*/true) &&
        (!Best || asks(P.LocalMax) > asks(Loosest))) {
      Best = std::vector<Poly>{Q + Poly::constant(M0), Rest};
      Loosest = P.LocalMax;
    }
  }
  P.LocalMax = Loosest;
  return Best;
}

} // namespace clmali::rewrite
