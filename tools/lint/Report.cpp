//===- Report.cpp - findings as text, JSON, GitHub annotations, JUnit -------------------------===//

#include "tools/lint/Lint.h"
#include "tools/version/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

static std::vector<StringRef> familyList(rules::FamilySet Set) {
  std::vector<StringRef> Names;
  for (const rules::DeviceFacts &F : rules::families())
    if (Set & (1u << F.Index))
      Names.push_back(F.Name);
  return Names;
}

static std::string where(const InputMessage &T) {
  std::string S = T.File;
  if (T.Line)
    S += ":" + utostr(T.Line) + ":" + utostr(T.Column);
  return S;
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

std::string lint::reportText(const Report &R, const Options &O, bool Colours) {
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  auto Paint = [&](StringRef Code, StringRef Text) {
    return Colours ? ("\x1b[" + Code + "m" + Text + "\x1b[0m").str() : Text.str();
  };
  auto Snippet = [&](const Location &P) {
    if (P.LineText.empty())
      return;
    std::string Shown = P.LineText, Marks;
    // Keep tabs, so that the caret is under its character.
    for (unsigned I = 0; I + 1 < P.Column && I < Shown.size(); ++I)
      Marks += Shown[I] == '\t' ? '\t' : ' ';
    unsigned Length = P.EndLine == P.Line && P.EndColumn > P.Column ? P.EndColumn - P.Column : 1;
    if (P.EndLine > P.Line)
      Length = Shown.size() >= P.Column ? Shown.size() - P.Column + 1 : 1;
    Marks += "^" + std::string(Length - 1, '~');
    Out << "  " << Shown << "\n  " << Paint("32", Marks) << "\n";
  };
  for (const InputMessage &T : R.Errors)
    Out << where(T) << ": " << Paint("31", T.Linted ? "error" : "cannot lint") << ": " << T.Message
        << "\n";
  for (const LocatedFinding &F : R.Findings) {
    StringRef Colour = F.Severity == rules::Severity::Error     ? "31"
                       : F.Severity == rules::Severity::Warning ? "35"
                                                                : "36";
    Out << F.At.File << ":" << F.At.Line << ":" << F.At.Column << ": "
        << Paint(Colour, rules::name(F.Severity)) << ": ";
    if (!F.Kernel.empty())
      Out << "kernel '" << F.Kernel << "': ";
    Out << F.Message << " [clmali-" << F.Rule->Id << "]";
    rules::FamilySet Rest = F.Asked & ~F.Families;
    if (Rest)
      Out << " (" << join(familyList(F.Families), ", ") << ")";
    Out << "\n";
    Snippet(F.At);
    for (const LocatedNote &N : F.Notes) {
      Out << N.At.File << ":" << N.At.Line << ":" << N.At.Column << ": " << Paint("36", "note")
          << ": " << N.Message << "\n";
      Snippet(N.At);
    }
    for (const LocatedFix &X : F.Fixes)
      Out << "  fix (" << checks::name(X.How) << "): " << X.Message << "\n";
  }
  for (const InputMessage &T : R.Notes)
    Out << where(T) << ": " << Paint("36", "note") << ": " << T.Message << "\n";

  if (O.Statistics) {
    std::map<StringRef, unsigned> Count;
    for (const LocatedFinding &F : R.Findings)
      ++Count[F.Rule->Id];
    Out << R.Findings.size() << " findings in " << R.KernelsSeen << " kernels of " << R.FilesSeen
        << " files";
    if (!R.Suppressed.empty())
      Out << ", " << R.Suppressed.size() << " suppressed by comments";
    if (!R.Known.empty())
      Out << ", " << R.Known.size() << " known to the baseline";
    if (!R.Gone.empty())
      Out << ", " << R.Gone.size() << " of the baseline are gone";
    if (R.Fixed)
      Out << ", " << R.Fixed << " fixed";
    if (R.FromCache)
      Out << ", " << R.FromCache << " files from the cache";
    Out << "\n";
    for (auto [Id, Number] : Count)
      Out << "  " << left_justify(Id, 32) << Number << "\n";
  }
  return Buffer;
}

//===------------------------------------------------------------------------------------------===//
// JSON
//===------------------------------------------------------------------------------------------===//

static json::Value text(StringRef S) {
  // Source lines and messages may not be valid UTF-8.
  return json::isUTF8(S) ? json::Value(S.str()) : json::Value(json::fixUTF8(S));
}

static json::Object locationObject(const Location &P) {
  return json::Object{{"file", text(P.File)},
                      {"line", P.Line},
                      {"column", P.Column},
                      {"endLine", P.EndLine},
                      {"endColumn", P.EndColumn}};
}

static json::Array messages(ArrayRef<InputMessage> List) {
  json::Array Result;
  for (const InputMessage &T : List) {
    json::Object O{{"file", text(T.File)}, {"message", text(T.Message)}};
    if (T.Line) {
      O["line"] = T.Line;
      O["column"] = T.Column;
    }
    Result.push_back(std::move(O));
  }
  return Result;
}

std::string lint::reportJson(const Report &R, const Options &O) {
  json::Array Findings;
  for (const LocatedFinding &F : R.Findings) {
    json::Object X = locationObject(F.At);
    X["rule"] = F.Rule->Id;
    X["severity"] = rules::name(F.Severity);
    X["kernel"] = F.Kernel.empty() ? json::Value(nullptr) : text(F.Kernel);
    X["message"] = text(F.Message);
    X["families"] = json::Array(familyList(F.Families));
    json::Object ByFamily;
    for (const auto &[Family, Message] : F.MessageByFamily)
      ByFamily[Family] = text(Message);
    if (!ByFamily.empty())
      X["messageByFamily"] = std::move(ByFamily);
    json::Array Notes, Fixes;
    for (const LocatedNote &N : F.Notes) {
      json::Object Y = locationObject(N.At);
      Y["message"] = text(N.Message);
      Notes.push_back(std::move(Y));
    }
    for (const LocatedFix &Fix : F.Fixes) {
      json::Array Edits;
      for (const LocatedEdit &E : Fix.Edits)
        Edits.push_back(json::Object{{"file", text(E.File)},
                                     {"offset", E.Offset},
                                     {"length", E.Length},
                                     {"text", text(E.Text)}});
      Fixes.push_back(json::Object{{"applicability", checks::name(Fix.How)},
                                   {"message", text(Fix.Message)},
                                   {"edits", std::move(Edits)}});
    }
    X["notes"] = std::move(Notes);
    X["fixes"] = std::move(Fixes);
    Findings.push_back(std::move(X));
  }
  json::Object Root{{"version", ToolVersion},
                    {"findings", std::move(Findings)},
                    {"notes", messages(R.Notes)},
                    {"errors", messages(R.Errors)}};
  if (O.Shards)
    Root["shard"] = shardName(O);
  if (O.Cost != CostSource::None)
    Root["costs"] = costsJson(R.Costs);
  if (O.Statistics)
    Root["statistics"] = json::Object{
        {"files", R.FilesSeen},    {"kernels", R.KernelsSeen}, {"suppressed", R.Suppressed.size()},
        {"known", R.Known.size()}, {"gone", R.Gone.size()},    {"fixed", R.Fixed}};
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  Out << formatv("{0:2}", json::Value(std::move(Root))) << "\n";
  return Buffer;
}

//===------------------------------------------------------------------------------------------===//
// GitHub annotations: ::warning file=...,line=...::message
//===------------------------------------------------------------------------------------------===//

static std::string githubEscape(StringRef S, bool Property) {
  std::string Result;
  for (char C : S) {
    if (C == '%')
      Result += "%25";
    else if (C == '\n')
      Result += "%0A";
    else if (C == '\r')
      Result += "%0D";
    else if (Property && C == ':')
      Result += "%3A";
    else if (Property && C == ',')
      Result += "%2C";
    else
      Result += C;
  }
  return Result;
}

std::string lint::reportGithub(const Report &R, const Options &) {
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  for (const InputMessage &T : R.Errors) {
    Out << "::error file=" << githubEscape(T.File, true);
    if (T.Line)
      Out << ",line=" << T.Line << ",col=" << T.Column;
    Out << ",title=clmali::" << githubEscape(T.Message, false) << "\n";
  }
  for (const LocatedFinding &F : R.Findings) {
    StringRef Level = F.Severity == rules::Severity::Error     ? "error"
                      : F.Severity == rules::Severity::Warning ? "warning"
                                                               : "notice";
    Out << "::" << Level << " file=" << githubEscape(F.At.File, true) << ",line=" << F.At.Line
        << ",endLine=" << F.At.EndLine << ",col=" << F.At.Column << ",endColumn=" << F.At.EndColumn
        << ",title=clmali-" << F.Rule->Id << "::" << githubEscape(F.Message, false) << "\n";
  }
  for (const InputMessage &T : R.Notes)
    Out << "::notice file=" << githubEscape(T.File, true)
        << ",title=clmali::" << githubEscape(T.Message, false) << "\n";
  return Buffer;
}

//===------------------------------------------------------------------------------------------===//
// JUnit: a test case for each finding and error.
//===------------------------------------------------------------------------------------------===//

static std::string xml(StringRef S) {
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  std::string Valid = json::isUTF8(S) ? S.str() : json::fixUTF8(S);
  std::string Clean;
  for (char C : Valid)
    if (static_cast<unsigned char>(C) >= 0x20 || C == '\n' || C == '\t')
      Clean += C;
  printHTMLEscaped(Clean, Out);
  return Buffer;
}

std::string lint::reportJunit(const Report &R, const Options &) {
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  size_t Failures = llvm::count_if(R.Findings, [](const LocatedFinding &F) { return F.Fails; });
  // An empty suite reads as "nothing ran" in most viewers.
  bool Clean = R.Findings.empty() && R.Errors.empty();
  std::string Counts =
      (" tests=\"" + Twine(R.Findings.size() + R.Errors.size() + Clean) + "\" failures=\"" +
       Twine(Failures) + "\" errors=\"" + Twine(R.Errors.size()) + "\" time=\"0\"")
          .str();
  auto Case = [&](StringRef Class, const Twine &Name) {
    Out << "<testcase classname=\"" << xml(Class) << "\" name=\"" << xml(Name.str())
        << "\" time=\"0\"";
  };
  Out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"clmali-lint\"" << Counts
      << ">\n<testsuite name=\"clmali-lint\"" << Counts << ">\n";
  for (const InputMessage &T : R.Errors) {
    Case(T.File, "can be linted");
    Out << "><error type=\"" << (T.Linted ? "error" : "cannot lint") << "\" message=\""
        << xml(where(T) + ": " + T.Message) << "\"/></testcase>\n";
  }
  for (const LocatedFinding &F : R.Findings) {
    std::string Text = F.At.File + ":" + utostr(F.At.Line) + ":" + utostr(F.At.Column) + ": " +
                       rules::name(F.Severity).str() + ": " + F.Message;
    Case(F.At.File, "clmali-" + F.Rule->Id + " at " + Twine(F.At.Line) + ":" + Twine(F.At.Column));
    Out << " file=\"" << xml(F.At.File) << "\" line=\"" << F.At.Line << "\">";
    if (F.Fails)
      Out << "<failure type=\"" << rules::name(F.Severity) << "\" message=\"" << xml(Text)
          << "\"/>";
    else
      Out << "<system-out>" << xml(Text) << "</system-out>";
    Out << "</testcase>\n";
  }
  if (Clean) {
    Case("clmali-lint",
         Twine(R.KernelsSeen) + " kernels in " + Twine(R.FilesSeen) + " files are clean");
    Out << "/>\n";
  }
  Out << "</testsuite>\n</testsuites>\n";
  return Buffer;
}
