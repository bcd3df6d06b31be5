//===- KernelMerge.cpp ------------------------------------------------------------------------===//

#include "tools/record/KernelMerge.h"
#include "tools/record/Includes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace clmali::record {
namespace {

constexpr unsigned MostSizes = 200;       // all shapes that the layer keeps of a kernel
constexpr int64_t LargestFactor = 16;     ///< of a relation a >= k * b
constexpr int64_t LargestDifference = 64; ///< of a relation a == b + k

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

std::string quoted(StringRef Text) { return formatv("{0}", json::Value(Text)).str(); }

/// A scalar of \p Size bytes as a launch file gives it.
Expected<std::string> scalarText(const model::Type &T, const uint8_t *Bytes, uint64_t Size) {
  if (T.isFloat()) {
    double Value = 0;
    if (Size == 4) {
      float Single = 0;
      std::memcpy(&Single, Bytes, 4);
      Value = Single;
    } else if (Size == 8) {
      std::memcpy(&Value, Bytes, 8);
    } else {
      return failure("a half as argument");
    }
    if (std::isnan(Value))
      return "nan";
    if (std::isinf(Value))
      return Value < 0 ? "-inf" : "inf";
    char Digits[40];
    std::snprintf(Digits, sizeof Digits, "%.*g", Size == 4 ? 9 : 17, Value);
    std::string Text = Digits;
    // A floating-point literal, and no integer expression.
    return StringRef(Text).find_first_of(".en") == StringRef::npos ? Text + ".0" : Text;
  }
  uint64_t Bits = 0;
  std::memcpy(&Bits, Bytes, std::min<uint64_t>(Size, 8));
  if (!model::isSigned(T.Scalar))
    return std::to_string(Bits);
  unsigned Unused = 64 - 8 * Size;
  return std::to_string(static_cast<int64_t>(Bits << Unused) >> Unused);
}

bool isObject(const PointArgument &A) {
  return A.K == PointArgument::Kind::Image || A.K == PointArgument::Kind::Sampler;
}

} // namespace

bool KernelMerge::sameForm(const Point &A, const Point &B) {
  if (A.Global.size() != B.Global.size() || A.Local.empty() != B.Local.empty() ||
      A.Offset.empty() != B.Offset.empty() || A.Arguments.size() != B.Arguments.size())
    return false;
  for (size_t I = 0; I < A.Arguments.size(); ++I)
    if (A.Arguments[I].Same != B.Arguments[I].Same || A.Arguments[I].K != B.Arguments[I].K ||
        objectText(A.Arguments[I]) != objectText(B.Arguments[I]))
      return false;
  return true;
}

Error KernelMerge::check() const {
  for (const Point &X : Points) {
    if (X.Arguments.size() != K.Params.size())
      return failure("the source gives the kernel another number of arguments");
    for (size_t I = 0; I < X.Arguments.size(); ++I) {
      const PointArgument &A = X.Arguments[I];
      const model::Var &V = *K.Params[I];
      if (!isObject(A) && (A.K != PointArgument::Kind::Value || A.Null) != V.isPointerParam())
        return failure("argument '" + V.Name + "' was not set as the source declares it");
      if (A.K == PointArgument::Kind::Buffer && elementSize(I) == 0)
        return failure("the size of the elements of '" + V.Name + "' is not known");
      if (A.K == PointArgument::Kind::Buffer && A.Size < elementSize(I))
        return failure("the buffer of '" + V.Name + "' is smaller than one element");
      if (A.K == PointArgument::Kind::Value && V.Ty->isScalar() && A.Bytes.size() != V.Ty->Size)
        return failure("argument '" + V.Name + "' has another size than its type");
      if (launch::isReservedName(V.Name) && isInteger(I))
        return failure("argument '" + V.Name + "' has a name that launch files reserve");
    }
  }
  return Error::success();
}

bool KernelMerge::isInteger(size_t I) const {
  return K.Params[I]->Ty->isScalar() && K.Params[I]->Ty->isInteger();
}

uint64_t KernelMerge::elementSize(size_t I) const {
  const model::Type *Elem = K.Params[I]->Ty->Elem;
  return Elem ? Elem->Size : 0;
}

