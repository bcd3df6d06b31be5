//===-- rewriters/blocking/JoinStores.cpp - Adjacent stores of different items ------===//
//
// Part of ItemBlocker: where the lanes of a row store to elements that are far apart, the rows of
// one lane may store to adjacent ones. Those become one vector store:
//
//   before, 2 lanes, 2 rows              after
//   out[x * h + y] = a.s0;               vstore2((float2)(a.s0, b.s0), 0, out + x * h + y);
//   out[(x + 1) * h + y] = a.s1;         vstore2((float2)(a.s1, b.s1), 0, out + (x + 1) * h + y);
//   out[x * h + y + 1] = b.s0;
//   out[(x + 1) * h + y + 1] = b.s1;
//
// The stores are those of one statement of the source, of all items, and their values have been
// computed before the first of them. The source gives them no order: the items of a block are
// different work-items.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

namespace {
/// A store whose address differs by a constant from that of the first of its group.
struct Adjacent {
  size_t At;
  int64_t Bytes;
};
} // namespace

static bool joinable(const Access &Acc) {
  AddressSpace AS = Acc.Base->space();
  return Acc.Lanes == 1 && !Acc.Volatile && Acc.Elem != ScalarKind::Bool && !Acc.Index.empty() &&
         (AS == AddressSpace::Global || AS == AddressSpace::Local);
}

std::vector<ItemBlocker::ItemStore> ItemBlocker::joinStores(std::vector<ItemStore> Stores) {
  constexpr int64_t MaxBytes = 16;
  if (!llvm::all_of(Stores, [](const ItemStore &W) { return joinable(W.Acc); }))
    return Stores;
  std::vector<Poly> Addresses;
  for (const ItemStore &W : Stores)
    Addresses.push_back(Polys.address(W.Acc));
  const int64_t Size = sizeInBytes(Stores[0].Acc.Elem);
  std::vector<bool> Done(Stores.size());
  std::vector<ItemStore> Joined;
  for (size_t First = 0; First < Stores.size(); ++First) {
    if (Done[First])
      continue;
    std::vector<Adjacent> Group;
    for (size_t At = First; At < Stores.size(); ++At)
      if (Poly D = Addresses[At] - Addresses[First]; !Done[At] && D.isConstant())
        Group.push_back({At, D.constantTerm()});
    llvm::stable_sort(Group,
                      [](const Adjacent &X, const Adjacent &Y) { return X.Bytes < Y.Bytes; });
    for (size_t From = 0; From < Group.size();) {
      size_t Run = 1;
      while (From + Run < Group.size() &&
             Group[From + Run].Bytes == Group[From].Bytes + int64_t(Run) * Size)
        ++Run;
      size_t Take = pieceLength(Run, MaxBytes / Size);
      ItemStore W = Stores[Group[From].At];
      if (Take > 1) {
        llvm::SmallVector<const Expr *, MostLanes> Lanes;
        for (size_t I = From; I < From + Take; ++I)
          Lanes.push_back(Stores[Group[I].At].E);
        W.Acc.F = Access::VLoad;
        W.Acc.Lanes = Take;
        W.E = putTogether(M, Lanes);
        ++VectorAccesses;
      }
      for (size_t I = From; I < From + Take; ++I)
        Done[Group[I].At] = true;
      Joined.push_back(W);
      From += Take;
    }
  }
  return Joined;
}

} // namespace clmali::rewrite
