#include "rewriters/verify/cases/Relations.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace llvm;

namespace clmali::verify {

using launch::Argument;
using launch::Expression;

SizeRelations::SizeRelations(const launch::LaunchFile &F) : F(F) {
  for (const Expression &E : F.Global)
    for (const std::string &Name : E.names())
      OfRange.insert(Name);
  std::map<std::string, std::string> Values; // of scalar arguments
  for (const Argument &A : F.Args)
    if (A.K == Argument::Kind::Scalar && A.Value.size() == 1 &&
        !launch::isFloatLiteral(A.Value.front()) && !F.Sizes.front().count(A.Name))
      Values[A.Name] = A.Value.front();
  for (const Expression &E : F.Require)
    addConditions(E.replaced(Values));
  findOrder();
}

void SizeRelations::addConditions(const Expression &E) {
  const Expression::Node &Whole = E.nodes().back();
  if (Whole.Kind != Expression::Op::And) {
    Conditions.push_back(E);
    return;
  }
  addConditions(E.partAt(Whole.Left));
  addConditions(E.partAt(Whole.Right));
}

void SizeRelations::findOrder() {
  // The extents of one buffer are independent.
  auto inOneCount = [this](const std::string &A, const std::string &B) {
    return any_of(F.Args, [&](const Argument &Arg) {
      const std::vector<std::string> Names = Arg.Count.names();
      return Arg.K == Argument::Kind::Buffer && is_contained(Names, A) && is_contained(Names, B);
    });
  };
  for (const auto &[Upper, Ignored] : F.Sizes.front())
    for (const auto &[Lower, Other] : F.Sizes.front()) {
      if (Upper == Lower || OfRange.count(Upper) || inOneCount(Upper, Lower))
        continue;
      int64_t Factor = std::numeric_limits<int64_t>::max();
      for (const launch::Size &S : F.Sizes)
        Factor = std::min(Factor, S.at(Lower) > 0 ? S.at(Upper) / S.at(Lower) : 0);
      if (Factor >= 1)
        Order.push_back({Upper, Lower, Factor});
    }
}

bool SizeRelations::holds(const Expression &Condition, const launch::Size &S) const {
  Expected<int64_t> Value = Condition.evaluate(launch::bindingsAt(F, S));
  if (Value)
    return *Value != 0;
  consumeError(Value.takeError());
  return false;
}

/// The variables in \p Condition: first those that give no number of work-items, last \p Keep.
std::vector<std::string> SizeRelations::changeable(const Expression &Condition,
                                                   StringRef Keep) const {
  std::vector<std::string> Names;
  for (const std::string &Name : Condition.names())
    if (F.Sizes.front().count(Name))
      Names.push_back(Name);
  llvm::stable_sort(Names, [&](const std::string &A, const std::string &B) {
    return std::pair(A == Keep, OfRange.count(A)) < std::pair(B == Keep, OfRange.count(B));
  });
  return Names;
}

/// Changes one variable so that \p Condition holds; false if no value was found.
bool SizeRelations::settle(const Expression &Condition, launch::Size &S, StringRef Keep) const {
  constexpr int64_t Near = 256;
  const launch::Bindings Values = launch::bindingsAt(F, S);
  // At the values of its parts it begins or ceases to hold.
  std::vector<int64_t> Parts;
  for (unsigned I = 0; I < Condition.nodes().size(); ++I)
    if (Expected<int64_t> Value = Condition.partAt(I).evaluate(Values))
      Parts.insert(Parts.end(), {*Value, *Value + 1, *Value - 1});
    else
      consumeError(Value.takeError());
  for (const std::string &Name : changeable(Condition, Keep)) {
    launch::Size Changed = S;
    int64_t &Value = Changed[Name];
    std::vector<int64_t> Tried;
    for (int64_t Step = 1; Step <= Near; ++Step)
      Tried.insert(Tried.end(), {Value + Step, Value - Step});
    llvm::append_range(Tried, Parts);
    for (int64_t Try : Tried)
      if (Value = Try; Try >= 1 && holds(Condition, Changed)) {
        S = Changed;
        return true;
      }
  }
  return false;
}

launch::Size SizeRelations::settled(launch::Size S, bool OnlyRequire, StringRef Keep) const {
  constexpr unsigned Passes = 3; // one condition may break another one
  for (unsigned Pass = 0; Pass < Passes; ++Pass) {
    bool Changed = false;
    for (const Expression &Condition : Conditions)
      Changed |= !holds(Condition, S) && settle(Condition, S, Keep);
    if (!OnlyRequire)
      for (const auto &[Upper, Lower, Factor] : Order)
        if (S[Upper] / Factor < S[Lower]) {
          Changed = true;
          if (Upper == Keep)
            S[Lower] = std::max<int64_t>(1, S[Upper] / Factor);
          else
            S[Upper] = Factor * S[Lower];
        }
    if (!Changed)
      break;
  }
  return S;
}

} // namespace clmali::verify
