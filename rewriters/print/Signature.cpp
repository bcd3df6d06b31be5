//===-- rewriters/print/Signature.cpp - Types and signatures as written -----===//
//
// Prints a kernel's signature and the types of variables as the user wrote them, where they still
// are right.
//
// Limits: a kernel whose signature comes from a macro gets one printed from its types.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/StructureExits.h"
#include "rewriters/print/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

std::string sourceText(const Module &M, SourceRange R) {
  if (!R.isValid() || R.File >= M.Files.size())
    return "";
  return StringRef(M.Files[R.File].Text).slice(R.Begin, R.End).str();
}

//===----------------------------------------------------------------------===//
// Words and types
//===----------------------------------------------------------------------===//

static bool isWord(char C) { return llvm::isAlnum(C) || C == '_'; }

size_t findWord(StringRef Text, StringRef Word, size_t From) {
  for (size_t At = Text.find(Word, From); At != StringRef::npos; At = Text.find(Word, At + 1)) {
    size_t End = At + Word.size();
    if ((At == 0 || !isWord(Text[At - 1])) && (End >= Text.size() || !isWord(Text[End])))
      return At;
  }
  return StringRef::npos;
}

bool startsWithWord(StringRef Text, StringRef Word) {
  return Text.consume_front(Word) && (Text.empty() || !isWord(Text.front()));
}

std::optional<CType> builtinType(StringRef Text) {
  static const std::pair<StringRef, ScalarKind> Names[] = {
      {"bool", ScalarKind::Bool},
      {"char", ScalarKind::Char},
      {"signed char", ScalarKind::Char},
      {"uchar", ScalarKind::UChar},
      {"unsigned char", ScalarKind::UChar},
      {"short", ScalarKind::Short},
      {"signed short", ScalarKind::Short},
      {"short int", ScalarKind::Short},
      {"ushort", ScalarKind::UShort},
      {"unsigned short", ScalarKind::UShort},
      {"unsigned short int", ScalarKind::UShort},
      {"int", ScalarKind::Int},
      {"signed", ScalarKind::Int},
      {"signed int", ScalarKind::Int},
      {"uint", ScalarKind::UInt},
      {"unsigned", ScalarKind::UInt},
      {"unsigned int", ScalarKind::UInt},
      {"long", ScalarKind::Long},
      {"signed long", ScalarKind::Long},
      {"long int", ScalarKind::Long},
      {"ulong", ScalarKind::ULong},
      {"unsigned long", ScalarKind::ULong},
      {"unsigned long int", ScalarKind::ULong},
      {"half", ScalarKind::Half},
      {"float", ScalarKind::Float},
      {"double", ScalarKind::Double},
      {"size_t", ScalarKind::ULong},
      {"uintptr_t", ScalarKind::ULong},
      {"ptrdiff_t", ScalarKind::Long},
      {"intptr_t", ScalarKind::Long}};
  unsigned Lanes = 1;
  StringRef Stem = Text.rtrim("0123456789");
  if (Stem.size() != Text.size() && Text.substr(Stem.size()).getAsInteger(10, Lanes))
    return std::nullopt;
  for (auto &[Name, K] : Names)
    if (Stem == Name)
      return CType{K, static_cast<uint8_t>(Lanes)};
  return std::nullopt;
}

std::string spelledType(const Var *V, const Type *T) {
  std::string Own = typeName(T);
  StringRef Text = StringRef(V->Spelling).trim();
  if (Text.empty() || Text.contains('[') || Text.contains('*') || V->IsPointerOffset)
    return Own;
  llvm::SmallVector<StringRef, 4> Words;
  llvm::SplitString(Text, Words);
  std::string Rest;
  for (StringRef W : Words) {
    if (!llvm::is_contained({"const", "__private", "private", "__local", "local", "__constant",
                             "constant", "static", "register"},
                            W))
      Rest += (Rest.empty() ? "" : " ") + W.str();
  }
  std::optional<CType> Known = builtinType(Rest);
  if (Known && T->isValue() && *Known != ctype(T)) {
    // size_t is 32 bits wide on some targets.
    bool SizeT = StringRef(Rest).ends_with("_t") && sizeInBytes(T->Scalar) == 4 &&
                 isSigned(T->Scalar) == isSigned(Known->Scalar);
    if (!SizeT)
      Rest = Own;
  }
  if (Rest.empty())
    Rest = Own;
  return Rest;
}

