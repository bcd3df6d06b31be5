//===- Json.cpp -------------------------------------------------------------------------------===//

#include "tools/layer/text/Json.h"
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace clmali::layer {
namespace {

constexpr unsigned MaxDepth = 64;

class Parser {
public:
  explicit Parser(std::string_view Text) : Text(Text) {}
  std::optional<Json> run() {
    Json J;
    if (!value(J, 0))
      return std::nullopt;
    space();
    if (At != Text.size())
      return std::nullopt;
    return J;
  }

private:
  void space() {
    while (At < Text.size() && std::string_view(" \t\r\n").find(Text[At]) != std::string_view::npos)
      ++At;
  }
  bool take(std::string_view Token) {
    space();
    if (Text.substr(At, Token.size()) != Token)
      return false;
    At += Token.size();
    return true;
  }

  static void appendUtf8(std::string &Out, uint32_t C) {
    if (C < 0x80) {
      Out += char(C);
    } else if (C < 0x800) {
      Out += char(0xc0 | C >> 6);
      Out += char(0x80 | (C & 0x3f));
    } else if (C < 0x10000) {
      Out += char(0xe0 | C >> 12);
      Out += char(0x80 | (C >> 6 & 0x3f));
      Out += char(0x80 | (C & 0x3f));
    } else {
      Out += char(0xf0 | C >> 18);
      Out += char(0x80 | (C >> 12 & 0x3f));
      Out += char(0x80 | (C >> 6 & 0x3f));
      Out += char(0x80 | (C & 0x3f));
    }
  }
  bool hex(uint32_t &Out) {
    if (At + 4 > Text.size())
      return false;
    auto [End, Error] = std::from_chars(Text.data() + At, Text.data() + At + 4, Out, 16);
    At += 4;
    return Error == std::errc() && End == Text.data() + At;
  }
  bool escape(std::string &Out) {
    char C = Text[At++];
    static constexpr std::string_view From = "bfnrt\"\\/", To = "\b\f\n\r\t\"\\/";
    if (size_t I = From.find(C); I != std::string_view::npos) {
      Out += To[I];
      return true;
    }
    uint32_t Code = 0;
    if (C != 'u' || !hex(Code))
      return false;
    if (Code >= 0xd800 && Code < 0xdc00) {
      uint32_t Low = 0;
      if (Text.substr(At, 2) != "\\u")
        return false;
      At += 2;
      if (!hex(Low) || Low < 0xdc00 || Low >= 0xe000)
        return false;
      Code = 0x10000 + ((Code - 0xd800) << 10) + (Low - 0xdc00);
    }
    appendUtf8(Out, Code);
    return true;
  }
  bool string(std::string &Out) {
    if (!take("\""))
      return false;
    while (At < Text.size() && Text[At] != '"') {
      char C = Text[At++];
      if (C != '\\')
        Out += C;
      else if (At == Text.size() || !escape(Out))
        return false;
    }
    return At++ < Text.size();
  }
  bool number(Json &J) {
    space();
    size_t End = At;
    while (End < Text.size() &&
           std::string_view("+-.0123456789eE").find(Text[End]) != std::string_view::npos)
      ++End;
    std::string Digits(Text.substr(At, End - At));
    const char *Last = Digits.data() + Digits.size();
    if (auto [P, Error] = std::from_chars(Digits.data(), Last, J.Integer);
        Error == std::errc() && P == Last) {
      J.K = Json::Kind::Integer;
      J.Number = double(J.Integer);
    } else {
      char *Stop = nullptr;
      J.K = Json::Kind::Number;
      J.Number = std::strtod(Digits.c_str(), &Stop);
      if (Digits.empty() || *Stop)
        return false;
    }
    At = End;
    return true;
  }
  bool array(Json &J, unsigned Depth) {
    J.K = Json::Kind::Array;
    if (take("]"))
      return true;
    do {
      J.Array.emplace_back();
      if (!value(J.Array.back(), Depth + 1))
        return false;
    } while (take(","));
    return take("]");
  }
  bool object(Json &J, unsigned Depth) {
    J.K = Json::Kind::Object;
    if (take("}"))
      return true;
    do {
      std::string Key;
      if (!string(Key) || !take(":") || !value(J.Object[Key], Depth + 1))
        return false;
    } while (take(","));
    return take("}");
  }
  bool value(Json &J, unsigned Depth) {
    if (Depth > MaxDepth)
      return false;
    if (take("{"))
      return object(J, Depth);
    if (take("["))
      return array(J, Depth);
    if (take("null"))
      return true;
    for (bool B : {true, false})
      if (take(B ? "true" : "false")) {
        J.K = Json::Kind::Bool;
        J.Integer = B;
        return true;
      }
    if (At < Text.size() && Text[At] == '"') {
      J.K = Json::Kind::String;
      return string(J.String);
    }
    return number(J);
  }

  std::string_view Text;
  size_t At = 0;
};

} // namespace

const Json &Json::operator[](std::string_view Key) const {
  static const Json Null;
  auto It = Object.find(Key);
  return It == Object.end() ? Null : It->second;
}

std::optional<Json> parseJson(std::string_view Text) { return Parser(Text).run(); }

std::string quoted(std::string_view Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\') {
      Out += '\\';
      Out += C;
    } else if (static_cast<unsigned char>(C) < 0x20) {
      char Code[8];
      std::snprintf(Code, sizeof Code, "\\u%04x", C);
      Out += Code;
    } else {
      Out += C;
    }
  }
  return Out + "\"";
}

} // namespace clmali::layer
