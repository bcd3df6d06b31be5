//===-- checks/model/host/repair/CodePatterns.cpp - How code uses a name ------===//

#include "checks/model/host/repair/CodePatterns.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace clmali::model {

StringRef integerType(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Cases("uchar", "byte", "BYTE", "u8", "uint8", "unsigned char")
      .Cases("ushort", "u16", "uint16", "WORD", "unsigned short")
      .Cases("uint", "u32", "uint32", "UINT", "DWORD", "unsigned int")
      .Cases("ulong", "u64", "uint64", "unsigned long")
      .Default("");
}

StringRef wordAt(StringRef Line, unsigned Column) {
  return Line.drop_front(std::min<size_t>(Column ? Column - 1 : 0, Line.size()))
      .drop_while([](char C) { return !isWord(C); })
      .take_while(isWord);
}

StringRef wordBefore(StringRef Line, unsigned Column) {
  StringRef Head = Line.take_front(Column ? Column - 1 : 0);
  while (!Head.empty() && !isWord(Head.back()))
    Head = Head.drop_back();
  size_t Begin = Head.size();
  while (Begin && isWord(Head[Begin - 1]))
    --Begin;
  return Head.drop_front(Begin);
}

bool isAllCapitals(StringRef Name) {
  return Name.size() > 3 && none_of(Name, [](char C) { return isLower(C); });
}

bool standsBeforeType(StringRef Name, StringRef Rest) {
  Rest = Rest.take_front(256);
  StringRef Type = Rest.take_while(isWord);
  Rest = Rest.drop_front(Type.size()).ltrim(" \t*&");
  bool Qualifies = StringSwitch<bool>(Type)
                       .Cases("const", "volatile", "static", "inline", "restrict", true)
                       .Default(false);
  if (!isAllCapitals(Name) || Type.empty() || Qualifies)
    return false;
  // The name may be on a line of its own.
  StringRef Line = Rest.take_until([](char C) { return C == '\n'; });
  bool Alone = Line.trim().empty();
  Rest = Alone ? Rest.ltrim() : Line;
  StringRef Declared = Rest.take_while(isWord);
  // Another such macro ends the line: `JNIEXPORT void JNICALL`.
  if (StringRef Behind = Rest.drop_front(Declared.size()).ltrim();
      !Alone && isAllCapitals(Declared) && Behind.empty())
    return true;
  return !Declared.empty() && !isDigit(Declared.front()) &&
         (Alone ? Rest.drop_front(Declared.size()).ltrim().starts_with("(") : Rest.contains('('));
}

bool isNumberByUse(StringRef Name, StringRef Code) {
  if (Name.size() < 2 || any_of(Name, [](char C) { return isLower(C); }))
    return false;
  for (size_t At = Code.find(Name); At != StringRef::npos; At = Code.find(Name, At + 1)) {
    if ((At && isWord(Code[At - 1])) ||
        (At + Name.size() < Code.size() && isWord(Code[At + Name.size()])))
      continue;
    StringRef Rest = Code.drop_front(At + Name.size()).ltrim(" \t");
    if (Rest.starts_with("(") || Rest.starts_with(".") || Rest.starts_with("->") ||
        Rest.starts_with("::") || Rest.starts_with("["))
      return false;
  }
  return true;
}

