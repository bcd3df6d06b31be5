//===- Devices.cpp - reads devices.yaml -------------------------------------------------------===//

#include "rules/Devices.h"
#include "rules/Drivers.h"
#include "rules/Embedded.h"
#include "rules/Models.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::rules;

namespace {
struct RawFamily {
  std::string Name, Title, Group;
  std::vector<std::string> Aliases;
  std::vector<Fact> Facts;
  struct Costs {
    std::vector<std::string> Low, Medium, High;
  } FunctionCost;
};
struct RawDevices {
  std::vector<RawFamily> Families, Models;
  std::vector<Driver> Drivers;
};
} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(RawFamily)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Fact)
LLVM_YAML_IS_SEQUENCE_VECTOR(Driver)

namespace llvm::yaml {
template <> struct MappingTraits<Fact> {
  static void mapping(IO &Io, Fact &F) {
    Io.mapRequired("name", F.Name);
    Io.mapRequired("value", F.Value);
    Io.mapRequired("unit", F.Unit);
    Io.mapRequired("source", F.Source);
  }
};
template <> struct MappingTraits<RawFamily::Costs> {
  static void mapping(IO &Io, RawFamily::Costs &C) {
    Io.mapOptional("low", C.Low);
    Io.mapOptional("medium", C.Medium);
    Io.mapOptional("high", C.High);
  }
};
template <> struct MappingTraits<RawFamily> {
  static void mapping(IO &Io, RawFamily &F) {
    Io.mapRequired("name", F.Name);
    Io.mapRequired("title", F.Title);
    Io.mapRequired("group", F.Group);
    Io.mapOptional("aliases", F.Aliases);
    Io.mapRequired("facts", F.Facts);
    Io.mapOptional("function-cost", F.FunctionCost);
  }
};
template <> struct MappingTraits<RawDevices> {
  static void mapping(IO &Io, RawDevices &D) {
    Io.mapRequired("families", D.Families);
    Io.mapOptional("models", D.Models);
    Io.mapOptional("drivers", D.Drivers);
  }
};
template <> struct MappingTraits<Driver> {
  static void mapping(IO &Io, Driver &D) {
    Io.mapRequired("device", D.Device);
    Io.mapRequired("platform", D.Platform);
    Io.mapRequired("vendor", D.Vendor);
    Io.mapRequired("name", D.Name);
    Io.mapRequired("version", D.Version);
    Io.mapOptional("preferred-widths", D.Preferred);
    Io.mapOptional("native-widths", D.Native);
    Io.mapRequired("facts", D.Facts);
    Io.mapRequired("extensions", D.Extensions);
  }
};
} // namespace llvm::yaml