//===----------------------------------------------------------------------===//
// The signature
//===----------------------------------------------------------------------===//

/// Removes Attribute(...) from the __attribute__ lists of Text and returns its arguments.
static std::optional<std::string> removeAttribute(std::string &Text, StringRef Attribute) {
  size_t At = findWord(Text, Attribute);
  if (At == StringRef::npos)
    At = findWord(Text, ("__" + Attribute + "__").str());
  if (At == StringRef::npos)
    return std::nullopt;
  size_t Open = Text.find('(', At), End = Open, Depth = 0;
  if (Open == std::string::npos)
    return std::nullopt;
  for (; End < Text.size(); ++End) {
    Depth += Text[End] == '(';
    if (Text[End] == ')' && --Depth == 0)
      break;
  }
  if (End >= Text.size())
    return std::nullopt;
  std::string Args = Text.substr(Open + 1, End - Open - 1);
  Text.erase(At, End + 1 - At);
  // The adjacent comma, or the whole list if nothing is left.
  size_t L = At, R = At;
  while (L > 0 && llvm::isSpace(Text[L - 1]))
    --L;
  while (R < Text.size() && llvm::isSpace(Text[R]))
    ++R;
  if (L > 0 && Text[L - 1] == ',') {
    Text.erase(L - 1, R - (L - 1));
  } else if (R < Text.size() && Text[R] == ',') {
    Text.erase(L, R + 1 - L);
  } else if (L >= 2 && R + 1 < Text.size() && Text[R] == ')') {
    size_t Word = Text.rfind("__attribute__", L);
    size_t Close = Text.find(')', R + 1);
    if (Word != std::string::npos && Close != std::string::npos)
      Text.erase(Word, Close + 1 - Word);
  }
  return Args;
}

/// Head (up to the name) and Tail (from the name's end to the body) with the
/// work-group attributes that K has.
static std::string withGroupAttributes(const Kernel &K, std::string Head, std::string &Tail) {
  auto Update = [&](StringRef Attribute, const std::optional<std::array<uint32_t, 3>> &Size) {
    std::string Wanted;
    if (Size)
      Wanted = llvm::formatv("{0}, {1}, {2}", (*Size)[0], (*Size)[1], (*Size)[2]);
    auto Plain = [](StringRef S) {
      std::string R;
      for (char C : S)
        if (!llvm::isSpace(C))
          R += C;
      return R;
    };
    for (std::string *Text : {&Head, &Tail}) {
      std::string Copy = *Text;
      std::optional<std::string> Had = removeAttribute(Copy, Attribute);
      if (!Had)
        continue;
      if (Size && Plain(*Had) == Plain(Wanted)) {
        Wanted.clear(); // unchanged
        continue;
      }
      *Text = Copy;
    }
    if (Wanted.empty())
      return;
    std::string Attr = "__attribute__((" + Attribute.str() + "(" + Wanted + "))) ";
    size_t At = 0;
    for (StringRef Word : {"__kernel", "kernel"})
      if (size_t P = findWord(Head, Word); P != StringRef::npos && !At)
        At = P + Word.size();
    Head.insert(At, At ? " " + Attr : Attr);
  };
  Update("work_group_size_hint", K.WorkGroupSizeHint);
  Update("reqd_work_group_size", K.ReqdWorkGroupSize);
  return Head;
}