std::string apiType(StringRef Name, StringRef Code, bool IsCpp) {
  std::string Type;
  auto Agrees = [&](StringRef T) {
    bool Same = Type.empty() || Type == T;
    Type = T.str();
    return Same;
  };
  for (size_t At = Code.find(Name); At != StringRef::npos; At = Code.find(Name, At + 1)) {
    if ((At && isWord(Code[At - 1])) ||
        (At + Name.size() < Code.size() && isWord(Code[At + Name.size()])))
      continue;
    StringRef Rest = Code.drop_front(At + Name.size()).ltrim();
    // An array or a class of them; another's member of that name.
    if (Rest.starts_with("[") || Rest.starts_with("(") || Rest.starts_with("::"))
      return "";
    StringRef Before = Code.take_front(At).rtrim();
    bool Member = Before.ends_with(".") || (Before.ends_with("->") && !Before.ends_with("this->"));
    bool Pointer = Rest.starts_with("->");
    if (Pointer || Rest.starts_with(".")) {
      StringRef Called = Rest.drop_front(Pointer ? 2 : 1).ltrim().take_while(isWord);
      bool Enqueues = StringSwitch<bool>(Called)
                          .Cases("enqueueNDRangeKernel", "enqueueReadBuffer", "enqueueWriteBuffer",
                                 "enqueueMapBuffer", true)
                          .Default(false);
      if (IsCpp && Called == "setArg" && !Agrees(Pointer ? "cl::Kernel *" : "cl::Kernel"))
        return "";
      if (IsCpp && Enqueues && !Agrees(Pointer ? "cl::CommandQueue *" : "cl::CommandQueue"))
        return "";
      continue;
    }
    if (Member || !Rest.consume_front("=") || Rest.starts_with("="))
      continue;
    Rest = Rest.ltrim();
    if (IsCpp && Rest.consume_front("cl::")) {
      StringRef Class = Rest.take_while(isWord);
      if (!StringSwitch<bool>(Class)
               .Cases("Program", "Kernel", "Buffer", "CommandQueue", "Context", "Device",
                      "Platform", true)
               .Default(false) ||
          !Rest.drop_front(Class.size()).ltrim().starts_with("("))
        return "";
      if (!Agrees(("cl::" + Class).str()))
        return "";
      continue;
    }
    StringRef Made =
        StringSwitch<StringRef>(Rest.take_while(isWord))
            .Case("clCreateKernel", "cl_kernel")
            .Cases("clCreateProgramWithSource", "clCreateProgramWithBinary", "cl_program")
            .Cases("clCreateBuffer", "clCreateImage", "clCreateImage2D", "clCreateImage3D",
                   "cl_mem")
            .Cases("clCreateCommandQueue", "clCreateCommandQueueWithProperties", "cl_command_queue")
            .Cases("clCreateContext", "clCreateContextFromType", "cl_context")
            .Default("");
    if (!Made.empty() && !Agrees(Made))
      return "";
  }
  return Type;
}

size_t memberOfTemplate(StringRef Name, StringRef Code, StringRef &Parameters) {
  for (size_t At = Code.find(Name); At != StringRef::npos; At = Code.find(Name, At + 1)) {
    StringRef Rest = Code.drop_front(At + Name.size()).ltrim(), Before = Code.take_front(At);
    if (isWord(At ? Code[At - 1] : ' ') || !Rest.consume_front("<") ||
        !Rest.drop_until([](char C) { return C == '>'; }).drop_front(1).ltrim().starts_with("::"))
      continue;
    size_t Head = Before.rfind("template");
    StringRef List = Head == StringRef::npos ? StringRef() : Before.drop_front(Head + 8).ltrim();
    if (!List.consume_front("<") || List.find_first_of(";{}") != StringRef::npos)
      continue;
    Parameters = List.take_until([](char C) { return C == '>'; });
    if (!Parameters.trim().empty() && !Parameters.contains('<'))
      return At;
  }
  return StringRef::npos;
}

std::string namespacesAround(StringRef Code, size_t Offset) {
  std::vector<StringRef> Around;
  for (size_t At = Code.find_first_of("{}"); At < Offset; At = Code.find_first_of("{}", At + 1)) {
    if (Code[At] == '}') {
      if (!Around.empty())
        Around.pop_back();
      continue;
    }
    StringRef Before = Code.take_front(At).rtrim();
    size_t Begin = Before.size();
    while (Begin && (isWord(Before[Begin - 1]) || Before[Begin - 1] == ':'))
      --Begin;
    StringRef Word = Before.take_front(Begin).rtrim();
    bool IsNamespace = Word.consume_back("namespace") && (Word.empty() || !isWord(Word.back()));
    Around.push_back(IsNamespace ? Before.drop_front(Begin) : StringRef());
  }
  std::string Result;
  for (StringRef One : Around)
    if (!One.empty())
      Result += (One + "::").str();
  return Result;
}

StringRef exportMacroOf(StringRef Line, StringRef Rest, StringRef Message) {
  Line = Line.ltrim();
  if (!Line.consume_front("class ") && !Line.consume_front("struct "))
    return "";
  StringRef Name = Line.ltrim().take_while(isWord);
  Line = Line.ltrim().drop_front(Name.size()).ltrim();
  StringRef Class = Line.take_while(isWord);
  Line = Line.drop_front(Class.size()).ltrim();
  if (Line.consume_front("final"))
    Line = Line.ltrim();
  StringRef Next = Line.empty() ? Rest.ltrim() : Line;
  bool Defines = Next.starts_with("{") || (Next.starts_with(":") && !Next.starts_with("::"));
  if (!Defines || Class.empty() || Class == "final" || isDigit(Class.front()))
    return "";
  StringRef Type = Message.split('\'').second.take_until([](char C) { return C == '\''; });
  if (Type.consume_front("class ") || Type.consume_front("struct "))
    Type = Type.rsplit("::").second.empty() ? Type : Type.rsplit("::").second;
  else
    Type = Name;
  return isAllCapitals(Type) ? Type : StringRef();
}

