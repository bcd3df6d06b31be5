//===-- checks/model/frontend/tolerant/NameUses.cpp - How a file uses a name --------===//
//
// See TokenScan.h: members of structures, tables, pasted names; and the position of a token in an
// expression or declaration.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/NameForms.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace clmali::model {

std::string TokenScan::pastedMacro(StringRef Name) const {
  StringRef Best;
  auto Try = [&](StringRef M) {
    if (M.size() > Best.size() && M.size() < Name.size() && M.size() > 1 && !Defined.contains(M) &&
        llvm::any_of(M, llvm::isUpper) && (Name.ends_with(M) || Name.starts_with(M)))
      Best = M;
  };
  for (const auto &T : Tested)
    Try(T.getKey());
  for (const auto &U : Uses)
    Try(U.getKey());
  return Best.str();
}

bool TokenScan::isImage(StringRef Name) const {
  auto At = Uses.find(Name);
  return At != Uses.end() && llvm::any_of(At->second, [&](unsigned I) {
           return I && at(I - 1).starts_with("image") && at(I - 1).ends_with("_t");
         });
}

bool TokenScan::isReadOnly(StringRef Image) const {
  auto At = Uses.find(Image);
  return At != Uses.end() && llvm::any_of(At->second, [&](unsigned I) {
           return I > 1 && at(I - 1).starts_with("image") && at(I - 2).ends_with("read_only");
         });
}

bool TokenScan::isInteger(StringRef Name) const {
  auto At = Uses.find(Name);
  return At != Uses.end() && llvm::any_of(At->second, [&](unsigned I) {
           return llvm::is_contained({"int", "uint", "unsigned", "short", "ushort", "char", "uchar",
                                      "long", "ulong", "size_t"},
                                     before(I));
         });
}

/// True if the name at token Use is declared there: `int *x`, `float *restrict x`
bool TokenScan::isDeclaredAt(size_t Use) const {
  StringRef Before = before(Use), After = at(Use + 1);
  if (!llvm::is_contained({"=", ";", ",", ")", "["}, After))
    return false;
  size_t Type = Use;
  while (Type &&
         llvm::is_contained({"*", "const", "restrict", "__restrict", "volatile"}, at(Type - 1)))
    --Type;
  // T x = ..: also of an unknown type.
  return (Type && isTypeWord(at(Type - 1))) || namesType(Before) ||
         (isName(Before) && (After == "=" || After == ";") &&
          !llvm::is_contained({"return", "else", "goto", "do", "case"}, Before));
}

bool TokenScan::declares(StringRef Name) const {
  auto [It, New] = Declared.try_emplace(Name, false);
  if (New)
    if (auto At = Uses.find(Name); At != Uses.end())
      It->second = llvm::any_of(At->second, [&](unsigned I) { return isDeclaredAt(I); });
  return It->second;
}

std::string TokenScan::tableOf(StringRef Name) const {
  auto At = Uses.find(Name);
  unsigned Dimensions = 0, Lanes = 1;
  for (unsigned I : At == Uses.end() ? std::vector<unsigned>() : At->second) {
    StringRef Before = I ? at(I - 1) : StringRef(), After = at(I + 1);
    // f(table), table + n: uses of the whole table.
    bool Whole = (Before == "(" || Before == ",") && (After == ")" || After == "," || After == "+");
    if (After != "[" && !Whole)
      return "";
    unsigned Count = 0;
    unsigned J = pastBrackets(I + 1, Count);
    Dimensions = std::max(Dimensions, Count);
    // An array with writes is no table.
    size_t Store = J + (llvm::is_contained({"+", "-", "*", "/", "|", "&", "^"}, at(J)) ? 1 : 0);
    if ((Count && at(Store) == "=" && at(Store + 1) != "=") || (at(J) == "+" && at(J + 1) == "+") ||
        (at(J) == "-" && at(J + 1) == "-"))
      return "";
    if (Count && at(J) == "." && isName(at(J + 1))) {
      if (!isSwizzle(at(J + 1)))
        return "";
      Lanes = std::max(Lanes, at(J + 1).find_first_of("456789abcdefABCDEF") == 1 ? 16u : 4u);
    }
  }
  if (!Dimensions)
    return "";
  std::string Table =
      "int" + (Lanes > 1 ? std::to_string(Lanes) : std::string()) + " " + Name.str() + "[4096]";
  for (unsigned D = 1; D < Dimensions; ++D)
    Table += "[256]";
  return Table;
}

