//===-- checks/model/frontend/tolerant/NameForms.cpp - What words and names look like -===//

#include "checks/model/frontend/tolerant/NameForms.h"

using llvm::StringRef;

namespace clmali::model {

bool isTypeWord(StringRef S) {
  static const llvm::StringSet<> Words = [] {
    llvm::StringSet<> W;
    for (const char *S : {"void",
                          "char",
                          "uchar",
                          "short",
                          "ushort",
                          "int",
                          "uint",
                          "long",
                          "ulong",
                          "half",
                          "float",
                          "double",
                          "bool",
                          "size_t",
                          "unsigned",
                          "signed",
                          "const",
                          "volatile",
                          "struct",
                          "__global",
                          "global",
                          "__local",
                          "local",
                          "__constant",
                          "constant",
                          "__private",
                          "private",
                          "__kernel",
                          "kernel",
                          "inline",
                          "static",
                          "__attribute__",
                          "__read_only",
                          "read_only",
                          "__write_only",
                          "write_only",
                          "__read_write",
                          "read_write",
                          "image2d_t",
                          "image1d_t",
                          "image3d_t",
                          "image2d_array_t",
                          "image1d_buffer_t",
                          "sampler_t"})
      W.insert(S);
    return W;
  }();
  return Words.contains(S) ||
         (!S.empty() && llvm::isDigit(S.back()) && Words.contains(S.rtrim("0123456789")));
}

bool isStatementWord(StringRef S) {
  return S == "return" || S == "else" || S == "case" || S == "if" || S == "while" || S == "for" ||
         S == "do" || S == "goto" || S == "sizeof";
}

bool namesType(StringRef Name) {
  std::string Upper = Name.upper();
  StringRef C = Upper;
  return C.contains("TYPE") && !C.contains("SIZE") && !C.contains("BYTES") &&
         !C.contains("TYPE_I") && !C.contains("TYPE_M") && !C.contains("TYPE_CHAR") &&
         !C.ends_with("_STR");
}

Meaning typeOf(StringRef Name) {
  std::string Lower = Name.lower();
  StringRef L = Lower;
  std::string Value;
  for (const char *Known : {"uchar", "ushort", "uint", "ulong", "char", "short", "int", "long",
                            "double", "float", "half"})
    if (L == Known || L == (StringRef(Known) + "_t").str() || L.rtrim("0123456789") == Known)
      Value = Known;
  bool Sized = true;
  if (L.starts_with("uint8") || L.starts_with("u8"))
    Value = "uchar";
  else if (L.starts_with("uint16") || L.starts_with("u16"))
    Value = "ushort";
  else if (L.starts_with("uint32") || L.starts_with("u32"))
    Value = "uint";
  else if (L.starts_with("uint64") || L.starts_with("u64"))
    Value = "ulong";
  else if (L.starts_with("int8"))
    Value = "char";
  else if (L.starts_with("int16"))
    Value = "short";
  else if (L.starts_with("int32"))
    Value = "int";
  else if (L.starts_with("int64"))
    Value = "long";
  else
    Sized = false;
  StringRef Digits = L.drop_front(L.rtrim("0123456789").size());
  bool Lanes = Digits == "2" || Digits == "3" || Digits == "4" || Digits == "8" || Digits == "16";
  if (Sized && (L == "uint8" || L == "uint16" || L == "int8" || L == "int16")) {
    // A vector of the language, in capitals or not.
    Value = L.rtrim("0123456789").str();
    Sized = false;
  }
  bool Guessed = Value.empty();
  if (Guessed) {
    if (L.contains("index") || L.contains("idx") || L.contains("select") || L.contains("cond") ||
        L.contains("offset") || L.starts_with("dim") || L.contains("size"))
      Value = "int";
    else if (L.contains("uint"))
      Value = "uint";
    else if (L.contains("int") && !L.contains("point") && !L.contains("inter"))
      Value = "int";
    else if (L.contains("mask"))
      Value = "uint";
    else if (L.contains("uchar") || L.contains("pixel_t"))
      Value = "uchar";
    else if (L.contains("half"))
      Value = "half";
    else
      Value = "float";
    if (!Lanes && L.contains("vec") && !L.contains("elem"))
      Value += "4";
  }
  // A vector's name keeps its lanes: T4, real2.
  if (!Sized && Lanes)
    Value += Digits;
  return {"", Value, true, Guessed};
}

bool isSwizzle(StringRef S) {
  if (S == "lo" || S == "hi" || S == "even" || S == "odd")
    return true;
  if (S.size() <= 4 && (S.find_first_not_of("xyzw") == StringRef::npos ||
                        S.find_first_not_of("rgba") == StringRef::npos))
    return true;
  return S.size() > 1 && (S[0] == 's' || S[0] == 'S') &&
         llvm::all_of(S.drop_front(), llvm::isHexDigit);
}

} // namespace clmali::model