StringRef macroAround(StringRef Code, size_t Offset, bool &Later) {
  int Depth = 0;
  for (size_t At = std::min(Offset, Code.size()), Least = At > 2000 ? At - 2000 : 0;
       At-- > Least;) {
    if (Code[At] == ';' || Code[At] == '{' || Code[At] == '}')
      return "";
    Depth += Code[At] == ')' ? 1 : Code[At] == '(' ? -1 : 0;
    Later |= Depth == 0 && Code[At] == ',';
    if (Depth >= 0)
      continue;
    size_t End = At;
    while (At && isWord(Code[At - 1]))
      --At;
    StringRef Name = Code.slice(At, End), Before = Code.take_front(At).rtrim();
    bool Capitals = Name.size() > 2 && !isDigit(Name.front()) &&
                    none_of(Name, [](char C) { return isLower(C); });
    bool Starts = Before.empty() || StringRef(";{})").contains(Before.back());
    return Capitals && Starts && !Code.contains(("define " + Name).str()) ? Name : StringRef();
  }
  return "";
}

std::set<std::string> functionHeadMacros(StringRef Code) {
  std::set<std::string> Result;
  unsigned Depth = 0; ///< braces but those of namespaces
  SmallVector<bool, 16> Counted;
  bool AtLineStart = true, Directive = false;
  for (size_t At = 0; At < Code.size(); ++At) {
    char C = Code[At];
    if (C == '\n') {
      Directive = Directive && At && Code[At - 1] == '\\';
      AtLineStart = true;
      continue;
    }
    Directive |= AtLineStart && C == '#';
    AtLineStart &= isSpace(C);
    if (Directive)
      continue;
    if (C == '"' || C == '\'') {
      while (++At < Code.size() && Code[At] != C && Code[At] != '\n')
        At += Code[At] == '\\';
      continue;
    }
    if (C == '{') {
      StringRef Before = Code.take_front(At).rtrim();
      StringRef Line = Before.drop_front(Before.find_last_of(";{}") + 1);
      bool Opens = Line.ltrim().starts_with("namespace") || Line.contains("\nnamespace ") ||
                   Line.ends_with("extern \"C\"");
      Counted.push_back(!Opens);
      Depth += !Opens;
    } else if (C == '}' && !Counted.empty()) {
      Depth -= Counted.pop_back_val();
    }
    if (Depth || !isWord(C) || (At && isWord(Code[At - 1])))
      continue;
    StringRef Name = Code.drop_front(At).take_while(isWord), Before = Code.take_front(At).rtrim();
    size_t Behind = At + Name.size();
    At = Behind - 1;
    // A call at the begin of a statement; the line above may be a directive.
    StringRef Line = Before.drop_front(Before.find_last_of('\n') + 1);
    bool Starts =
        Before.empty() || StringRef(";{}").contains(Before.back()) || Line.ltrim().starts_with("#");
    if (!Starts || !isAllCapitals(Name) || isDigit(Name.front()) ||
        !Code.drop_front(Behind).ltrim().starts_with("("))
      continue;
    size_t End = Code.find('(', Behind);
    for (int Open = 0; End < Code.size() && End < Behind + 400; ++End) {
      Open += Code[End] == '(' ? 1 : Code[End] == ')' ? -1 : 0;
      if (!Open)
        break;
    }
    if (Code.drop_front(std::min(End + 1, Code.size())).ltrim().starts_with("{") &&
        !Code.contains((Name + "::").str()) && !Code.contains(("define " + Name).str()))
      Result.insert(Name.str());
  }
  return Result;
}

bool isNamespace(StringRef Name, StringRef Code) {
  for (size_t At = Code.find(Name); !Name.empty() && At != StringRef::npos;
       At = Code.find(Name, At + 1)) {
    StringRef Before = Code.take_front(At), Rest = Code.drop_front(At + Name.size());
    if (Before.rtrim().ends_with("namespace") && Before.size() != Before.rtrim().size() &&
        Rest.ltrim().starts_with("{"))
      return true;
  }
  return false;
}

} // namespace clmali::model