int64_t KernelMerge::integerAt(const Point &X, size_t I) const {
  int64_t Value = 0;
  Expected<std::string> Text =
      scalarText(*K.Params[I]->Ty, X.Arguments[I].Bytes.data(), X.Arguments[I].Bytes.size());
  if (!Text)
    consumeError(Text.takeError());
  else
    (void)StringRef(*Text).getAsInteger(10, Value);
  return Value;
}

Expected<std::string> KernelMerge::valueText(const Point &X, size_t I) const {
  const std::vector<uint8_t> &Bytes = X.Arguments[I].Bytes;
  const model::Type &T = *K.Params[I]->Ty;
  if (X.Arguments[I].Null)
    return quoted("0");
  if (T.isScalar()) {
    Expected<std::string> One = scalarText(T, Bytes.data(), Bytes.size());
    return One ? quoted(*One) : std::move(One);
  }
  // Components of a vector; bytes of anything else.
  std::string Text = "[";
  uint64_t Step = T.isVector() ? T.Size / (T.Lanes == 3 ? 4 : T.Lanes) : 1;
  uint64_t Parts = T.isVector() ? T.Lanes : Bytes.size();
  for (uint64_t Part = 0; Part < Parts; ++Part) {
    if ((Part + 1) * Step > Bytes.size())
      return failure("argument '" + K.Params[I]->Name + "' has another size than its type");
    Expected<std::string> One = T.isVector() ? scalarText(T, &Bytes[Part * Step], Step)
                                             : Expected<std::string>(std::to_string(Bytes[Part]));
    if (!One)
      return One.takeError();
    Text += (Part ? ", " : "") + quoted(*One);
  }
  return Text + "]";
}

/// The integer scalars that vary, that the kernel uses as sizes, or that are a size of the launch.
/// What is 1 in every launch is a stride or a factor that says nothing of the data's size.
void KernelMerge::findVariables() {
  Values.resize(Points.size());
  for (size_t I = 0; I < K.Params.size(); ++I) {
    if (!isInteger(I))
      continue;
    const std::string &Name = K.Params[I]->Name;
    std::vector<int64_t> All;
    for (const Point &X : Points)
      All.push_back(integerAt(X, I));
    bool IsExtent = all_of(All, [](int64_t V) { return V > 1; });
    bool Sizes = Derived && Derived->Sizes.front().count(Name);
    for (const Point &X : Points)
      for (uint64_t G : X.Global)
        Sizes |= G > 1 && static_cast<uint64_t>(All.front()) == G;
    if (all_equal(All) && !(Sizes && IsExtent))
      continue;
    Variables.push_back(Name);
    for (size_t N = 0; N < Points.size(); ++N)
      Values[N][Name] = All[N];
  }
}

/// A new variable with these values.
std::string KernelMerge::own(const std::string &Name, const std::vector<int64_t> &Of) {
  std::string Free = Name;
  while (is_contained(Variables, Free) ||
         any_of(K.Params, [&](const model::Var *V) { return V->Name == Free; }))
    Free += "_";
  Variables.push_back(Free);
  for (size_t N = 0; N < Points.size(); ++N)
    Values[N][Free] = Of[N];
  return Free;
}

/// What sizes may be rounded up to.
std::set<int64_t> KernelMerge::roundings() const {
  std::set<int64_t> Sizes{2, 4, 8, 16, 32, 64, 128, 256, 512};
  for (const Point &X : Points)
    for (uint64_t L : X.Local)
      if (L > 1)
        Sizes.insert(L);
  return Sizes;
}

std::string KernelMerge::sizeOf(const std::string &Name, const std::vector<int64_t> &Of,
                                StringRef Hint) {
  std::optional<std::string> E = Fitter(Variables, Values).size(Of, Hint, roundings());
  return E ? *E : own(Name, Of);
}

std::string KernelMerge::settingOf(const std::string &Name, const std::vector<int64_t> &Of) {
  std::optional<std::string> E = Fitter(Variables, Values).setting(Of, roundings());
  return E ? *E : own(Name, Of);
}

