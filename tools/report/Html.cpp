//===- Html.cpp - the parts of a report page --------------------------------------------------===//

#include "tools/report/Html.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;
using namespace clmali;

namespace {

constexpr char Style[] = R"css(
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --text: #1c2128; --soft: #5b6572; --line: #d8dde3;
  --code: #f7f8fa; --before: #8d99a6; --after: #1f7a4d; --good: #1a7f4b; --bad: #b3261e; --warn: #8f5a00; --info: #1f62b0;
  --goodbg: #e2f4ea; --badbg: #fbe6e4; --warnbg: #fdf0d8; --infobg: #e4eefb; --kw: #7a2ea0; --ty: #1f62b0; --num: #9a4a00; --com: #5b6f5f; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --card: #1d2126; --text: #e4e8ec; --soft: #9aa5b1; --line: #353c45;
  --code: #171a1f; --before: #7b8794; --after: #46b883; --good: #5fd39a; --bad: #ff8a80; --warn: #f0b657; --info: #82b7ff;
  --goodbg: #16352a; --badbg: #44211f; --warnbg: #3d3016; --infobg: #1a2e49; --kw: #d29bf0; --ty: #82b7ff; --num: #f0a875; --com: #8fa894; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  -webkit-text-size-adjust: 100%; overflow-wrap: break-word; }
main { max-width: 88rem; margin: 0 auto; padding: 1.25rem clamp(.75rem, 3vw, 2.5rem) 4rem; }
h1 { font-size: 1.55rem; margin: .5rem 0 .25rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 0 0 .5rem; display: flex; flex-wrap: wrap; gap: .35rem .75rem; align-items: baseline; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .4rem 0; max-width: 75ch; }
.soft { color: var(--soft); font-size: .9rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem clamp(.75rem, 2vw, 1.5rem) 1.25rem; margin: 1.25rem 0; }
code, pre, .code { font: 13.5px/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.badge { font: 600 .8rem/1.4 system-ui, sans-serif; padding: .1rem .55rem; border-radius: 1rem; white-space: nowrap; }
.good { color: var(--good); background: var(--goodbg); } .bad, .error { color: var(--bad); background: var(--badbg); }
.warning, .refused { color: var(--warn); background: var(--warnbg); } .info { color: var(--info); background: var(--infobg); }
.side { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-items: start; }
@media (min-width: 64rem) { .side { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
figure { margin: 0; min-width: 0; } figure + figure { margin-top: 1rem; }
figcaption { font-size: .9rem; font-weight: 600; margin-bottom: .3rem; }
.code { background: var(--code); border: 1px solid var(--line); border-radius: .4rem; padding: .4rem 0; }
.row { display: grid; grid-template-columns: 3.1em minmax(0, 1fr); }
.row > i { color: var(--soft); text-align: right; padding-right: .8em; font-style: normal; user-select: none; opacity: .8; }
.row > span { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 .6em 0 var(--in);
  text-indent: calc(0px - var(--in)); tab-size: 4; }
.row.hit { background: var(--infobg); }
.note { margin: .15rem .6rem .35rem 3.1em; padding: .35rem .7rem; border-left: 3px solid currentColor; border-radius: 0 .3rem .3rem 0; font: .88rem/1.45 system-ui, sans-serif; }
.note b { margin-right: .4em; } .note span { color: var(--text); }
@media (max-width: 40rem) { code, pre, .code { font-size: 12px; } .row { grid-template-columns: 2.5em minmax(0, 1fr); } .row > i { padding-right: .6em; } .note { margin-left: .6rem; } }
.kw { color: var(--kw); } .ty { color: var(--ty); } .num { color: var(--num); } .com { color: var(--com); } .pp { color: var(--kw); }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem .9rem; margin: .5rem 0; overflow-x: auto; tab-size: 4; }
pre .add { background: var(--goodbg); display: inline-block; min-width: 100%; } pre .del { background: var(--badbg); display: inline-block; min-width: 100%; } pre .at { color: var(--soft); }
details { border-top: 1px solid var(--line); padding: .45rem 0; } details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; padding: .2rem 0; }
.bars { display: grid; grid-template-columns: minmax(6em, max-content) minmax(0, 1fr) max-content; gap: .2rem .7rem; align-items: center; max-width: 52rem; font-size: .92rem; }
.bars .name { grid-row: span 2; align-self: start; font-weight: 600; } .bars .one { grid-row: auto; } .bars .unit { display: block; font-weight: 400; color: var(--soft); font-size: .82rem; }
.track { background: var(--code); border-radius: .2rem; height: .85rem; } .track > div { height: 100%; border-radius: .2rem; min-width: 2px; }
.b { background: var(--before); } .a { background: var(--after); } .value { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.gap { grid-column: 1 / -1; height: .3rem; }
.key { display: inline-block; width: .85rem; height: .85rem; border-radius: .2rem; vertical-align: -.08rem; margin: 0 .3rem 0 .8rem; } .key:first-child { margin-left: 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; } .wide { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); } td { overflow-wrap: anywhere; } td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) { table.stack, table.stack tbody, table.stack tr, table.stack td { display: block; } table.stack thead { display: none; }
  table.stack tr { border-bottom: 1px solid var(--line); padding: .4rem 0; } table.stack td { border: 0; padding: .05rem 0; text-align: left; white-space: normal; } table.stack td[data-is]::before { content: attr(data-is) ": "; color: var(--soft); } }
ul, ol { padding-left: 1.3rem; margin: .4rem 0; } li { margin: .2rem 0; overflow-wrap: anywhere; }
)css";