std::string TokenScan::stemOf(StringRef Suffix) const {
  std::string Best; // of several the first by name: the order of the map is not fixed
  for (const auto &D : Defined) {
    StringRef Stem = D.getKey();
    if (Stem.consume_back(Suffix) && isName(Stem) && llvm::any_of(Stem, llvm::isLower) &&
        (Best.empty() || Stem < Best))
      Best = Stem.str();
  }
  return Best;
}

unsigned TokenScan::pastBrackets(unsigned J, unsigned &Count) const {
  while (at(J) == "[") {
    unsigned Depth = 0;
    for (; J < Tokens.size(); ++J)
      if (at(J) == "[")
        ++Depth;
      else if (at(J) == "]" && --Depth == 0)
        break;
    ++J;
    ++Count;
  }
  return J;
}

std::string TokenScan::membersOf(StringRef Name) const {
  auto At = Uses.find(Name);
  if (At == Uses.end() || Name.empty())
    return "";
  // Its variables: T v, T *v, const T v, T v[4].
  llvm::StringSet<> Variables;
  for (unsigned I : At->second) {
    unsigned J = I + 1;
    while (at(J) == "*" || isTypeWord(at(J)) || at(J) == "restrict")
      ++J;
    if (!isName(at(J)) || isStatementWord(at(J)))
      continue;
    // Not a product, and not the return type of a function.
    StringRef Then = at(J + 1);
    if (Then == "," || Then == ")" || Then == ";" || Then == "=" || Then == "[")
      Variables.insert(at(J));
  }
  if (Variables.empty())
    return "";
  struct Member {
    std::string Name;
    unsigned Arrays = 0;
    bool Vector = false;
  };
  std::vector<Member> Members;
  bool OnlyComponents = true;
  for (const auto &V : Variables) {
    auto Used = Uses.find(V.getKey());
    if (Used == Uses.end())
      continue;
    for (unsigned I : Used->second) {
      if (I && (at(I - 1) == "." || at(I - 1) == ">"))
        continue; // a member of another object
      unsigned Ignored = 0, J = pastBrackets(I + 1, Ignored);
      if (at(J) == "-" && at(J + 1) == ">")
        ++J;
      else if (at(J) != ".")
        continue;
      StringRef M = at(J + 1);
      if (!isName(M))
        continue;
      OnlyComponents &= isSwizzle(M);
      auto Same = llvm::find_if(Members, [&](const Member &X) { return X.Name == M; });
      if (Same == Members.end()) {
        Members.push_back({M.str(), 0, false});
        Same = Members.end() - 1;
      }
      unsigned Arrays = 0;
      J = pastBrackets(J + 2, Arrays);
      Same->Arrays = std::max(Same->Arrays, Arrays);
      if (at(J) == ".") {
        if (!isSwizzle(at(J + 1)))
          return ""; // a structure in a structure
        Same->Vector = true;
      }
    }
  }
  if (OnlyComponents)
    return "";
  std::string Result;
  for (const Member &M : Members) {
    std::string Type = typeOf(M.Name).Value, Lower = StringRef(M.Name).lower();
    StringRef L = Lower;
    for (const char *Count : {"dim", "stride", "offset", "size", "num", "count", "len", "width",
                              "height", "depth", "idx", "step", "begin", "start", "end", "id"})
      if (L.contains(Count) && Type == "float")
        Type = "int";
    Result += " " + (M.Vector ? Type + "4" : Type) + " " + M.Name;
    for (unsigned A = 0; A < M.Arrays; ++A)
      Result += "[16]";
    Result += ";";
  }
  return Result + " ";
}