namespace {

/// Maps a fact to its field. Optional facts may be absent (then the field is 0).
struct FieldOf {
  StringLiteral Name;
  unsigned DeviceFacts::*Number;
  bool DeviceFacts::*Flag;
  bool Required;
};

constexpr FieldOf Fields[] = {
    {"simd-width", &DeviceFacts::SimdWidth, nullptr, true},
    {"lanes-per-cycle", &DeviceFacts::LanesPerCycle, nullptr, false},
    {"max-work-group", &DeviceFacts::MaxWorkGroup, nullptr, true},
    {"largest-work-group", nullptr, nullptr, false}, // of the members that allow more
    {"work-group-multiple", &DeviceFacts::WorkGroupMultiple, nullptr, true},
    {"small-work-group", &DeviceFacts::SmallWorkGroup, nullptr, true},
    {"async-copy-work-group", &DeviceFacts::AsyncCopyWorkGroup, nullptr, false},
    {"min-global-size", &DeviceFacts::MinGlobalSize, nullptr, true},
    {"compute-units", nullptr, nullptr, false}, // of the smallest common member
    {"launch-cycles", nullptr, nullptr, false}, // that starting a kernel takes
    {"threads-full", &DeviceFacts::ThreadsFull, nullptr, true},
    {"local-on-chip", nullptr, &DeviceFacts::LocalOnChip, true},
    {"unified-memory", nullptr, &DeviceFacts::UnifiedMemory, true},
    {"ideal-access-bits", &DeviceFacts::IdealAccessBits, nullptr, true},
    {"max-access-bits", &DeviceFacts::MaxAccessBits, nullptr, true},
    {"min-burst-bits", &DeviceFacts::MinBurstBits, nullptr, true},
    {"max-burst-bytes", &DeviceFacts::MaxBurstBytes, nullptr, false},
    {"cache-line-bytes", &DeviceFacts::CacheLineBytes, nullptr, true},
    {"local-banks", &DeviceFacts::LocalBanks, nullptr, false},
    {"local-bank-bits", &DeviceFacts::LocalBankBits, nullptr, false},
    {"local-copy-bytes", nullptr, nullptr, false},
    {"local-memory-bytes", &DeviceFacts::LocalMemoryBytes, nullptr, false},
    {"max-local-memory", nullptr, nullptr, false}, // of one work-group
    {"fp64", nullptr, nullptr, false},             // the driver has cl_khr_fp64; absent: it may
    {"pads-subword", nullptr, &DeviceFacts::PadsSubword, true},
    {"hoists-invariants", nullptr, nullptr, true}, // the compiler moves them out of loops
    {"vector-bits-8", &DeviceFacts::VectorBits8, nullptr, true},
    {"vector-bits-16", &DeviceFacts::VectorBits16, nullptr, true},
    {"vector-bits-32", &DeviceFacts::VectorBits32, nullptr, true},
    {"vector-bits-64", &DeviceFacts::VectorBits64, nullptr, true},
    {"register-bits", &DeviceFacts::RegisterBits, nullptr, true},
    {"registers-full", &DeviceFacts::RegistersFull, nullptr, true},
    {"registers-half", &DeviceFacts::RegistersHalf, nullptr, true},
    {"registers-quarter", &DeviceFacts::RegistersQuarter, nullptr, true},
    {"registers-noted", nullptr, nullptr, false}, // register-pressure reports above it
    {"min-instructions", &DeviceFacts::MinInstructions, nullptr, false},
    {"max-instructions", &DeviceFacts::MaxInstructions, nullptr, false},
    {"arithmetic-pipes", &DeviceFacts::ArithmeticPipes, nullptr, true},
    {"arithmetic-per-cycle", &DeviceFacts::ArithmeticPerCycle, nullptr, true},
    {"arithmetic-lanes", &DeviceFacts::ArithmeticLanes, nullptr, false},
    {"address-operations", &DeviceFacts::AddressOperations, nullptr, false},
    {"worth-rewriting", nullptr, nullptr, false}, // predicted speed-up below which nothing pays
    {"unrolled-trips", nullptr, nullptr, false},  // constant loops of at most so many are unrolled
    {"unrolled-operations", nullptr, nullptr, false}, // ... if they become no more than these
    {"load-store-cycles", &DeviceFacts::LoadStoreCycles, nullptr, true},
    {"texture-percent", &DeviceFacts::TexturePercent, nullptr, true},
    {"full-rate-texel-bits", nullptr, nullptr, false}, // wider texels take twice as long
    {"image-accesses", &DeviceFacts::ImageAccesses, nullptr, true},
    {"integer-divide-cycles", &DeviceFacts::IntegerDivideCycles, nullptr, true},
    {"float-divide-cycles", &DeviceFacts::FloatDivideCycles, nullptr, true},
    {"special-low-cycles", &DeviceFacts::SpecialLowCycles, nullptr, true},
    {"special-medium-cycles", &DeviceFacts::SpecialMediumCycles, nullptr, true},
    {"special-high-cycles", &DeviceFacts::SpecialHighCycles, nullptr, true},
    {"special-is-scalar", nullptr, &DeviceFacts::SpecialIsScalar, true},
    {"branch-cycles", &DeviceFacts::BranchCycles, nullptr, true},
    {"barrier-cycles", &DeviceFacts::BarrierCycles, nullptr, true},
    {"miss-cycles", &DeviceFacts::MissCycles, nullptr, true},
    {"multiply-beside-add", nullptr, &DeviceFacts::MultiplyBesideAdd, false},
    {"scalar-beside-vector", nullptr, &DeviceFacts::ScalarBesideVector, false},
    {"free-conversions", nullptr, &DeviceFacts::FreeConversions, false},
    {"free-swizzles", nullptr, &DeviceFacts::FreeSwizzles, false},
    {"reissue-256", &DeviceFacts::Reissue256, nullptr, false},
    {"reissue-512", &DeviceFacts::Reissue512, nullptr, false},
    {"coalesce-bytes", &DeviceFacts::CoalesceBytes, nullptr, false},
    {"registers-allocated", nullptr, nullptr, false}, // less than at a quarter: what compilers give
    {"accesses-of-spill", nullptr, nullptr, false},
    {"splits-three-lanes", nullptr, nullptr, false}, // vload3 and vstore3 access each element
    {"splits-unaligned", nullptr, &DeviceFacts::SplitsUnaligned, false},
};

Error fail(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), "devices.yaml: " + Message);
}