std::string KernelMerge::bufferText(size_t I, const std::string &Count,
                                    const std::string &Data) const {
  const PointArgument &A = Points.front().Arguments[I];
  bool Reads = A.Const;
  if (const launch::Argument *D = Derived ? Derived->findArgument(K.Params[I]->Name) : nullptr)
    Reads |= D->K == launch::Argument::Kind::Buffer && D->Use == launch::Argument::Access::In;
  std::string Text = std::string("buffer: ") + (Reads ? "in" : "inout");
  if (A.Same >= 0)
    return Text + ", data: { same-as: " + K.Params[A.Same]->Name + " }";
  return Text + ", count: " + quoted(Count) +
         (Data.empty() ? "" : ", data: { file: " + quoted(Data) + " }");
}

/// The expression with other names, or expressions in parentheses, in place of \p Names.
std::string KernelMerge::replaced(const std::string &Text,
                                  const std::map<std::string, std::string> &Names) {
  std::string Result;
  for (size_t I = 0; I < Text.size();) {
    size_t End = I;
    while (End < Text.size() && (isAlnum(Text[End]) || Text[End] == '_'))
      ++End;
    std::string Word = Text.substr(I, std::max<size_t>(1, End - I));
    auto It = Names.find(Word);
    const bool Whole =
        It != Names.end() && all_of(It->second, [](char C) { return isAlnum(C) || C == '_'; });
    Result += It == Names.end() ? Word : Whole ? It->second : "(" + It->second + ")";
    I += Word.size();
  }
  return Result;
}

Expected<std::string> KernelMerge::argument(size_t I) {
  const std::string &Name = K.Params[I]->Name;
  std::string Text = "  - { name: " + Name + ", ";
  const PointArgument &A = Points.front().Arguments[I];
  if (A.K == PointArgument::Kind::Value) {
    if (is_contained(Variables, Name))
      return Text + "value: " + quoted(Name) + " }\n";
    if (auto It = Dependents.find(Name); It != Dependents.end())
      return Text + "value: " + quoted(It->second) + " }\n";
    Expected<std::string> Value = valueText(Points.front(), I);
    if (!Value)
      return Value.takeError();
    // A float or a struct may have had other values too: the judge tries its own.
    return Text + "value: " + *Value + " }\n";
  }
  if (A.K == PointArgument::Kind::Sampler)
    return Text + objectText(A) + " }\n";
  if (A.K == PointArgument::Kind::Image)
    return Text + imageText(I, Extents[I], contentsOf(I)) + " }\n";
  std::vector<int64_t> Sizes;
  for (const Point &X : Points)
    Sizes.push_back(A.K == PointArgument::Kind::Local ? X.Arguments[I].Size
                                                      : X.Arguments[I].Size / elementSize(I));
  if (A.K == PointArgument::Kind::Local)
    return Text + "local: " + quoted(settingOf("local_" + Name, Sizes)) + " }\n";
  const launch::Argument *D = Derived ? Derived->findArgument(Name) : nullptr;
  std::string Hint = D && D->K == launch::Argument::Kind::Buffer
                         ? replaced(D->Count.text(), OfDerived)
                         : std::string();
  std::optional<std::string> Count;
  if (A.Same < 0) {
    std::vector<std::string> Names = Variables;
    for (const auto &[Dependent, Value] : Dependents)
      Names.push_back(Dependent);
    std::vector<launch::Bindings> At = Values; // variables of buffers before this one are added
    for (size_t N = 0; N < At.size(); ++N)
      At[N].insert(AllValues[N].begin(), AllValues[N].end());
    Count = Fitter(Names, At).count(Sizes, Hint);
    if (Count)
      Count = replaced(*Count, Dependents);
    if (!Count)
      Count = own("count_" + Name, Sizes);
  }
  return Text + bufferText(I, Count.value_or(""), contentsOf(I)) + " }\n";
}

/// The file with the argument's contents at the first point that has them.
std::string KernelMerge::contentsOf(size_t I) const {
  for (const Point &X : Points)
    if (!X.Arguments[I].File.empty())
      return "../" + X.Arguments[I].File;
  return {};
}

std::string KernelMerge::hint(const std::vector<launch::Expression> &All, size_t D) const {
  if (D >= All.size())
    return "";
  if (std::optional<launch::Expression> Inner = All[D].roundedValue())
    for (const std::string &Name : Inner->names()) // the derivation rounds to a size of its own
      return Inner->names().size() == 1 ? Name : "";
  return All[D].text();
}

