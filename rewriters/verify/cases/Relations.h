// What ties the variables of `sizes` together, so that most sizes that are drawn are valid.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_RELATIONS_H
#define CLMALI_REWRITERS_VERIFY_CASES_RELATIONS_H

#include "rewriters/launch/LaunchFile.h"

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <vector>

namespace clmali::verify {

/// The conditions of `require`, and what holds at every listed size: a variable that gives no
/// number of work-items, such as a row pitch, is at least so many times another one, such as the
/// width. The latter may be chance, so some sizes should be drawn without it.
class SizeRelations {
public:
  explicit SizeRelations(const launch::LaunchFile &F);

  /// \p S with variables changed so that `require` holds, and, unless \p OnlyRequire, what holds at
  /// every listed size. \p Keep is not changed where another variable can be. Best effort: the
  /// result may still break a condition.
  launch::Size settled(launch::Size S, bool OnlyRequire, llvm::StringRef Keep = "") const;

private:
  /// Upper is at least Factor times Lower.
  struct AtLeast {
    std::string Upper, Lower;
    int64_t Factor;
  };
  void addConditions(const launch::Expression &E);
  void findOrder();
  bool holds(const launch::Expression &Condition, const launch::Size &S) const;
  bool settle(const launch::Expression &Condition, launch::Size &S, llvm::StringRef Keep) const;
  std::vector<std::string> changeable(const launch::Expression &Condition,
                                      llvm::StringRef Keep) const;

  const launch::LaunchFile &F;
  std::set<std::string> OfRange;              ///< give the number of work-items
  std::vector<launch::Expression> Conditions; ///< of `require`, over the variables alone
  std::vector<AtLeast> Order;
};

} // namespace clmali::verify

#endif
