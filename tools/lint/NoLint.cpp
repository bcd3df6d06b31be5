//===- NoLint.cpp - NOLINT comments, and those that suppress nothing --------------------------===//
//
//   a[i] = b / n; // NOLINT(clmali-integer-division)
//
// clang-tidy's NoLintDirectiveHandler decides whether a finding is suppressed, so that a comment
// has the same meaning in both tools. It takes a Clang diagnostic, which is created in a source
// manager that holds only this text. For kernels in string literals the text is that of the host
// file, and locations are mapped to it first.
//
// The handler does not report which comment it used. A name in a comment is needed if blanking it
// makes a finding appear. Names are tested one by one and unneeded ones stay blanked, so that one
// of two redundant comments remains.
//
// Limits: only names of clmali's rules are checked; a bare NOLINT or a glob of another tool may be
//         meant for that tool.
//
//===------------------------------------------------------------------------------------------===//

#include "clang-tidy/NoLintDirectiveHandler.h"
#include "tools/lint/Lint.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/Core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

namespace {
/// Calls the handler while a diagnostic is in flight, which is the only time at which one exists.
struct SuppressionQuery : clang::DiagnosticConsumer {
  clang::tidy::NoLintDirectiveHandler Handler;
  std::string Name;
  bool Answer = false;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    SmallVector<clang::tooling::Diagnostic, 1> Malformed;
    Answer = Handler.shouldSuppress(Level, Info, Name, Malformed, /*AllowIO=*/true,
                                    /*EnableNoLintBlocks=*/true);
  }
};
} // namespace

struct NoLint::Impl {
  SuppressionQuery Ask;
  clang::FileManager Files{clang::FileSystemOptions(),
                           makeIntrusiveRefCnt<vfs::InMemoryFileSystem>()};
  clang::DiagnosticsEngine Engine{makeIntrusiveRefCnt<clang::DiagnosticIDs>(),
                                  makeIntrusiveRefCnt<clang::DiagnosticOptions>(), &Ask,
                                  /*ShouldOwnClient=*/false};
  clang::SourceManager Sources{Engine, Files};
  unsigned Kind = 0;

  Impl(StringRef File, StringRef Text) {
    // A named file, so that the handler reads no other.
    clang::FileEntryRef Entry = Files.getVirtualFileRef(File, Text.size(), /*ModificationTime=*/0);
    Sources.overrideFileContents(Entry, MemoryBuffer::getMemBufferCopy(Text, File));
    Sources.setMainFileID(
        Sources.createFileID(Entry, clang::SourceLocation(), clang::SrcMgr::C_User));
    Engine.setSourceManager(&Sources);
    Kind = Engine.getCustomDiagID(clang::DiagnosticsEngine::Warning, "finding");
  }
  bool suppresses(unsigned Offset, StringRef Name) {
    Ask.Name = Name.str();
    Ask.Answer = false;
    Engine.Report(Sources.getLocForStartOfFile(Sources.getMainFileID()).getLocWithOffset(Offset),
                  Kind);
    return Ask.Answer;
  }
};

NoLint::NoLint(StringRef File, StringRef Text) {
  if (Text.contains("NOLINT"))
    P = std::make_unique<Impl>(File.empty() ? "input.cl" : File, Text);
}
NoLint::~NoLint() = default;

bool NoLint::suppresses(unsigned Offset, StringRef Id) {
  return P && (P->suppresses(Offset, ("clmali-" + Id).str()) || P->suppresses(Offset, Id));
}

//===------------------------------------------------------------------------------------------===//
// Comments that suppress nothing
//===------------------------------------------------------------------------------------------===//

static constexpr char UnusedPage[] = R"(---
id: unused-suppression
group: portability
summary: a comment silences a rule that finds nothing there
families: { all: info }
fix: safe
sources: ["the conventions of clang-tidy and other linters"]
---
## What it does
Finds names of clmali's rules in `NOLINT`, `NOLINTNEXTLINE` and `NOLINTBEGIN` comments that silence no finding
on any GPU family. Names of other tools' checks, and comments without names, are left alone.

## Why it costs
A comment that outlived its reason hides the next finding on that line.

## Bad
```opencl
__kernel void copy(__global float4 *to, __global const float4 *from) {
  int i = get_global_id(0);
  to[i] = from[i]; // NOLINT(clmali-integer-division)
}
```

## Good
```opencl
__kernel void copy(__global float4 *to, __global const float4 *from) {
  int i = get_global_id(0);
  to[i] = from[i];
}
```

## When not to fix
Where the finding comes and goes with `-D` definitions that this run did not have.
)";

const rules::Rule &lint::unusedSuppressionRule() {
  static const rules::Rule R = [] {
    Expected<rules::Rule> Parsed = rules::parseRule("unused-suppression", UnusedPage);
    if (!Parsed)
      report_fatal_error(Parsed.takeError(), /*gen_crash_diag=*/false);
    return std::move(*Parsed);
  }();
  return R;
}

