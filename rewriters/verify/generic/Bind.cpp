// Arguments, ids and sizes as symbols.
#include "rewriters/verify/generic/Block.h"
#include "rewriters/verify/generic/SameFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Metadata.h"

#include <sys/resource.h>

namespace clmali::verify::generic {

using namespace llvm;
using namespace symbolic;
using launch::Expression;
using launch::LaunchFile;

double processorSeconds() {
  double Sum = 0;
  for (int Who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage Usage{};
    getrusage(Who, &Usage);
    for (const timeval &V : {Usage.ru_utime, Usage.ru_stime})
      Sum += double(V.tv_sec) + double(V.tv_usec) * 1e-6;
  }
  return Sum;
}

bool Prover::checkLaunches() {
  const LaunchFile &First = R.Launches.front();
  Host.Dimensions = First.Global.size();
  for (const LaunchFile &F : R.Launches) {
    if (F.Global.size() != Host.Dimensions || F.Args.size() != First.Args.size())
      return stop(Reason::Launches, "the launch files differ in dimensions or arguments");
    for (size_t I = 0; I < F.Args.size(); ++I)
      if (F.Args[I].K != First.Args[I].K || F.Args[I].Data.SameAs != First.Args[I].Data.SameAs ||
          F.Args[I].Format != First.Args[I].Format || F.Args[I].Sampler != First.Args[I].Sampler)
        return stop(Reason::Launches, "the launch files differ in argument " + F.Args[I].Name);
  }
  return true;
}

bool Prover::checkParameters(bool Rewritten, const Function &F) {
  const LaunchFile &L = R.Launches.front();
  for (const llvm::Argument &A : F.args()) {
    const auto Image = imageShapeOf(A.getType());
    if (A.getType()->isTargetExtTy() && !Image && !isSampler(A.getType()))
      return stop(Reason::Images, "an argument that is a pipe or an image of a rare kind");
    if (Image && Image->Use == ImageShape::Access::ReadWrite)
      return stop(Reason::Images, "an image that is read and written");
  }
  Expected<std::vector<ParameterInfo>> P = parametersOf(F);
  if (!P)
    return stop(Reason::NotCompiled, llvm::toString(P.takeError()));
  if (P->size() != L.Args.size())
    return stop(Reason::NotCompiled, F.getName() + " has other arguments than the launch file");
  for (size_t I = 0; I < P->size(); ++I) {
    const launch::Argument &A = L.Args[I];
    if ((*P)[I].Buffer != (A.K == launch::Argument::Kind::Buffer) ||
        (*P)[I].Local != (A.K == launch::Argument::Kind::Local) ||
        (*P)[I].Image.has_value() != (A.K == launch::Argument::Kind::Image) ||
        (*P)[I].Sampler != (A.K == launch::Argument::Kind::Sampler) ||
        (Rewritten && (*P)[I].Image != Parameters[I].Image))
      return stop(Reason::NotCompiled,
                  "argument " + A.Name + " of " + F.getName() + " is of another kind");
    const bool Shared =
        A.Data.K == launch::DataSpec::Kind::SameAs ||
        any_of(L.Args, [&](const launch::Argument &B) {
          return B.Data.K == launch::DataSpec::Kind::SameAs && B.Data.SameAs == A.Name;
        });
    if (Shared && F.getArg(unsigned(I))->hasNoAliasAttr())
      return stop(Reason::Launches, "restrict " + A.Name + " is passed twice");
  }
  if (!Rewritten)
    Parameters = std::move(*P);
  return true;
}

bool Prover::compile() {
  for (bool Rewritten : {false, true}) {
    Expected<CompiledProgram> C =
        compileProgram(Rewritten ? R.Rewritten : R.Original, R.AddressBits, R.Clang, Context);
    if (!C)
      return stop(Reason::NotCompiled, Twine(Rewritten ? "rewritten" : "original") + ": " +
                                           llvm::toString(C.takeError()));
    Programs[Rewritten] = std::move(*C);
  }
  auto check = [&](bool Rewritten, const std::string &Kernel) {
    const Function *F = Programs[Rewritten].M->getFunction(Kernel);
    if (!F || F->isDeclaration() || F->getCallingConv() != CallingConv::SPIR_KERNEL)
      return stop(Reason::NotCompiled, "no kernel named " + Kernel);
    return checkParameters(Rewritten, *F);
  };
  if (!check(false, Manifest.Original))
    return false;
  for (const launch::ManifestLaunch &L : Manifest.Launches)
    if (!check(true, L.Kernel))
      return false;
  return true;
}

GroupSize groupSizeOf(const LaunchFile &F) {
  for (const Expression &E : F.Local)
    for (const std::string &Name : E.names())
      if (none_of(F.Defines, [&](const auto &D) { return D.first == Name; }))
        return {};
  Expected<launch::Geometry> G = launch::geometryAt(F, F.Sizes.front());
  if (!G) {
    consumeError(G.takeError());
    return {};
  }
  return G->Local;
}

void Prover::findGroups() {
  auto namesGroup = [](const Expression &E) {
    return any_of(E.names(), [](StringRef N) { return N == "lx" || N == "ly" || N == "lz"; });
  };
  bool Uses = launchUse(*Programs[0].M->getFunction(Manifest.Original)).Groups;
  for (const launch::ManifestLaunch &L : Manifest.Launches)
    Uses |= launchUse(*Programs[1].M->getFunction(L.Kernel)).Groups || namesGroup(L.When) ||
            any_of(L.Global, namesGroup) || any_of(L.Offset, namesGroup);
  if (Uses)
    Host.Local = groupSizeOf(R.Launches.front());
  // Neither are ids of groups known with an offset, nor does a manifest without one have it.
  const bool None = all_of(Manifest.Launches, [](const auto &L) { return L.Offset.empty(); });
  Host.NoOffset = (Host.Local[0] || None) &&
                  all_of(R.Launches, [](const LaunchFile &F) { return F.Offset.empty(); });
}

std::optional<int64_t> Prover::pinned(StringRef Argument) const {
  std::optional<int64_t> Value;
  for (const LaunchFile &F : R.Launches) {
    const launch::Argument *A = F.findArgument(Argument);
    int64_t Here = 0;
    if (!A || A->Value.size() != 1 || StringRef(A->Value[0]).trim().getAsInteger(0, Here) ||
        (Value && *Value != Here))
      return std::nullopt;
    Value = Here;
  }
  return Value;
}

bool Prover::bindScalar(unsigned I, const llvm::Argument &Parameter) {
  const launch::Argument &A = R.Launches.front().Args[I];
  const ParameterInfo &P = Parameters[I];
  BoundArgument &B = Bound[I];
  if (Parameter.hasByValAttr()) {
    uint64_t Bytes = Programs[0].M->getDataLayout().getTypeAllocSize(Parameter.getParamByValType());
    for (uint64_t N = 0; N < Bytes; ++N)
      B.Bytes.push_back({{T.variable(8), NoObject}, 0, 1});
    return true;
  }
  auto *V = dyn_cast<FixedVectorType>(Parameter.getType());
  const unsigned Count = V ? V->getNumElements() : 1;
  const unsigned Bits = Parameter.getType()->getScalarSizeInBits();
  if (Bits == 0 || Bits > 64)
    return stop(Reason::NotCompiled, "the type of argument " + A.Name);
  if (Count == 1 && !P.Float) {
    std::optional<int64_t> Value = Pin ? pinned(A.Name) : std::nullopt;
    Term X = Value ? T.constant(Bits, uint64_t(*Value)) : T.variable(Bits);
    if (Value)
      Result.Pinned.push_back(A.Name + " is " + std::to_string(*Value));
    B.Components.push_back(X);
    Scalars[A.Name] = T.extend(X, 64, P.Signed);
    return true;
  }
  for (unsigned N = 0; N < Count; ++N)
    B.Components.push_back(T.variable(Bits));
  return true;
}

bool Prover::bindLocal(const launch::Argument &A, BoundArgument &B) {
  for (const LaunchFile &F : R.Launches) {
    Names Of;
    for (const auto &[Name, Text] : F.Defines)
      if (int64_t Value; !StringRef(Text).trim().getAsInteger(0, Value))
        Of[Name] = T.constant(64, uint64_t(Value));
    Term Bytes = valueOf(F.findArgument(A.Name)->LocalBytes, Of);
    if (!Bytes || !T.isConst(Bytes) || (B.LocalBytes && B.LocalBytes != T.value(Bytes)))
      return stop(Reason::LocalMemory, "the size of " + A.Name + " depends on the launch");
    B.LocalBytes = T.value(Bytes);
  }
  return true;
}

bool Prover::bindBuffer(unsigned I) {
  const LaunchFile &L = R.Launches.front();
  const launch::Argument &A = L.Args[I];
  BoundArgument &B = Bound[I];
  B.K = BoundArgument::Kind::Buffer;
  B.Buffer = unsigned(BufferNames.size());
  if (A.Data.K == launch::DataSpec::Kind::SameAs)
    for (unsigned J = 0; J < I; ++J)
      if (L.Args[J].Name == A.Data.SameAs) {
        if (Parameters[J].Image != Parameters[I].Image)
          return stop(Reason::Images,
                      A.Name + " and " + L.Args[J].Name + " are one object, accessed in two ways");
        B.Buffer = Bound[J].Buffer;
      }
  const bool New = B.Buffer == BufferNames.size();
  if (New) {
    BufferNames.push_back(A.Name);
    BufferImages.emplace_back();
    Granules.push_back(8);
  }
  if (!Parameters[I].Image)
    return true;
  std::optional<ImageContents> &Image = BufferImages[B.Buffer];
  if (New) {
    const std::optional<launch::ImageFormat> Format = launch::imageFormat(A.Format);
    if (!Format)
      return stop(Reason::Images, A.Name + " has no format");
    Granules.back() = Format->ChannelBytes;
    Image.emplace();
    Image->Format = *Format;
    Image->Shape = *Parameters[I].Image;
    const int64_t Most = int64_t(mostTexels(Image->Shape)) - 1;
    for (unsigned D = 0; D < Image->Shape.extents(); ++D)
      Image->Extents[D] = T.extend(T.variableBetween(32, 1, Most), 64, false);
  }
  for (unsigned D = 0; D < Image->Shape.extents(); ++D)
    Extents[Image->Shape.extentName(D, A.Name)] = Image->Extents[D];
  return true;
}

bool Prover::bind() {
  const LaunchFile &L = R.Launches.front();
  const Function *F = Programs[0].M->getFunction(Manifest.Original);
  T.expandProducts();
  Bound.resize(L.Args.size());
  for (unsigned I = 0; I < L.Args.size(); ++I) {
    const launch::Argument &A = L.Args[I];
    BoundArgument &B = Bound[I];
    B.Name = A.Name;
    if (A.K == launch::Argument::Kind::Local) {
      B.K = BoundArgument::Kind::Local;
      if (Host.Local[0] && !bindLocal(A, B))
        return false;
    } else if (A.K == launch::Argument::Kind::Scalar) {
      if (!bindScalar(I, *F->getArg(I)))
        return false;
    } else if (A.K == launch::Argument::Kind::Sampler) {
      B.Components.push_back(T.constant(Programs[0].M->getDataLayout().getPointerSizeInBits(0),
                                        SamplerBits::of(A.Sampler).Bits));
    } else if (!bindBuffer(I)) {
      return false;
    }
  }
  for (unsigned D = 0; D < 3; ++D) {
    const bool Used = D < Host.Dimensions;
    Sizes[D] = Used ? T.variableBetween(64, 1, INT64_MAX) : T.constant(64, 1);
    Offsets[D] = Used && !Host.NoOffset ? T.variableBetween(64, 0, INT64_MAX) : T.constant(64, 0);
  }
  // A reserved name means the geometry, whatever an argument is called.
  LaunchNames = Scalars;
  LaunchNames.insert(Extents.begin(), Extents.end());
  for (unsigned D = 0; D < 3; ++D) {
    LaunchNames[std::string("g") + "xyz"[D]] = Sizes[D];
    LaunchNames[std::string("o") + "xyz"[D]] = Offsets[D];
    const std::string Group = std::string("l") + "xyz"[D];
    LaunchNames.erase(Group);
    if (Host.Local[0])
      LaunchNames[Group] = T.constant(64, Host.Local[D]);
  }
  return true;
}

std::vector<ScalarRange> Prover::scalarRanges() const {
  std::vector<ScalarRange> All;
  for (unsigned I = 0; I < Bound.size(); ++I) {
    auto It = Scalars.find(Bound[I].Name);
    if (It == Scalars.end() || launch::isReservedName(It->first))
      continue;
    const Node &N = T.node(It->second);
    const bool Unsigned = !Parameters[I].Signed;
    ScalarRange S{It->first, N.SLo, N.SHi};
    if (Unsigned && N.Width == 64 && N.SLo < 0)
      S = {It->first, 0, INT64_MAX}; // larger values overflow in launch expressions
    All.push_back(S);
  }
  for (const auto &[Name, X] : Extents)
    All.push_back({Name, T.node(X).SLo, T.node(X).SHi});
  return All;
}

std::array<Term, 3> Prover::freshIds(const std::array<std::optional<uint64_t>, 3> &Largest) {
  std::array<Term, 3> Ids{};
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t Most = Largest[D].value_or(INT64_MAX);
    if (D >= Host.Dimensions)
      Most = 0;
    if (Most == 0)
      Ids[D] = T.constant(64, 0);
    else if (Most <= UINT32_MAX)
      Ids[D] = T.extend(T.variableBetween(32, 0, int64_t(Most)), 64, false);
    else
      Ids[D] = T.variableBetween(64, 0, int64_t(Most));
  }
  return Ids;
}