/// The parameter list by the parameters' types.
static std::string typedParams(const Kernel &K) {
  std::string S;
  for (const Var *P : K.Params) {
    S += S.empty() ? "(" : ", ";
    const Type *T = P->Ty;
    if (T->K == Type::Pointer) {
      StringRef Space = T->AS == AddressSpace::Global     ? "__global"
                        : T->AS == AddressSpace::Constant ? "__constant"
                                                          : "__local";
      S += (Space + (T->Const && T->AS != AddressSpace::Constant ? " const" : "") +
            (T->Volatile ? " volatile " : " ") + typeName(T->Elem) + " *" +
            (T->Restrict ? "restrict " : "") + P->Name)
               .str();
    } else {
      S += spelledType(P, T) + " " + P->Name;
    }
  }
  return S.empty() ? "(void)" : S + ")";
}

/// Text without blanks at its end; with a line end, if it ends in a // comment or a directive, so
/// that what is appended is not part of them.
static std::string readyToAppend(StringRef Text) {
  Text = Text.rtrim();
  bool Block = false, Comment = false, Quoted = false;
  size_t Start = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    StringRef Rest = Text.substr(I);
    if (Text[I] == '\n' && !Text.take_front(I).ends_with("\\")) {
      Comment = false;
      Start = I + 1;
    } else if (Block) {
      Block = !Rest.starts_with("*/");
      I += !Block;
    } else if (Quoted) {
      I += Text[I] == '\\';
      Quoted = Text[I] != '"';
    } else if (!Comment) {
      Comment = Rest.starts_with("//");
      Block = Rest.starts_with("/*");
      Quoted = Text[I] == '"';
      I += Comment || Block;
    }
  }
  bool Directive = Text.substr(Start).ltrim().starts_with("#");
  return Text.str() + (Comment || Directive ? "\n" : "");
}

/// Params without the volatile of pointers that are plain now (LocalVolatile.cpp). Begin: where the
/// text stands in its file.
static void dropVolatile(std::string &Params, uint32_t Begin, const Kernel &K) {
  constexpr llvm::StringLiteral Word = "volatile";
  for (const Var *P : llvm::reverse(K.Params)) {
    if (P->Ty->K != Type::Pointer || P->Ty->Volatile || P->Range.Begin < Begin ||
        P->Range.End > Begin + Params.size())
      continue;
    const size_t From = P->Range.Begin - Begin;
    const size_t At = findWord(StringRef(Params).slice(From, P->Range.End - Begin), Word);
    if (At != StringRef::npos)
      Params.erase(From + At, Word.size() + 1);
  }
}

std::string signatureText(const Module &M, const Kernel &K, const MacroTable &Macros) {
  const SourceRange &R = K.Range, &N = K.NameRange, &B = K.BodyRange;
  std::string Name = sourceText(M, N);
  bool Written = R.isValid() && N.isValid() && B.isValid() && R.File == N.File &&
                 R.File == B.File && R.Begin <= N.Begin && N.End <= B.Begin && B.End <= R.End &&
                 !Name.empty() && llvm::all_of(Name, isWord) && !Macros.Names.contains(Name) &&
                 StringRef(sourceText(M, B)).starts_with("{");
  std::string Head, Tail;
  if (Written) {
    Head = sourceText(M, {R.File, R.Begin, N.Begin});
    Tail = sourceText(M, {R.File, N.End, B.Begin});
    Written = StringRef(Tail).ltrim().starts_with("(");
    dropVolatile(Tail, N.End, K);
    for (const Var *P : K.Params) // those that a pass has made have no place in the source
      Written = Written && (P->Range.isValid() || !P->isPointerParam());
    for (const Var *P : K.Params)
      Written = Written && findWord(Tail, P->Name) != StringRef::npos;
  }
  if (!Written) {
    Head = "__kernel void ";
    Tail = typedParams(K);
  }
  Head = withGroupAttributes(K, Head, Tail);
  return readyToAppend(Head) + " " + K.Name + readyToAppend(StringRef(Tail).ltrim());
}

} // namespace clmali::rewrite