std::string KernelMerge::geometry() {
  std::string Text;
  auto list = [&](StringRef Key, auto Of, auto Fit) {
    Text += (Key + ": [").str();
    for (size_t D = 0; D < Points.front().Global.size(); ++D) {
      std::vector<int64_t> All;
      for (const Point &X : Points)
        All.push_back((X.*Of)[D]);
      Text += (D ? ", " : "") + quoted(Fit((Key + "_" + Twine("xyz"[D])).str(), All, D));
    }
    Text += "]\n";
  };
  auto setting = [&](const std::string &Name, const std::vector<int64_t> &All, size_t) {
    Geometry.push_back(settingOf(Name, All));
    return Geometry.back();
  };
  list("global", &Point::Global,
       [&](const std::string &Name, const std::vector<int64_t> &All, size_t D) {
         const std::string Hint = Derived ? hint(Derived->Global, D) : std::string();
         Geometry.push_back(sizeOf(Name, All, Hint));
         // The derivation names a number of work-items that no argument gives.
         if (!Hint.empty() && all_of(Hint, [](char C) { return isAlnum(C) || C == '_'; }) &&
             none_of(K.Params, [&](const model::Var *V) { return V->Name == Hint; }))
           OfDerived[Hint] = Geometry.back();
         return Geometry.back();
       });
  if (!Points.front().Local.empty())
    list("local", &Point::Local, setting);
  if (!Points.front().Offset.empty())
    list("offset", &Point::Offset, setting);
  return Text;
}

std::string KernelMerge::sizes() const {
  std::vector<launch::Bindings> Seen;
  std::string Text = "sizes:\n";
  for (const launch::Bindings &One : Values) {
    if (is_contained(Seen, One) || Seen.size() >= MostSizes)
      continue;
    Seen.push_back(One);
    std::string Entry;
    for (const auto &[Name, Value] : One)
      Entry += (Entry.empty() ? "" : ", ") + Name + ": " + std::to_string(Value);
    Text += "  - { " + Entry + " }\n";
  }
  return Text;
}

/// K, if A = K * B at all points; 0: it is not.
static int64_t ratio(ArrayRef<launch::Bindings> Values, const std::string &A,
                     const std::string &B) {
  std::set<int64_t> Ratios;
  for (const launch::Bindings &One : Values)
    Ratios.insert(One.at(B) > 0 && One.at(A) % One.at(B) == 0 ? One.at(A) / One.at(B) : 0);
  return Ratios.size() == 1 && *Ratios.begin() <= LargestFactor ? *Ratios.begin() : 0;
}

/// K, if A = B + K at all points and B varies; 0: it is not.
static int64_t difference(ArrayRef<launch::Bindings> Values, const std::string &A,
                          const std::string &B) {
  std::set<int64_t> Differences, Bs;
  for (const launch::Bindings &One : Values) {
    Differences.insert(One.at(A) - One.at(B));
    Bs.insert(One.at(B));
  }
  return Differences.size() == 1 && Bs.size() > 1 &&
                 std::abs(*Differences.begin()) <= LargestDifference
             ? *Differences.begin()
             : 0;
}

/// True if the kernel multiplies the argument by another one to address a buffer.
bool KernelMerge::isPitch(const std::string &Name) const {
  if (!Derived)
    return false;
  for (const launch::Argument &A : Derived->Args)
    if (A.K == launch::Argument::Kind::Buffer)
      for (const std::string &Other : A.Count.names())
        if (Other != Name && (StringRef(A.Count.text()).contains(Name + " * " + Other) ||
                              StringRef(A.Count.text()).contains(Other + " * " + Name)))
          // Of rows and pitch, the geometry has the rows.
          return none_of(Derived->Global, [&](const launch::Expression &E) {
            return is_contained(E.names(), Name);
          });
  return false;
}

/// True if an expression of the launch's sizes has the variable.
bool KernelMerge::inGeometry(const std::string &Name) const {
  return any_of(Geometry, [&](const std::string &Text) {
    Expected<launch::Expression> E = launch::Expression::parse(Text);
    if (!E) {
      consumeError(E.takeError());
      return false;
    }
    return is_contained(E->names(), Name);
  });
}