/// The value of an operation of a launch expression; no term where it is not modelled.
static Term valueOfNode(TermStore &T, Expression::Op Kind, Term A, Term B) {
  using EOp = Expression::Op;
  auto truth = [&](Term Bit) { return T.extend(Bit, 64, false); };
  auto isTrue = [&](Term X) { return T.bitNot(T.eq(X, T.constant(64, 0))); };
  switch (Kind) {
  case EOp::Negate:
    return T.neg(A);
  case EOp::Add:
    return T.add(A, B);
  case EOp::Subtract:
    return T.sub(A, B);
  case EOp::Multiply:
    return T.mul(A, B);
  case EOp::Divide:
    return T.div(Op::SDiv, A, B);
  case EOp::Remainder:
    return T.div(Op::SRem, A, B);
  case EOp::Less:
    return truth(T.slt(A, B));
  case EOp::LessEqual:
    return truth(T.bitNot(T.slt(B, A)));
  case EOp::Greater:
    return truth(T.slt(B, A));
  case EOp::GreaterEqual:
    return truth(T.bitNot(T.slt(A, B)));
  case EOp::Equal:
    return truth(T.eq(A, B));
  case EOp::NotEqual:
    return truth(T.bitNot(T.eq(A, B)));
  case EOp::And:
    return truth(T.bitAnd(isTrue(A), isTrue(B)));
  case EOp::Or:
    return truth(T.bitOr(isTrue(A), isTrue(B)));
  case EOp::Minimum:
    return T.minMax(Op::SMin, A, B);
  case EOp::Maximum:
    return T.minMax(Op::SMax, A, B);
  default:
    return 0;
  }
}