bool TokenScan::isProduct(size_t Star) const {
  StringRef Left = Star ? at(Star - 1) : StringRef();
  if (Left == ")" || Left == "]" || (!Left.empty() && (llvm::isDigit(Left[0]) || Left[0] == '.')))
    return true;
  // `T *f(int n) {` and `T *f(int n);` are declarations; within a statement, a name is a value.
  StringRef Before = Star > 1 ? at(Star - 2) : StringRef();
  bool Begins =
      Before.empty() || Before == ";" || Before == "{" || Before == "}" || isTypeWord(Before);
  return isName(Left) && !isTypeWord(Left) && !isStatementWord(Left) && !Begins;
}

bool TokenScan::isWholeStatement(size_t I) const {
  StringRef Before = I ? at(I - 1) : StringRef(), After = at(I + 1), Beyond = at(I + 2);
  bool Begins = Before.empty() || Before == ";" || Before == "{" || Before == "}" ||
                (I > 1 && Tokens[I - 1].Line < Tokens[I].Line && isName(Before) &&
                 !isTypeWord(Before) && isWholeStatement(I - 1));
  if (!Begins || isInHeader(I))
    return false;
  // Not { N }, which is a list.
  if ((After == "}" && Before != "{") ||
      llvm::is_contained({"if", "for", "while", "do", "return", "switch", "break", "continue"},
                         After))
    return true;
  if (!isName(After) || isStatementWord(After))
    return false;
  // Not a declaration: LOAD x += 1;
  if (Beyond.size() == 1 && StringRef("+-/%&|^<>.!?").contains(Beyond[0]))
    return true;
  // In a body, and alone on its line. Outside, `TYPE` before a line `f(int x)` declares a function.
  if ((I && Tokens[I - 1].Line == Tokens[I].Line) || Tokens[I + 1].Line == Tokens[I].Line)
    return false;
  int Depth = 0;
  for (size_t J = 0; J < I; ++J)
    Depth += at(J) == "{" ? 1 : at(J) == "}" ? -1 : 0;
  return Depth > 0;
}

bool TokenScan::isInHeader(size_t I) const {
  for (unsigned Closed = 0; I-- > 0;) {
    StringRef T = at(I);
    if (T == "{" || T == "}")
      return false;
    if (T == ")")
      ++Closed;
    else if (T == "(" && Closed-- == 0)
      return true;
  }
  return false;
}

unsigned TokenScan::namesFrom(size_t Open) const {
  unsigned Count = 0;
  for (size_t I = Open;
       (at(I) == "(" || at(I) == ",") && isName(at(I + 1)) && (I == Open) == (at(I) == "("); I += 2)
    ++Count;
  return Count && at(Open + 2 * Count) == ")" ? Count : 0;
}

bool TokenScan::isInCall(size_t I) const {
  for (unsigned Closed = 0; I-- > 0;) {
    StringRef T = at(I);
    if (T == ";" || T == "{" || T == "}")
      return false;
    if (T == ")")
      ++Closed;
    else if (T == "(" && Closed-- == 0) {
      StringRef Callee = I ? at(I - 1) : StringRef(), Before = I > 1 ? at(I - 2) : StringRef();
      return isName(Callee) && !isStatementWord(Callee) &&
             (Before == "return" ||
              (Before.size() == 1 && StringRef("=(,+-/<>?:[!&|").contains(Before)));
    }
  }
  return false;
}

bool TokenScan::calls(StringRef Line, StringRef Name) const {
  if (Line.contains((Name + "(").str()))
    return true;
  auto At = Uses.find(Name);
  return At != Uses.end() && llvm::any_of(At->second, [&](unsigned I) {
           auto Body = I ? BodyBegins.find(I - 1) : BodyBegins.end();
           return Body != BodyBegins.end() && Line.contains(Body->second);
         });
}

} // namespace clmali::model
