//===-- checks/model/frontend/tolerant/Repairs.cpp - Code that other compilers accept -===//
//
// Each function answers one kind of diagnostic, and returns nothing for others.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/Definitions.h"
#include "checks/model/frontend/tolerant/MacroInference.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace clmali::model {

using MaybeDefinition = std::optional<Definition>;

Definition define(StringRef Name, const Meaning &M) {
  return {Name.str() + M.Parameters, M.Value, M.MayBeInteger, {}, {}};
}

Definition defineType(const TokenScan &T, StringRef Name, const Meaning &M) {
  // A name that says which vector or number it is, is no structure.
  std::string Members = M.MayBeInteger ? T.membersOf(Name) : std::string();
  if (Members.empty())
    return define(Name, M);
  return {Name.str(), ("struct clmali_" + Name).str(), /*MayBeInteger=*/true, Members, {}};
}

bool isVectorOrNumber(StringRef Word) {
  return llvm::StringSwitch<bool>(Word.rtrim("0123456789"))
      .Cases("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", true)
      .Cases("float", "double", "half", true)
      .Default(false);
}

/// "scalar operand type has greater rank than the type of the vector element. ('float4' (..) and
/// 'double')"
bool mixesDouble(StringRef Message) {
  return Message.starts_with("scalar operand type has greater rank") &&
         Message.contains("'double'") && Message.contains("'float' values");
}

