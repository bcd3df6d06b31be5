//===- Fixes.cpp - applies fixes --------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

void lint::applyFixes(Report &R, bool Unsafe) {
  std::map<std::string, std::vector<LocatedEdit>> Taken;
  std::vector<const LocatedFinding *> Applied;
  auto Overlaps = [](const LocatedEdit &A, const LocatedEdit &B) {
    return A.Offset < B.Offset + B.Length && B.Offset < A.Offset + A.Length;
  };
  auto Same = [](const LocatedEdit &A, const LocatedEdit &B) {
    return A.Shared && B.Shared && A.Offset == B.Offset && A.Length == B.Length && A.Text == B.Text;
  };
  auto Fits = [&](const LocatedFix &Fix) {
    return none_of(Fix.Edits, [&](const LocatedEdit &E) {
      return any_of(Taken[E.File], [&](const LocatedEdit &T) {
        if (Same(E, T) || (E.Shared && T.Shared && !E.Length && !T.Length))
          return false;
        return Overlaps(E, T) || (E.Offset == T.Offset && E.Length == T.Length);
      });
    });
  };
  for (const LocatedFinding &F : R.Findings) {
    for (const LocatedFix &Fix : F.Fixes) {
      bool Wanted = Fix.How == checks::Applicability::Safe ||
                    (Unsafe && Fix.How == checks::Applicability::Unsafe);
      if (!Wanted || Fix.Edits.empty() || !Fits(Fix))
        continue;
      for (const LocatedEdit &E : Fix.Edits)
        if (none_of(Taken[E.File], [&](const LocatedEdit &T) { return Same(E, T); }))
          Taken[E.File].push_back(E);
      Applied.push_back(&F);
      break;
    }
  }
  std::vector<std::string> Failed;
  for (auto &[File, Edits] : Taken) {
    if (Edits.empty())
      continue;
    auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!Buffer) {
      R.Errors.push_back({File, 0, 0, "cannot be fixed: " + Buffer.getError().message()});
      Failed.push_back(File);
      continue;
    }
    std::string Text = (*Buffer)->getBuffer().str();
    Buffer->reset(); // the file is replaced below
    llvm::sort(Edits, [](const auto &A, const auto &B) {
      return std::tie(A.Offset, A.Text) > std::tie(B.Offset, B.Text);
    });
    for (const LocatedEdit &E : Edits)
      Text.replace(E.Offset, E.Length, E.Text);
    if (Error E = writeFile(File, Text)) {
      R.Errors.push_back({File, 0, 0, toString(std::move(E))});
      Failed.push_back(File);
    }
  }
  std::vector<LocatedFinding> Left;
  for (LocatedFinding &F : R.Findings) {
    if (is_contained(Applied, &F) && !is_contained(Failed, F.At.File))
      ++R.Fixed;
    else
      Left.push_back(std::move(F));
  }
  R.Findings = std::move(Left);
}