Error fillFamily(DeviceFacts &To, RawFamily &From) {
  To.Name = From.Name;
  To.Title = From.Title;
  To.Group = From.Group;
  To.Aliases = From.Aliases;
  StringSet<> Seen;
  for (const Fact &F : From.Facts) {
    const FieldOf *Field = find_if(Fields, [&](const FieldOf &X) { return X.Name == F.Name; });
    bool IsCost = StringRef(F.Name).contains("-cost-"); // of checks/model/cost/Instructions.h
    if (Field == std::end(Fields) && !IsCost)
      return fail(To.Name + ": no fact is called '" + F.Name + "'");
    if (!Seen.insert(F.Name).second)
      return fail(To.Name + ": the fact '" + F.Name + "' stands there twice");
    if (F.Source.empty() || F.Value < 0)
      return fail(To.Name + ": '" + F.Name + "' needs a source and a value of 0 or more");
    if (IsCost)
      continue;
    if (Field->Number)
      To.*Field->Number = F.Value;
    else if (Field->Flag)
      To.*Field->Flag = F.Value != 0;
  }
  for (const FieldOf &Field : Fields)
    if (Field.Required && !Seen.contains(Field.Name))
      return fail(To.Name + ": the fact '" + Field.Name + "' is missing");
  To.Facts = std::move(From.Facts);
  for (auto &[Names, Class] : {std::pair{&From.FunctionCost.Low, CostClass::Low},
                               std::pair{&From.FunctionCost.Medium, CostClass::Medium},
                               std::pair{&From.FunctionCost.High, CostClass::High}})
    for (std::string &Name : *Names)
      To.FunctionCosts.emplace_back(Name, Class);
  sort(To.FunctionCosts);
  return Error::success();
}

} // namespace

static Expected<RawDevices> readYaml(StringRef Text) {
  RawDevices Raw;
  std::string Message;
  yaml::Input In(
      Text, nullptr,
      [](const SMDiagnostic &D, void *Context) {
        *static_cast<std::string *>(Context) =
            "line " + std::to_string(D.getLineNo()) + ": " + D.getMessage().str();
      },
      &Message);
  In >> Raw;
  if (In.error())
    return fail(Message);
  return Raw;
}

static Expected<std::vector<DeviceFacts>> parse(StringRef Text,
                                                std::vector<RawFamily> RawDevices::*List) {
  Expected<RawDevices> Raw = readYaml(Text);
  if (!Raw)
    return Raw.takeError();
  std::vector<RawFamily> &From = (*Raw).*List;
  std::vector<DeviceFacts> Result(From.size());
  StringSet<> Names;
  for (auto [Index, Entry] : enumerate(From)) {
    DeviceFacts &To = Result[Index];
    To.Index = Index;
    if (Error E = fillFamily(To, Entry))
      return std::move(E);
    if (!Names.insert(To.Name).second)
      return fail("the name '" + To.Name + "' is used twice");
    for (const std::string &Alias : To.Aliases)
      if (!Names.insert(Alias).second)
        return fail("the name '" + Alias + "' is used twice");
  }
  return Result;
}

Expected<std::vector<DeviceFacts>> rules::parseDevices(StringRef Text) {
  Expected<std::vector<DeviceFacts>> All = parse(Text, &RawDevices::Families);
  if (All && (All->empty() || All->size() > 31))
    return fail("between 1 and 31 families are needed");
  return All;
}