namespace {

/// A macro that replaces calls of Name.
Definition replaceCalls(const llvm::Twine &Name, const llvm::Twine &Value,
                        const llvm::Twine &Note) {
  return {Name.str(), Value.str(), false, {}, Note.str()};
}

/// Text to include before the file. Key: under which name the definition is known.
Definition includeText(std::string Key, StringRef Before, std::string Note) {
  Definition Result{std::move(Key), Before.str(), false, {}, std::move(Note)};
  Result.IsText = true;
  return Result;
}

/// A word that a declaration of types of the language may have.
bool isDeclarationWord(StringRef Word) {
  return llvm::StringSwitch<bool>(Word.rtrim("0123456789"))
      .Cases("void", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", true)
      .Cases("float", "double", "half", "bool", "size_t", "unsigned", "signed", "const", "inline",
             true)
      .Cases("static", "restrict", "volatile", "global", "local", "constant", "private", true)
      .Cases("__global", "__local", "__constant", "__private", "__inline", "image", "sampler_t",
             true)
      .Default(false);
}

/// The declaration of a function that the file defines later with types of the language: "float
/// f(float x);". Empty: there is none.
std::string declarationOf(StringRef Text, StringRef Name) {
  for (size_t At = Text.find(Name); At != StringRef::npos; At = Text.find(Name, At + 1)) {
    StringRef Rest = Text.drop_front(At + Name.size());
    size_t Close = Rest.find(')');
    if ((At && isNameChar(Text[At - 1])) || !Rest.ltrim().starts_with("(") ||
        Close == StringRef::npos || !Rest.drop_front(Close + 1).ltrim().starts_with("{"))
      continue;
    size_t Begin = Text.take_front(At).find_last_of(";}\n");
    StringRef Head =
        Text.slice(Begin == StringRef::npos ? 0 : Begin + 1, At + Name.size() + Close + 1).trim();
    bool Plain = wordAt(Head) != Name;
    for (StringRef Left = Head; !Left.empty() && Plain;) {
      StringRef Word = wordAt(Left);
      Left = Left.drop_front(std::max<size_t>(Word.size(), 1));
      if (Word.empty() || Word == Name)
        continue;
      StringRef Then = Left.ltrim(); // after a parameter's name
      if (Then.starts_with(",") || Then.starts_with(")") || Then.starts_with("["))
        continue;
      Plain = isDeclarationWord(Word);
    }
    if (Plain)
      return Head.str() + ";";
  }
  return "";
}

/// atomic_add of a long, which is called atom_add.
MaybeDefinition longAtomic(StringRef Name) {
  StringRef Operation = Name;
  if (!Operation.consume_front("atomic_") ||
      !llvm::is_contained(
          {"add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor"},
          Operation))
    return std::nullopt;
  StringRef Arguments = llvm::is_contained({"inc", "dec"}, Operation) ? "(a)"
                        : Operation == "cmpxchg"                      ? "(a,b,c)"
                                                                      : "(a,b)";
  return replaceCalls(Name + Arguments, "atom_" + Operation + Arguments,
                      Name + " is taken for 64-bit operands, too");
}

bool isFloatFunction(StringRef Name) {
  return llvm::is_contained(
      {"sqrt",       "log",          "log2",         "log10",       "exp",         "exp2",
       "sin",        "cos",          "tan",          "fabs",        "floor",       "ceil",
       "round",      "rsqrt",        "trunc",        "atan",        "acos",        "asin",
       "sinh",       "cosh",         "tanh",         "asinh",       "acosh",       "atanh",
       "cbrt",       "erf",          "erfc",         "exp10",       "expm1",       "log1p",
       "rint",       "sinpi",        "cospi",        "sign",        "degrees",     "radians",
       "native_log", "native_log10", "native_recip", "native_tan",  "native_sqrt", "native_log2",
       "native_exp", "native_sin",   "native_cos",   "native_rsqrt"},
      Name);
}

/// Ambiguous calls of built-ins: pow(x, 2) of a float, min(id, 255). Converts all arguments to one
/// type.
MaybeDefinition ambiguousCall(const TokenScan &T, StringRef Message, StringRef Name) {
  if (!Message.ends_with("is ambiguous") || !Message.starts_with("call to '") || T.defines(Name))
    return std::nullopt;
  if (MaybeDefinition Atomic = longAtomic(Name))
    return Atomic;
  std::string Note = ("the arguments of " + Name + " are taken as of one type").str();
  auto Both = [&](StringRef More) {
    std::string As = ("((__typeof__((a)+(b)" + More + "))").str();
    return replaceCalls(Name + "(a,b)", Name + "(" + As + "(a))," + As + "(b)))", Note);
  };
  if (llvm::is_contained(
          {"min", "max", "mul24", "mul_hi", "hadd", "rhadd", "add_sat", "sub_sat", "rotate"}, Name))
    return Both("");
  if (llvm::is_contained({"clamp", "mix", "mad", "fma", "smoothstep", "mad24", "mad_hi", "mad_sat"},
                         Name)) {
    std::string As = Name == "clamp" || Name.starts_with("mad_") || Name == "mad24"
                         ? "((__typeof__((a)+(b)+(c)))"
                         : "((__typeof__((a)+(b)+(c)+0.0f))";
    return replaceCalls(Name + "(a,b,c)", Name + "(" + As + "(a))," + As + "(b))," + As + "(c)))",
                        Note);
  }
  if (Name == "abs") // of a float
    return replaceCalls("abs(a)", "fabs((__typeof__((a)+0.0f))(a))", Note);
  if (llvm::is_contained({"pow", "fmin", "fmax", "fmod", "atan2", "hypot", "fdim", "step", "powr"},
                         Name))
    return Both("+0.0f");
  if (isFloatFunction(Name))
    return replaceCalls(Name + "(a)", Name + "((__typeof__((a)+0.0f))(a))", Note);
  return std::nullopt;
}

/// `struct X *p`, where X is of a missing header: a structure of the members in use.
MaybeDefinition incompleteStructure(const TokenScan &T, StringRef Message) {
  size_t Incomplete = Message.contains("incomplete") ? Message.find("type '") : StringRef::npos;
  if (Incomplete == StringRef::npos)
    return std::nullopt;
  StringRef Type = Message.drop_front(Incomplete + strlen("type '")).take_until([](char C) {
    return C == '\'';
  });
  size_t Struct = Type.rfind("struct ");
  StringRef Name =
      Struct == StringRef::npos ? StringRef() : wordAt(Type.drop_front(Struct + strlen("struct ")));
  std::string Members = isName(Name) ? T.membersOf(Name) : std::string();
  if (Members.empty())
    return std::nullopt;
  return Definition{Name.str(), ("struct " + Name).str(), true, Members, {}};
}

/// Language features that a pragma, an option or another keyword enables.
MaybeDefinition missingFeature(const TokenScan &T, StringRef Message) {
  if (Message.contains("requires cl_khr_fp16") || Message.contains("half' is not allowed"))
    return includeText("cl_khr_fp16", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
                       "cl_khr_fp16 is taken as enabled");
  if (Message.ends_with("does not support the 'auto' storage class specifier"))
    return replaceCalls("auto", "__auto_type", "OpenCL C has no auto");
  // float4 * 0.5, in a file without double
  bool Doubles = false;
  for (const char *Type : {"double", "double2", "double3", "double4", "double8", "double16"})
    Doubles |= T.uses(Type);
  if (!mixesDouble(Message) || Doubles)
    return std::nullopt;
  Definition Result{"-cl-single-precision-constant", "", false, {}, FloatLiterals.str()};
  Result.IsOption = true;
  return Result;
}

/// Conversions in the form of C++: float2(x, y), 1 / float(x).
MaybeDefinition functionalCast(const TokenScan &T, const ParseDiagnostic &D, StringRef Text,
                               StringRef Name) {
  StringRef Message = D.Message;
  if (Message == "expected expression")
    if (StringRef Word = wordAt(textFrom(Text, D)); isVectorOrNumber(Word))
      Name = Word;
  if ((!Message.starts_with("unexpected type name") && Message != "expected expression") ||
      !isName(Name) || !T.uses(Name))
    return std::nullopt;
  StringRef Rest = textFrom(Text, D);
  if (!Rest.consume_front(Name) || !Rest.ltrim().starts_with("(") || T.defines(Name))
    return std::nullopt;
  return replaceCalls(Name + "(...)", "((" + Name + ")(__VA_ARGS__))",
                      Name + "(..) is taken as a conversion");
}

/// `float a[COUNT]`, where the file defines COUNT as a negative number to mark that the host has to
/// define it.
MaybeDefinition negativeSize(const TokenScan &T, const ParseDiagnostic &D, StringRef Text) {
  if (!StringRef(D.Message).contains("array with a negative size"))
    return std::nullopt;
  for (StringRef Line = lineOf(Text, D); !Line.empty();
       Line = Line.drop_front(std::max<size_t>(wordAt(Line).size(), 1)))
    if (StringRef Word = wordAt(Line); isName(Word) && T.defines(Word) && T.tests(Word))
      return Definition{Word.str(), "16", false, {}, {}};
  return std::nullopt;
}

/// A macro call between functions: KERNELS_OF(add, a + b).
MaybeDefinition callBetweenFunctions(const TokenScan &T, const ParseDiagnostic &D, StringRef Text) {
  StringRef Message = D.Message;
  if (!Message.starts_with("expected function body") &&
      !Message.starts_with("type specifier missing") &&
      !Message.starts_with("expected parameter declarator") &&
      !Message.starts_with("expected ')'") && !Message.starts_with("expected identifier") &&
      !Message.starts_with("a parameter list without types"))
    return std::nullopt;
  StringRef Line = lineOf(Text, D), Word = wordAt(Line);
  if (!isName(Word) || llvm::any_of(Word, llvm::isLower) ||
      !Line.drop_front(Word.size()).ltrim().starts_with("(") || T.defines(Word))
    return std::nullopt;
  Meaning M = T.meaning(Word);
  if (M.Parameters.empty() || !M.Value.empty())
    return std::nullopt;
  return define(Word, M);
}

} // namespace

std::optional<Definition> repair(const TokenScan &T, const ParseDiagnostic &D, StringRef FileName,
                                 StringRef Text) {
  StringRef Message = D.Message, Name = quoted(Message);
  if (MaybeDefinition R = ambiguousCall(T, Message, Name))
    return R;
  if (MaybeDefinition R = incompleteStructure(T, Message))
    return R;
  if (D.File != FileName)
    return std::nullopt;
  // A function that is called before its definition.
  bool Undeclared = Message.contains("implicit declaration of function") ||
                    Message.starts_with("use of undeclared identifier");
  if (Undeclared && isName(Name) && !T.defines(Name))
    if (std::string Head = declarationOf(Text, Name); !Head.empty())
      return includeText(Name.str(), Head,
                         ("function " + Name + " is called before it is declared").str());
  if (MaybeDefinition R = missingFeature(T, Message))
    return R;
  if (MaybeDefinition R = functionalCast(T, D, Text, Name))
    return R;
  if (MaybeDefinition R = negativeSize(T, D, Text))
    return R;
  // #if gpu_of(DEVICE): false
  if (Message.starts_with("function-like macro ") && Message.ends_with("is not defined") &&
      isName(Name))
    return Definition{Name.str() + "(...)", "0", false, {}, {}};
  return callBetweenFunctions(T, D, Text);
}

} // namespace clmali::model