Term Prover::valueOf(const Expression &E, const Names &Of) {
  using EOp = Expression::Op;
  std::vector<Term> Done;
  for (const Expression::Node &N : E.nodes()) {
    Term X = 0;
    if (N.Kind == EOp::Number) {
      X = T.constant(64, uint64_t(N.Value));
    } else if (N.Kind == EOp::Name) {
      auto It = Of.find(N.Name);
      X = It == Of.end() ? 0 : It->second;
    } else if (N.Kind == EOp::RoundUp && T.isConst(Done[N.Right])) {
      // The multiple of B from A to A + B - 1.
      Term A = Done[N.Left], B = Done[N.Right];
      X = T.variable(64);
      Term Over = T.sub(X, A);
      Roundings.push_back(T.ult(Over, B));
      if (const uint64_t Value = T.value(B); Value > 1 && (Value & (Value - 1)) == 0) {
        const unsigned Bits = unsigned(__builtin_ctzll(Value));
        Roundings.push_back(T.eq(T.trunc(X, Bits), T.constant(Bits, 0)));
      }
    } else {
      X = valueOfNode(T, N.Kind, Done[N.Left], Done[N.Right]);
    }
    if (!X)
      return 0;
    Done.push_back(X);
  }
  return Done.back();
}

/// Adds the parts of a conjunction one by one.
static void assumeParts(TermStore &T, Questions &Q, Term Bit) {
  if (T.node(Bit).O == Op::And) {
    assumeParts(T, Q, T.operands(Bit)[0]);
    assumeParts(T, Q, T.operands(Bit)[1]);
    return;
  }
  Q.assume(Bit);
}