/// An expression from which the variable's value follows at all points, or an empty text.
///
/// Equal values are one value until a launch shows that they differ: leading dimensions, say. A
/// multiple of a size of the launch, or a constant apart from it, is one only where nothing says
/// that the variable is a pitch: a pitch may be larger. \p Kept: variables before this one.
std::string KernelMerge::dependence(const std::string &Name,
                                    const std::vector<std::string> &Kept) const {
  if (inGeometry(Name))
    return "";
  const bool Tells = any_of(Values, [&](const launch::Bindings &One) { return One.at(Name) > 4; });
  for (const std::string &B : Variables)
    if (Name != B && inGeometry(B) && (Tells || !isPitch(Name)) && ratio(Values, Name, B) == 1)
      return B;
  if (!isPitch(Name)) {
    for (const std::string &B : Variables)
      if (int64_t Factor = Name != B && inGeometry(B) ? ratio(Values, Name, B) : 0)
        return std::to_string(Factor) + " * " + B;
    // The rows of an image with a border above and below, say.
    for (const std::string &B : Variables)
      if (int64_t More = Name != B && inGeometry(B) ? difference(Values, Name, B) : 0)
        return B + (More < 0 ? " - " : " + ") + std::to_string(std::abs(More));
  }
  for (const std::string &B : Kept)
    if (Tells && !inGeometry(B) && ratio(Values, Name, B) == 1)
      return B;
  return "";
}

void KernelMerge::findDependents() {
  std::vector<std::string> Kept;
  // A pitch depends on its row, not the row on its pitch.
  std::vector<std::string> Order = Variables;
  std::stable_partition(Order.begin(), Order.end(),
                        [this](const std::string &Name) { return !isPitch(Name); });
  for (const std::string &Name : Order) {
    std::string Value = dependence(Name, Kept);
    if (Value.empty())
      Kept.push_back(Name);
    else
      Dependents[Name] = Value;
  }
  Variables = Kept;
  AllValues = Values;
  for (launch::Bindings &One : Values)
    for (const auto &[Name, Value] : Dependents)
      One.erase(Name);
}

/// Relations that held at all points: a row pitch is a multiple of a row, offsets were 0, and
/// arguments that the kernel needs as sizes had one value.
std::vector<std::string> KernelMerge::relations() const {
  std::vector<std::string> All;
  for (size_t I = 0; I < K.Params.size(); ++I)
    if (isInteger(I) && !is_contained(Variables, K.Params[I]->Name) &&
        !Dependents.count(K.Params[I]->Name) && Derived &&
        Derived->Sizes.front().count(K.Params[I]->Name))
      All.push_back(K.Params[I]->Name + " == " + std::to_string(integerAt(Points.front(), I)));
  for (const auto &[Name, Value] : Dependents) {
    auto It = ExtentOf.find(Name); // no argument has that name
    All.push_back((It == ExtentOf.end() ? Name : It->second) + " == " + Value);
  }
  for (const std::string &A : Variables)
    for (const std::string &B : Variables)
      if (int64_t Factor = A != B && isPitch(A) && !isPitch(B) ? ratio(Values, A, B) : 0)
        All.push_back(A + " >= " + (Factor > 1 ? std::to_string(Factor) + " * " : "") + B);
  return All;
}

std::string KernelMerge::head(StringRef Source) const {
  std::string Text = "source: " + quoted(Source) + "\nkernel: " + K.Name + "\n";
  if (std::string Options = buildOptions(P, Source.starts_with("../") ? "../" : "");
      !Options.empty())
    Text += "options: " + quoted(Options) + "\n";
  return Text + (K.Params.empty() ? "args: []\n" : "args:\n");
}

/// Options that let compilers change results need a tolerance.
static std::string tolerance(StringRef Options) {
  for (StringRef O : {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations",
                      "-cl-finite-math-only", "-cl-no-signed-zeros"})
    if (Options.contains(O))
      return "compare: { rel: 1e-4 }\n";
  return "";
}

static std::string requireText(ArrayRef<std::string> All) {
  std::string Text;
  for (const std::string &One : All)
    Text += (Text.empty() ? "require: [" : ", ") + quoted(One);
  return All.empty() ? "" : Text + "]\n";
}