Expected<std::vector<DeviceFacts>> rules::parseModels(StringRef Text) {
  return parse(Text, &RawDevices::Models);
}

unsigned DeviceFacts::vectorBits(unsigned ElementBits) const {
  return ElementBits <= 8    ? VectorBits8
         : ElementBits <= 16 ? VectorBits16
         : ElementBits <= 32 ? VectorBits32
                             : VectorBits64;
}

unsigned DeviceFacts::arithmeticLanes(unsigned ElementBits) const {
  return std::max(1u, vectorBits(ElementBits) / std::max(8u, ElementBits));
}

CostClass DeviceFacts::functionCost(StringRef Function) const {
  auto At = llvm::lower_bound(FunctionCosts, Function,
                              [](const auto &Entry, StringRef N) { return Entry.first < N; });
  return At != FunctionCosts.end() && At->first == Function ? At->second : CostClass::Unknown;
}

unsigned DeviceFacts::specialCycles(CostClass Class) const {
  switch (Class) {
  case CostClass::Low:
    return SpecialLowCycles;
  case CostClass::High:
    return SpecialHighCycles;
  case CostClass::Unknown:
  case CostClass::Medium:
    return SpecialMediumCycles;
  }
  return SpecialMediumCycles;
}

const Fact *DeviceFacts::fact(StringRef FactName) const {
  auto At = find_if(Facts, [&](const Fact &F) { return F.Name == FactName; });
  return At == Facts.end() ? nullptr : &*At;
}

ArrayRef<DeviceFacts> rules::families() {
  static const std::vector<DeviceFacts> All = cantFail(parseDevices(embedded::DevicesYaml));
  return All;
}

const DeviceFacts *rules::findFamily(StringRef Name) {
  for (const DeviceFacts &F : families())
    if (F.Name == Name)
      return &F;
  return nullptr;
}

const DeviceFacts *rules::findModel(StringRef Name) {
  static const std::vector<DeviceFacts> All = cantFail(parseModels(embedded::DevicesYaml));
  auto At = find_if(All, [&](const DeviceFacts &F) { return F.Name == Name; });
  return At == All.end() ? nullptr : &*At;
}

FamilySet rules::allFamilies() { return (1u << families().size()) - 1; }

/// True for a number of cores or a revision: mc4, mp12, r0p1.
static bool isVariant(StringRef Word) {
  unsigned N = 0;
  if (Word.consume_front("mc") || Word.consume_front("mp"))
    return Word.empty() || !Word.getAsInteger(10, N);
  return Word.consume_front("r") && !Word.consumeInteger(10, N) &&
         (Word.empty() || (Word.consume_front("p") && !Word.getAsInteger(10, N)));
}

/// The name of a model as aliases have it. Drivers add vendor, generation, cores and revision:
/// "ARM Mali-G76 MC4 r0p1", "PowerVR B-Series BXE-4-32", "PowerVR Rogue GE8320".
static std::string modelName(StringRef Given) {
  std::string Name = Given.trim().lower();
  std::replace_if(Name.begin(), Name.end(), [](char C) { return C == '_' || isSpace(C); }, '-');
  for (StringRef Word : {"arm-", "img-", "imagination-", "imagination-technologies-"})
    if (StringRef(Name).starts_with(Word))
      Name.erase(0, Word.size());
  SmallVector<StringRef, 8> Words, Kept;
  StringRef(Name).split(Words, '-', -1, /*KeepEmpty=*/false);
  for (auto [I, Word] : enumerate(Words)) {
    bool IsSeries = I + 1 < Words.size() && Word.size() == 1 && Words[I + 1] == "series";
    bool IsRogue = Word == "rogue" && I > 0 && I + 1 < Words.size();
    if (!IsSeries && Word != "series" && !IsRogue && !(I > 0 && isVariant(Word)))
      Kept.push_back(Word);
  }
  return join(Kept, "-");
}

static bool hasAlias(const DeviceFacts &F, StringRef Name) {
  return any_of(F.Aliases, [&](StringRef Alias) {
    if (!Alias.contains('*') && !Alias.contains('?'))
      return Alias == Name;
    Expected<GlobPattern> Pattern = GlobPattern::create(Alias);
    if (Pattern)
      return Pattern->match(Name);
    consumeError(Pattern.takeError());
    return false;
  });
}