Term Prover::hostFacts(const LaunchFile &F) {
  constexpr int64_t Most = int64_t(1) << 40;
  Names Of = Extents;
  for (const auto &[Name, Text] : F.Defines)
    if (int64_t Value; !StringRef(Text).trim().getAsInteger(0, Value))
      Of[Name] = T.constant(64, uint64_t(Value));
  const size_t Index = size_t(&F - R.Launches.data());
  SizeNames.resize(R.Launches.size());
  for (const auto &[Name, Value] : F.Sizes.front()) {
    Term &X = SizeNames[Index][Name];
    if (!X)
      X = T.variableBetween(64, -Most, Most);
    Of[Name] = X;
  }
  Term All = T.boolean(true);
  auto hold = [&](Term Bit) { All = T.bitAnd(All, Bit); };
  for (const launch::Argument &A : F.Args) {
    auto It = Scalars.find(A.Name);
    if (It == Scalars.end() || A.Value.size() != 1)
      continue;
    Expected<Expression> E = Expression::parse(A.Value[0]);
    if (!E) {
      consumeError(E.takeError());
      continue;
    }
    // A number says nothing of other launches: the proof is tried for every value.
    if (!E->names().empty())
      if (Term X = valueOf(*E, Of))
        hold(T.eq(It->second, X));
  }
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const ParameterInfo &P = Parameters[I];
    if (F.Args[I].K != launch::Argument::Kind::Buffer || P.Bits == 0)
      continue;
    // An exact count is that of 64 bits, if the buffer is as small as it may be.
    if (Term Count = valueOf(F.Args[I].Count, Of))
      hold(T.ult(Count, T.constant(64, MostBytes / (P.stride() * P.Bits / 8) + 1)));
  }
  for (unsigned I = 0; I < F.Args.size(); ++I)
    for (unsigned D = 0; D < F.Args[I].Extents.size(); ++D)
      if (Term X = valueOf(F.Args[I].Extents[D], Of))
        hold(T.eq(BufferImages[Bound[I].Buffer]->Extents[D], X));
  for (unsigned D = 0; D < Host.Dimensions; ++D) {
    if (Term X = valueOf(F.Global[D], Of))
      hold(T.eq(Sizes[D], X));
    // Without an offset in the launch file the proof is tried for every offset.
    if (Term O = D < F.Offset.size() ? valueOf(F.Offset[D], Of) : 0)
      hold(T.eq(Offsets[D], O));
    if (Host.Local[0])
      hold(T.eq(T.div(Op::URem, Sizes[D], T.constant(64, Host.Local[D])), T.constant(64, 0)));
  }
  for (const auto &[Name, X] : Scalars)
    Of.try_emplace(Name, X);
  for (const Expression &E : F.Require)
    if (Term X = valueOf(E, Of))
      hold(T.bitNot(T.eq(X, T.constant(64, 0))));
  for (Term Bit : Roundings)
    hold(Bit);
  Roundings.clear();
  return All;
}