bool isWordStart(char C) { return isAlpha(C) || C == '_'; }
bool isWord(char C) { return isAlnum(C) || C == '_'; }

bool isKeyword(StringRef W) {
  static const StringSet<> Words = {
      "__kernel", "kernel",    "__global",      "global",  "__local",  "local",      "__constant",
      "constant", "__private", "private",       "const",   "restrict", "__restrict", "volatile",
      "if",       "else",      "for",           "while",   "do",       "return",     "break",
      "continue", "switch",    "case",          "default", "struct",   "union",      "typedef",
      "static",   "inline",    "__attribute__", "sizeof",  "goto"};
  return Words.contains(W);
}

bool isType(StringRef W) {
  for (StringRef T : {"uchar", "char", "ushort", "short", "uint", "int", "ulong", "long", "half",
                      "float", "double"})
    if (W.consume_front(T))
      return W.empty() || all_of(W, isDigit);
  return W == "void" || W == "bool" || W == "size_t" || W == "unsigned" || W == "signed" ||
         W == "ptrdiff_t";
}

/// One line of code with comments, words and numbers marked. InComment: the line starts inside /*
/// */.
std::string marked(StringRef Line, bool &InComment) {
  std::string Out;
  auto Span = [&](StringRef Class, StringRef Text) {
    Out += ("<span class=\"" + Class + "\">" + report::escaped(Text) + "</span>").str();
  };
  if (!InComment && Line.ltrim().starts_with("#")) {
    size_t Comment = std::min(Line.find("//"), Line.find("/*"));
    Span("pp", Line.take_front(Comment));
    Line = Line.drop_front(std::min(Comment, Line.size()));
  }
  while (!Line.empty()) {
    size_t N = 1;
    if (InComment) {
      size_t End = Line.find("*/");
      N = End == StringRef::npos ? Line.size() : End + 2;
      InComment = End == StringRef::npos;
      Span("com", Line.take_front(N));
    } else if (Line.starts_with("//")) {
      N = Line.size();
      Span("com", Line);
    } else if (Line.starts_with("/*")) {
      Span("com", "/*");
      N = 2;
      InComment = true;
    } else if (isWordStart(Line.front())) {
      StringRef W = Line.take_while(isWord);
      N = W.size();
      if (isKeyword(W))
        Span("kw", W);
      else if (isType(W))
        Span("ty", W);
      else
        Out += report::escaped(W);
    } else if (isDigit(Line.front())) {
      StringRef W = Line.take_while([](char C) { return isWord(C) || C == '.'; });
      N = W.size();
      Span("num", W);
    } else {
      Out += report::escaped(Line.take_front(1));
    }
    Line = Line.drop_front(N);
  }
  return Out;
}

std::string number(double V) {
  return V >= 100 ? formatv("{0:f0}", V) : V >= 10 ? formatv("{0:f1}", V) : formatv("{0:f2}", V);
}

} // namespace

std::string report::escaped(const Twine &Text) {
  std::string S;
  raw_string_ostream OS(S);
  printHTMLEscaped(Text.str(), OS);
  return S;
}

std::string report::page(StringRef Title, StringRef Body) {
  // Sources may use any encoding.
  std::string Page =
      ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
       escaped(Title) + "</title>\n<style>" + Style + "</style>\n</head>\n<body>\n<main>\n" + Body +
       "</main>\n</body>\n</html>\n")
          .str();
  return json::isUTF8(Page) ? Page : json::fixUTF8(Page);
}

