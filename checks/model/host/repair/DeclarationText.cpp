//===-- checks/model/host/repair/DeclarationText.cpp - Inferred declarations as text ---===//

#include "checks/model/host/repair/CodePatterns.h"
#include "checks/model/host/repair/MissingDeclarations.h"

using namespace llvm;

namespace clmali::model {

/// The class that stands for all missing ones: it converts to and from everything. Its operators
/// are found by argument dependent lookup.
static constexpr StringLiteral Any = R"(
struct Any;
template <bool> struct If {};
template <> struct If<true> { typedef Any Type; };
struct Any {
  Any();
  template <class... T> Any(T &&...);
  template <class T, class = typename If<!__is_base_of(Any, T)>::Type> operator T &() const;
  operator int() const;
  template <class... T> Any operator()(T &&...) const;
  template <class T> Any operator[](T &&) const;
  template <class T> const Any &operator=(const T &) const;
  template <class T> Any &operator=(const T &);
  Any *operator->() const;
  Any operator*() const;
  Any operator-() const;
  Any operator~() const;
  Any operator&() const;
  bool operator!() const;
  Any operator++() const;
  Any operator++(int) const;
  Any operator--() const;
  Any operator--(int) const;
  Any *begin() const;
  Any *end() const;
)";
static constexpr StringLiteral Operators[] = {"+",  "-",  "*",  "/",  "%",  "&",  "|",
                                              "^",  "<",  ">",  "<=", ">=", "==", "!=",
                                              ">>", "+=", "-=", "*=", "/=", "|=", "&="};

/// The API's types, for variables of Types: the OpenCL headers may be missing as well.
std::string MissingDeclarations::handleTypes() const {
  std::string Result;
  if (none_of(Types, [](const auto &T) { return !T.second.empty(); }))
    return Result;
  for (StringRef Handle : {"kernel", "program", "mem", "command_queue", "context"})
    Result += ("typedef struct _cl_" + Handle + " *cl_" + Handle + ";\n").str();
  if (IsCpp)
    Result += "namespace cl { class Program; class Kernel; class Buffer; class CommandQueue; "
              "class Context; class Device; class Platform; }\n";
  return Result;
}

/// The class with all Members, and its operators; in C a structure.
std::string MissingDeclarations::anyClass() const {
  if (!IsCpp) {
    std::string Result = "struct clmali_missing {\n";
    for (const auto &[Name, K] : Members)
      Result += "  int " + Name + ";\n";
    return Result + "  int clmali_none;\n};\n";
  }
  std::string Result = ("namespace " + Namespace + " {" + Any).str();
  for (const auto &[Name, K] : Members) {
    if (Name == "begin" || Name == "end" || Name == "Any")
      continue;
    if (K == Structure)
      Result += "  typedef Any " + Name + ";\n";
    else if (StringRef(Name).starts_with("enqueue")) // stays a call of the API
      Result += "  template <class... T> int " + Name + "(T &&...) const;\n";
    else if (K == Template) // settings->get<int>("size")
      Result += "  template <class... X, class... T> Any " + Name + "(T &&...) const;\n";
    else
      Result += "  static Any " + Name + ";\n";
  }
  Result += "};\n";
  for (StringRef Op : Operators) {
    Result += ("template <class A, class B> typename If<__is_base_of(Any, A)>::Type operator" + Op +
               "(const A &, const B &);\n")
                  .str();
    Result += ("template <class A, class B> typename If<!__is_base_of(Any, A) && "
               "__is_base_of(Any, B)>::Type operator" +
               Op + "(const A &, const B &);\n")
                  .str();
  }
  Result += "template <class B> const Any &operator<<(const Any &, const B &);\n"
            "template <class A, class B, class = typename If<!__is_base_of(Any, A) && "
            "__is_base_of(Any, B)>::Type> "
            "A &operator<<(A &, const B &);\n}\n";
  return Result;
}

/// A class or class template derived from that class.
std::string MissingDeclarations::classOf(const std::string &Name, Kind K) const {
  std::string Base = (Namespace + "::Any").str();
  // A definition of a member fits only a template with its parameters.
  StringRef Parameters;
  if (K != Template || memberOfTemplate(Name, Plain, Parameters) == StringRef::npos)
    Parameters = "class... T";
  return (K == Template ? "template <" + Parameters.str() + "> " : "") + ("struct " + Name) +
         " : " + Base + " {\n  using " + Base + "::Any;\n  using " + Base + "::operator=;\n  " +
         Name + "();\n  " + Name + "(const " + Base + " &);\n};";
}

/// The declaration of one name, in its namespaces.
std::string MissingDeclarations::declarationOf(const std::string &Full, Kind K) const {
  SmallVector<StringRef, 4> Scopes;
  StringRef(Full).split(Scopes, "::");
  std::string Name = (K == Scope ? "" : Scopes.pop_back_val()).str();
  std::string Result;
  for (StringRef One : Scopes)
    Result += ("namespace " + One + " {").str();
  if (K == Nothing)
    return Result + "\n#define " + Name + "\n";
  if (K == Head)
    return Result + "\n#define " + Name + "(...) static void CLMALI_NAMED(__COUNTER__)()\n";
  if (isMacro(K)) // the declaration last: a loop without braces repeats the first statement
    return Result + "\n#define " + Name +
           (K == Wrapper ? "(first, ...) first; __VA_ARGS__\n"
                         : "(first, ...) __VA_ARGS__; first\n");
  if (!IsCpp && Name == "nullptr") // of C23
    return Result + "\n#define nullptr ((void *)0)\n";
  auto Type = Types.find(Full);
  bool HasType = Type != Types.end() && !Type->second.empty();
  if (K == Integer)
    Result += ("typedef " + integerType(Name) + " " + Name + ";").str();
  else if ((K == Value || K == Constant) && HasType)
    Result += "extern " + Type->second + " " + Name + ";";
  else if (K == Constant)
    Result += "extern int " + Name + ";";
  else if (!IsCpp && K != Scope)
    Result += (K == Template ? "typedef struct clmali_missing " : "typedef int ") + Name + ";";
  else if (K == Value)
    Result += ("extern " + Namespace + "::Any " + Name + ";").str();
  else if (K != Scope)
    Result += classOf(Name, K);
  Result.append(Scopes.size(), '}');
  return Result + "\n";
}

std::string MissingDeclarations::text() const {
  if (Names.empty() && Members.empty())
    return "";
  std::string Result = handleTypes() + anyClass();
  if (any_of(Names, [](const auto &N) { return N.second == Head; }))
    Result +=
        "#define CLMALI_PASTED(n) clmali_function_##n\n#define CLMALI_NAMED(n) CLMALI_PASTED(n)\n";
  for (const auto &[Full, K] : Names)
    Result += declarationOf(Full, K);
  return Result;
}

} // namespace clmali::model