void Prover::assumeHost(Questions &Q) {
  Term Any = T.boolean(false);
  for (const LaunchFile &F : R.Launches)
    Any = T.bitOr(Any, hostFacts(F));
  assumeParts(T, Q, Any);
}

void Prover::bindLaunch(ArrayRef<const LaunchClaim *> Claims) {
  // One term if all launches have the same; otherwise a variable, of which assumeLaunch() says what
  // it may be.
  auto common = [&](unsigned D, bool Offset) -> Term {
    Term One = 0;
    for (const LaunchClaim *C : Claims) {
      const launch::ManifestLaunch &L = Manifest.Launches[C->Index];
      const std::vector<Expression> &Of = Offset ? L.Offset : L.Global;
      Term X = D < Of.size() ? valueOf(Of[D]) : T.constant(64, Offset ? 0 : 1);
      if (!X)
        return 0;
      if (One && One != X)
        return T.variableBetween(64, Offset ? 0 : 1, INT64_MAX);
      One = X;
    }
    return One;
  };
  for (unsigned D = 0; D < 3; ++D) {
    ItsSizes[D] = common(D, false);
    ItsOffsets[D] = common(D, true);
  }
}

void Prover::assumeLaunch(Questions &Q, const Block &B) {
  Term Any = T.boolean(false);
  for (const LaunchClaim *C : B.Claims) {
    const launch::ManifestLaunch &L = Manifest.Launches[C->Index];
    Term When = valueOf(L.When);
    Term All = When ? T.bitNot(T.eq(When, T.constant(64, 0))) : T.boolean(true);
    for (unsigned D = 0; D < L.Global.size(); ++D) {
      Term G = valueOf(L.Global[D]);
      Term O = D < L.Offset.size() ? valueOf(L.Offset[D]) : T.constant(64, 0);
      if (G && ItsSizes[D])
        All = T.bitAnd(All, T.eq(ItsSizes[D], G));
      if (O && ItsOffsets[D])
        All = T.bitAnd(All, T.eq(ItsOffsets[D], O));
      if (!G || !O)
        continue;
      const unsigned A = B.axis(D);
      const Term First = T.mul(B.Number[A], T.constant(64, B.Count[A]));
      const Term Last = T.addConst(First, B.Count[A] - 1);
      All = T.bitAnd(All, T.bitAnd(T.bitNot(T.ult(First, O)), T.ult(Last, T.add(O, G))));
    }
    Any = T.bitOr(Any, All);
  }
  assumeParts(T, Q, Any);
}

} // namespace clmali::verify::generic