/// "; is it mali-g72 (mali-bifrost)?": the known name that is most like Name, else the vendor's
/// last family; empty: none is like it.
static std::string nearest(StringRef Name) {
  const DeviceFacts *Of = nullptr;
  StringRef Like;
  unsigned Best = 3; // a typing error or two
  for (const DeviceFacts &F : families())
    for (StringRef Alias : F.Aliases)
      if (!Alias.contains('*') && !Alias.contains('?'))
        if (unsigned D = Alias.edit_distance(Name, true, Best); D < Best) {
          Best = D;
          Of = &F;
          Like = Alias;
        }
  if (Of)
    return (Twine("; is it ") + Like + " (" + Of->Name + ")?").str();
  StringRef Family = Name.contains("mali-t")                                ? "mali-midgard"
                     : Name.contains("mali") || Name.contains("immortalis") ? "mali-valhall"
                     : Name.contains("powervr") || Name.contains("rogue")   ? "powervr-rogue"
                                                                            : "";
  return Family.empty() ? "" : ("; is it " + Family + "?").str();
}

Expected<FamilySet> rules::resolveDevice(StringRef Given) {
  std::string Name = modelName(Given);
  FamilySet Set = 0;
  for (const DeviceFacts &F : families()) {
    // A group matches by its full name only: "mali" is also a prefix of every Mali alias.
    bool IsAlias = hasAlias(F, Name) || hasAlias(F, F.Group + "-" + Name);
    if (F.Name == Name || F.Group == Name || IsAlias)
      Set |= 1u << F.Index;
  }
  if (Set)
    return Set;
  return createStringError(inconvertibleErrorCode(), "unknown device '" + Given + "'; known are " +
                                                         familyNames(allFamilies()) +
                                                         ", mali, and models such as mali-g72" +
                                                         nearest(Name));
}

std::string rules::familyNames(FamilySet Set) {
  std::vector<StringRef> Names;
  for (const DeviceFacts &F : families())
    if (Set & (1u << F.Index))
      Names.push_back(F.Name);
  return join(Names, ", ");
}

Expected<std::vector<Driver>> rules::parseDrivers(StringRef Text) {
  Expected<RawDevices> Raw = readYaml(Text);
  if (!Raw)
    return Raw.takeError();
  for (Driver &D : Raw->Drivers) {
    Expected<FamilySet> Set = resolveDevice(D.Device);
    if (!Set)
      return Set.takeError();
    if (!isPowerOf2_32(*Set))
      return fail("the driver '" + D.Device + "' needs one family");
    D.Family = &families()[Log2_32(*Set)];
    for (const std::vector<unsigned> *Widths : {&D.Preferred, &D.Native})
      if (!Widths->empty() && Widths->size() != 7)
        return fail("the driver '" + D.Device + "' needs 7 widths");
  }
  return std::move(Raw->Drivers);
}

ArrayRef<Driver> rules::drivers() {
  static const std::vector<Driver> All = cantFail(parseDrivers(embedded::DevicesYaml));
  return All;
}

Expected<const Driver *> rules::driverOf(StringRef Given) {
  Expected<FamilySet> Set = resolveDevice(Given);
  if (!Set)
    return Set.takeError();
  const std::string Name = modelName(Given);
  const Driver *OfFamily = nullptr;
  for (const Driver &D : drivers()) {
    if (D.Device == Name || D.Device == D.Family->Group + "-" + Name)
      return &D;
    if (*Set == 1u << D.Family->Index)
      OfFamily = &D;
  }
  if (OfFamily)
    return OfFamily;
  std::vector<StringRef> Known;
  for (const Driver &D : drivers())
    Known.push_back(D.Device);
  return createStringError(inconvertibleErrorCode(), "no driver's answers are known of '" + Given +
                                                         "'; known are " + join(Known, ", "));
}

const Fact *Driver::fact(StringRef FactName) const {
  auto At = find_if(Facts, [&](const Fact &F) { return F.Name == FactName; });
  return At == Facts.end() ? Family->fact(FactName) : &*At;
}