Expected<std::string> KernelMerge::merged() {
  if (Error E = check())
    return std::move(E);
  findVariables();
  findExtents();
  // Geometry first: its expressions are the simplest, and may add variables.
  std::string Shape = geometry(), Args;
  findDependents();
  for (size_t I = 0; I < K.Params.size(); ++I) {
    Expected<std::string> One = argument(I);
    if (!One)
      return One.takeError();
    Args += *One;
  }
  std::string Text = head("program.cl") + Args + Shape;
  if (!Variables.empty())
    Text += sizes();
  Text += tolerance(P.Options);
  return Text + requireText(relations());
}

bool KernelMerge::holds(const launch::LaunchFile &Merged, const Point &X) const {
  const launch::Bindings At = launch::bindingsAt(Merged, Values[numberOf(X)]);
  auto is = [&](const launch::Expression &E, uint64_t Wanted) {
    Expected<int64_t> Value = E.evaluate(At);
    if (Value)
      return static_cast<uint64_t>(*Value) == Wanted;
    consumeError(Value.takeError());
    return false;
  };
  for (size_t I = 0; I < K.Params.size(); ++I) {
    const PointArgument &A = X.Arguments[I];
    const launch::Argument &M = Merged.Args[I];
    if (A.K == PointArgument::Kind::Local && !is(M.LocalBytes, A.Size))
      return false;
    if (A.K == PointArgument::Kind::Buffer && A.Same < 0 &&
        (!is(M.Count, A.Size / elementSize(I)) ||
         (!A.File.empty() && M.Data.File != "../" + A.File)))
      return false;
    for (size_t D = 0; D < A.Extents.size(); ++D)
      if (!is(M.Extents[D], A.Extents[D]))
        return false;
    if (A.K == PointArgument::Kind::Image && !A.File.empty() && A.Same < 0 &&
        M.Data.File != "../" + A.File)
      return false;
    // Integers are variables, or the same at all points.
    if (A.K == PointArgument::Kind::Value && !isInteger(I) &&
        A.Bytes != Points.front().Arguments[I].Bytes)
      return false;
  }
  return true;
}

std::vector<std::string> KernelMerge::requireAt(const Point &X) const {
  std::map<std::string, std::string> Numbers;
  for (const auto &[Name, Value] : Values[numberOf(X)])
    if (none_of(K.Params, [&, Name = Name](const model::Var *V) { return V->Name == Name; }))
      Numbers[Name] = std::to_string(Value);
  std::vector<std::string> All = relations();
  for (std::string &Text : All)
    Text = replaced(Text, Numbers);
  return All;
}

Expected<std::string> KernelMerge::exact(const Point &X, ArrayRef<std::string> Require) const {
  if (Error E = check())
    return std::move(E);
  std::string Text = head("../program.cl");
  for (size_t I = 0; I < K.Params.size(); ++I) {
    const PointArgument &A = X.Arguments[I];
    Text += "  - { name: " + K.Params[I]->Name + ", ";
    if (A.K == PointArgument::Kind::Value) {
      Expected<std::string> Value = valueText(X, I);
      if (!Value)
        return Value.takeError();
      Text += "value: " + *Value;
    } else if (A.K == PointArgument::Kind::Local) {
      Text += "local: \"" + std::to_string(A.Size) + "\"";
    } else if (A.K == PointArgument::Kind::Sampler) {
      Text += objectText(A);
    } else if (A.K == PointArgument::Kind::Image) {
      std::vector<std::string> Size;
      for (uint64_t E : A.Extents)
        Size.push_back(std::to_string(E));
      Text += imageText(I, Size, A.File.empty() ? "" : "../../" + A.File);
    } else if (A.Size % elementSize(I)) {
      return failure("the buffer of '" + K.Params[I]->Name + "' holds a part of an element");
    } else {
      Text += bufferText(I, std::to_string(A.Size / elementSize(I)),
                         A.File.empty() ? "" : "../../" + A.File);
    }
    Text += " }\n";
  }
  auto list = [&](StringRef Key, ArrayRef<uint64_t> All) {
    if (All.empty())
      return;
    Text += (Key + ": [").str();
    for (size_t D = 0; D < All.size(); ++D)
      Text += (D ? ", \"" : "\"") + std::to_string(All[D]) + "\"";
    Text += "]\n";
  };
  list("global", X.Global);
  list("local", X.Local);
  list("offset", X.Offset);
  return Text + tolerance(P.Options) + requireText(Require);
}

} // namespace clmali::record