namespace {
/// A name in the list of a comment.
struct Element {
  size_t Begin = 0, End = 0;
  std::string Name;
};
struct Directive {
  enum { Line, Begin, End } What = Line;
  size_t At = 0;      ///< of "NOLINT"
  size_t ListEnd = 0; ///< behind ")"
  std::string List;
  std::vector<Element> Elements;
};

std::vector<Directive> directives(StringRef Text) {
  std::vector<Directive> Result;
  for (size_t At = 0; (At = Text.find("NOLINT", At)) != StringRef::npos;) {
    Directive D;
    D.At = At;
    At += 6;
    StringRef Rest = Text.drop_front(At);
    if (!Rest.consume_front("NEXTLINE")) {
      if (Rest.consume_front("BEGIN"))
        D.What = Directive::Begin;
      else if (Rest.consume_front("END"))
        D.What = Directive::End;
    }
    if (!Rest.consume_front("("))
      continue;
    size_t Length = Rest.find_first_of(")\n");
    if (Length == StringRef::npos || Rest[Length] != ')')
      continue;
    size_t Start = Rest.data() - Text.data();
    D.ListEnd = Start + Length + 1;
    D.List = Rest.take_front(Length).str();
    for (size_t I = 0; I <= Length;) {
      size_t Comma = std::min(Rest.take_front(Length).find(',', I), Length);
      StringRef Name = Rest.slice(I, Comma).trim();
      if (!Name.empty()) {
        size_t Begin = Name.data() - Text.data();
        D.Elements.push_back({Begin, Begin + Name.size(), Name.str()});
      }
      I = Comma + 1;
    }
    Result.push_back(std::move(D));
  }
  return Result;
}

enum class NameOwner { Clmali, UnknownRule, OtherTool };

/// "clmali-..." and bare ids are ours. Globs that match more than our rules are not.
NameOwner ownerOf(StringRef Name) {
  StringRef Id = Name;
  bool Prefixed = Id.consume_front("clmali-");
  if (Id.contains('*'))
    return Prefixed ? NameOwner::Clmali : NameOwner::OtherTool;
  if (rules::findRule(Id))
    return NameOwner::Clmali;
  if (Id == "unused-suppression")
    return NameOwner::OtherTool; // checked after all other names
  return Prefixed ? NameOwner::UnknownRule : NameOwner::OtherTool;
}

bool namesClmaliRule(ArrayRef<Directive> All) {
  return any_of(All, [](const Directive &D) {
    return any_of(D.Elements,
                  [](const Element &E) { return ownerOf(E.Name) != NameOwner::OtherTool; });
  });
}
} // namespace

bool lint::namesInSuppressions(StringRef Text) { return namesClmaliRule(directives(Text)); }

std::vector<LocatedFinding> lint::unusedSuppressions(StringRef File, StringRef Text,
                                                     ArrayRef<SilencedAt> Of) {
  std::vector<LocatedFinding> Result;
  std::vector<Directive> All = directives(Text);
  if (!namesClmaliRule(All))
    return Result;
  // Match each BEGIN with the next END that has the same list, innermost first.
  std::map<size_t, size_t> EndOf;
  std::vector<size_t> Open;
  for (size_t I = 0; I < All.size(); ++I) {
    if (All[I].What == Directive::Begin)
      Open.push_back(I);
    if (All[I].What == Directive::End && !Open.empty() && All[Open.back()].List == All[I].List) {
      EndOf[Open.back()] = I;
      Open.pop_back();
    }
  }
  auto Survive = [&](StringRef Changed) {
    NoLint N(File, Changed);
    return all_of(Of, [&](const SilencedAt &S) { return N.suppresses(S.Offset, S.Rule->Id); });
  };
  std::string Current = Text.str();
  for (size_t I = 0; I < All.size(); ++I) {
    const Directive &D = All[I];
    if (D.What == Directive::End)
      continue;
    for (size_t J = 0; J < D.Elements.size(); ++J) {
      const Element &E = D.Elements[J];
      NameOwner Owner = ownerOf(E.Name);
      if (Owner == NameOwner::OtherTool)
        continue;
      std::string Without = Current;
      auto Blank = [&](const Element &X) {
        std::fill(Without.begin() + X.Begin, Without.begin() + X.End, '~');
      };
      Blank(E);
      auto End = EndOf.find(I);
      if (End != EndOf.end() && J < All[End->second].Elements.size())
        Blank(All[End->second].Elements[J]);
      if (Owner == NameOwner::Clmali && !Survive(Without))
        continue;
      Current = std::move(Without);

      LocatedFinding F;
      F.Rule = &unusedSuppressionRule();
      F.Severity = rules::Severity::Info;
      StringRef Near = Owner == NameOwner::UnknownRule
                           ? rules::nearestRule(StringRef(E.Name).drop_front(7))
                           : "";
      if (Owner == NameOwner::UnknownRule)
        F.Message = "'" + E.Name + "' is no rule" +
                    (Near.empty() ? std::string() : "; did you mean 'clmali-" + Near.str() + "'?");
      else if (D.What == Directive::Begin && End == EndOf.end())
        F.Message = "'" + E.Name + "' silences nothing: no NOLINTEND with the same list follows";
      else
        F.Message = "'" + E.Name + "' silences nothing here; remove it";
      F.At.File = File.str();
      F.At.Offset = E.Begin;
      F.At.Length = E.End - E.Begin;
      size_t LineStart = Text.rfind('\n', E.Begin);
      LineStart = LineStart == StringRef::npos ? 0 : LineStart + 1;
      F.At.Line = F.At.EndLine = Text.take_front(E.Begin).count('\n') + 1;
      F.At.Column = E.Begin - LineStart + 1;
      F.At.EndColumn = F.At.Column + F.At.Length;
      F.At.LineText =
          Text.drop_front(LineStart).take_until([](char C) { return C == '\n'; }).rtrim('\r').str();
      F.Families = rules::allFamilies();
      // The fix removes the name from a list of several names. A comment with a single name is left
      // to the user: the text next to it may explain the suppression.
      if (D.What == Directive::Line && D.Elements.size() > 1) {
        size_t From = J ? D.Elements[J - 1].End : E.Begin;
        size_t To = J ? E.End : D.Elements[1].Begin;
        F.Fixes.push_back(
            {checks::Applicability::Safe,
             "remove the name",
             {{File.str(), static_cast<unsigned>(From), static_cast<unsigned>(To - From), ""}}});
      }
      Result.push_back(std::move(F));
    }
  }
  return Result;
}