std::string report::listing(StringRef Code, unsigned First, ArrayRef<LineNote> Notes,
                            StringRef Caption) {
  std::string S;
  raw_string_ostream OS(S);
  OS << "<figure>";
  if (!Caption.empty())
    OS << "<figcaption>" << escaped(Caption) << "</figcaption>";
  OS << "<div class=\"code\">\n";
  SmallVector<StringRef, 0> Lines;
  Code.rtrim().split(Lines, '\n');
  bool InComment = false;
  for (unsigned I = 0; I < Lines.size(); ++I) {
    unsigned Line = First + I;
    bool Hit = any_of(Notes, [&](const LineNote &N) { return N.Line == Line; });
    // A line that is wrapped goes on two characters behind where it begins.
    size_t Blanks = Lines[I].find_first_not_of(" \t");
    size_t Tabs = Blanks == StringRef::npos ? 0 : Lines[I].take_front(Blanks).count('\t');
    size_t Indent = Blanks == StringRef::npos ? 0 : Blanks + 3 * Tabs;
    OS << "<div class=\"row" << (Hit ? " hit" : "") << "\"><i>" << Line
       << "</i><span style=\"--in:" << Indent + 2 << "ch\">"
       << marked(Lines[I].rtrim('\r'), InComment) << (Lines[I].empty() ? " " : "")
       << "</span></div>\n";
    for (const LineNote &N : Notes)
      if (N.Line == Line)
        OS << "<div class=\"note " << N.Kind << "\"><b>" << N.Kind << " " << escaped(N.Title)
           << "</b><span>" << escaped(N.Text) << "</span></div>\n";
  }
  OS << "</div></figure>\n";
  return S;
}

std::string report::block(StringRef Code) {
  return "<pre tabindex=\"0\">" + escaped(Code) + "</pre>\n";
}

std::string report::diff(StringRef Unified) {
  std::string S = "<pre tabindex=\"0\">";
  SmallVector<StringRef, 0> Lines;
  Unified.rtrim().split(Lines, '\n');
  for (StringRef L : Lines) {
    StringRef Class = L.starts_with("+++") || L.starts_with("---") || L.starts_with("@@") ? "at"
                      : L.starts_with("+")                                                ? "add"
                      : L.starts_with("-")                                                ? "del"
                                                                                          : "";
    S += Class.empty() ? escaped(L)
                       : ("<span class=\"" + Class + "\">" + escaped(L) + "</span>").str();
    S += "\n";
  }
  return S + "</pre>\n";
}

std::string report::folded(StringRef Summary, StringRef Inner, bool Open) {
  return ("<details" + Twine(Open ? " open" : "") + "><summary>" + escaped(Summary) +
          "</summary>\n" + Inner + "</details>\n")
      .str();
}

std::string report::bars(ArrayRef<Bar> Bars) {
  double Most = 0;
  for (const Bar &B : Bars)
    Most = std::max({Most, B.Before, B.After.value_or(0)});
  bool After = any_of(Bars, [](const Bar &B) { return B.After.has_value(); });
  std::string S;
  raw_string_ostream OS(S);
  if (After)
    OS << "<p class=\"soft\"><span class=\"key b\"></span>before <span class=\"key "
          "a\"></span>after</p>\n";
  OS << "<div class=\"bars\">\n";
  auto Track = [&](StringRef Class, double V) {
    OS << "<div class=\"track\"><div class=\"" << Class
       << "\" style=\"width:" << formatv("{0:f1}", Most > 0 ? 100 * V / Most : 0)
       << "%\"></div></div><div class=\"value\">" << number(V) << "</div>\n";
  };
  for (const Bar &B : Bars) {
    if (B.Before <= 0 && B.After.value_or(0) <= 0)
      continue; // nothing to draw
    OS << "<div class=\"name" << (B.After ? "" : " one") << "\">" << escaped(B.Name)
       << "<span class=\"unit\">" << escaped(B.Unit) << "</span></div>";
    Track("b", B.Before);
    if (B.After)
      Track("a", *B.After);
    OS << "<div class=\"gap\"></div>\n";
  }
  OS << "</div>\n";
  return S;
}

std::string report::badge(StringRef Kind, StringRef Text) {
  return ("<span class=\"badge " + Kind + "\">" + escaped(Text) + "</span>").str();
}
