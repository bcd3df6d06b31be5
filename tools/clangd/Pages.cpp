//===- Pages.cpp - rule pages as Markdown for editors -----------------------------------------===//

#include "tools/clangd/Pages.h"
#include "rules/Rules.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <vector>

using namespace llvm;
using namespace clmali;

static std::string title(const rules::Rule &R) {
  std::map<rules::Severity, std::vector<std::string>> Families;
  size_t All = 0;
  for (const rules::DeviceFacts &F : rules::families()) {
    if (F.Name == "generic")
      continue;
    ++All;
    if (rules::Severity S = R.severity(F); S != rules::Severity::None)
      Families[S].push_back(F.Name);
  }
  std::string Text;
  for (const auto &[S, Names] : Families)
    Text += (Text.empty() ? "" : "; ") + rules::name(S).str() + " on " +
            (Names.size() == All ? "every family" : join(Names, ", "));
  return "### clmali-" + R.Id + "\n" + R.Summary + " (" + Text + ")";
}

std::string editor::pagesFor(ArrayRef<std::string> Ids) {
  std::string Text;
  for (const std::string &Id : Ids) {
    const rules::Rule *R = rules::findRule(Id);
    if (!R)
      continue;
    if (!Text.empty()) {
      Text += "\n\n" + title(*R);
      continue;
    }
    Text = title(*R);
    for (const rules::Section &S : R->Sections) {
      // A code block in a language that editors highlight.
      std::string Body = StringRef(S.Text).trim().str();
      for (size_t At; (At = Body.find("```opencl")) != std::string::npos;)
        Body.replace(At, 9, "```c");
      Text += "\n\n#### " + S.Title + "\n" + Body;
    }
  }
  return Text;
}

std::string editor::pageFile(StringRef Id, StringRef Program) {
  // Installed: bin/clmali-clangd and share/. Checkout: build/bin/clmali-clangd.
  for (StringRef Folder : {"../share/doc/clmali/rules", "../share/clmali/rules", "../../rules"}) {
    SmallString<256> Path = sys::path::parent_path(Program);
    sys::path::append(Path, Folder, Id + ".md");
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    if (sys::fs::exists(Path))
      return Path.str().str();
  }
  return "";
}
