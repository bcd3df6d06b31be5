// Built-ins of images; what is modelled is said in images/Images.h.

#include "rewriters/verify/symbolic/Builtins.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace clmali::verify::symbolic {

using namespace llvm;
using FormatKind = launch::ImageFormat::Kind;

/// Bytes of the largest texel: four channels of 32 bits.
static constexpr uint64_t MostTexelBytes = 16;

static bool isInteger(FormatKind K) { return K == FormatKind::Signed || K == FormatKind::Unsigned; }

/// "unorm8": the channel type of \p F. \p Channel of a texel in sRGB: with another name.
static std::string channelType(const launch::ImageFormat &F, char Channel) {
  const std::string Name = launch::imageFormatName(F.Order, F.Type);
  auto [Order, Type] = StringRef(Name).split('-');
  const bool Coloured = Order.starts_with("s") && F.Components[3] != Channel;
  return (Coloured ? "srgb." : "") + Type.str();
}

bool Builtins::images() {
  if (Name == "__translate_sampler_initializer") {
    resultTerms({T.resize(arg(0, 0), M.pointerBits(), false)});
    return true;
  }
  const bool Query = Name.starts_with("get_image_"), Write = Name.starts_with("write_image");
  if (!Query && !Write && !Name.starts_with("read_image"))
    return false;
  const uint32_t Id = Args[0].size() == 1 ? Args[0][0].Object : NoObject;
  if (Id >= MixedObject || !M.Objects[Id].Image)
    M.fail("an image that is no argument", StopKind::Images);
  else if (Query)
    imageQuery(*M.Objects[Id].Image);
  else if (Write)
    writeImage(Id);
  else
    readImage(Id);
  return true;
}

void Builtins::imageQuery(const ImageContents &I) {
  const unsigned Last = I.Shape.extents() - 1;
  auto one = [&](Term X) { resultTerms({T.resize(X, Bits, false)}); };
  if (Name == "get_image_width")
    return one(I.Extents[0]);
  if (Name == "get_image_height")
    return one(I.Extents[1]);
  if (Name == "get_image_depth")
    return one(I.Extents[2]);
  if (Name == "get_image_array_size")
    return one(I.Extents[Last]);
  if (Name == "get_image_channel_order")
    return one(T.constant(64, I.Format.Order));
  if (Name == "get_image_channel_data_type")
    return one(T.constant(64, I.Format.Type));
  if (Name != "get_image_dim")
    return M.fail("the built-in function " + Name, StopKind::Images);
  SmallVector<Term, 4> All;
  for (unsigned D = 0; D < Count; ++D)
    All.push_back(D < I.Shape.Dimensions ? T.resize(I.Extents[D], Bits, false)
                                         : T.constant(Bits, 0));
  resultTerms(All);
}

bool Builtins::fitsFormat(const Object &O) {
  const FormatKind K = O.Image->Format.K;
  const char Suffix = Name.back(); // f, h; i of read_imagei and read_imageui
  const bool Fits = Name.ends_with("ui") ? K == FormatKind::Unsigned
                    : Suffix == 'i'      ? K == FormatKind::Signed
                                         : !isInteger(K);
  if (!Fits)
    M.fail(Name + " of " + O.Name + ", whose format is " +
               launch::imageFormatName(O.Image->Format.Order, O.Image->Format.Type),
           StopKind::Images);
  return Fits;
}

namespace {

/// Parts of a texel in which the fraction of a coordinate is followed: those of centres of texels,
/// and the usual ones between them.
constexpr int64_t Parts = 16;

/// A float that is an integer of 64 bits and some parts.
struct Fixed {
  Term Whole = 0;
  int64_t Fraction = 0; ///< from 0 to Parts - 1
};

/// The number that float \p X is; nothing where it has no such form. \p Exact: gets the bits that
/// are 1 where every operation is exact.
std::optional<Fixed> fixedFrom(TermStore &T, Term X, SmallVectorImpl<Term> &Exact) {
  constexpr int64_t Most = (int64_t(1) << 24) / Parts; // multiples of a part up to it are floats
  const Node N = T.node(X);
  if (N.Width != 32)
    return std::nullopt;
  if (N.O == Op::Const) {
    const double Value =
        double(Parts) * double(APFloat(APFloat::IEEEsingle(), APInt(32, N.Imm)).convertToFloat());
    if (!(std::abs(Value) <= double(Most)) || Value != std::trunc(Value))
      return std::nullopt;
    const int64_t All = int64_t(Value), Fraction = (All % Parts + Parts) % Parts;
    return Fixed{T.constant(64, uint64_t((All - Fraction) / Parts)), Fraction};
  }
  if (N.O != Op::Call)
    return std::nullopt;
  const StringRef Function = T.functionName(unsigned(N.Imm));
  Fixed R;
  if (Function == "i2f") {
    R.Whole = T.operands(X)[0];
  } else if (Function == "fadd") {
    const std::optional<Fixed> A = fixedFrom(T, T.operands(X)[0], Exact),
                               B = fixedFrom(T, T.operands(X)[1], Exact);
    if (!A || !B)
      return std::nullopt;
    R.Fraction = (A->Fraction + B->Fraction) % Parts;
    R.Whole = T.addConst(T.add(A->Whole, B->Whole), (A->Fraction + B->Fraction) / Parts);
  } else {
    return std::nullopt;
  }
  Exact.push_back(T.bitAnd(T.slt(R.Whole, T.constant(64, uint64_t(Most))),
                           T.bitNot(T.slt(R.Whole, T.constant(64, uint64_t(-Most))))));
  return R;
}

} // namespace

Term Builtins::roundedCoordinate(Term X, bool Layer) {
  const Term Function = T.extend(T.call(Layer ? "f2i_sat_rte" : "f2i_sat_rtn", 32, {X}), 64, true);
  SmallVector<Term, 4> Exact;
  const std::optional<Fixed> Number = fixedFrom(T, X, Exact);
  // A layer is rounded to the nearest: left to the function.
  if (!Number || (Layer && Number->Fraction))
    return Function;
  Term All = T.boolean(true);
  for (Term Bit : Exact)
    All = T.bitAnd(All, Bit);
  return M.replaceIf(All, Function, Number->Whole, true);
}

/// An integer coordinate in 64 bits. A sum of vectors may wrap, as far as Clang tells; that it does
/// not makes it the sum that scalars have.
Term Builtins::exactCoordinate(Lane X) {
  const Term Whole = M.wideOf(X);
  const Node N = T.node(Whole);
  const Term Inner = N.O == Op::SExt ? T.operands(Whole)[0] : 0;
  if (!M.Open || !Inner || T.node(Inner).O != Op::Sum)
    return Whole;
  const unsigned Width = T.width(Inner);
  Term Exact = T.constant(64, uint64_t(signedOf(T.node(Inner).Imm, Width)));
  const SmallVector<Term, 8> Parts(T.operands(Inner));
  for (size_t I = 0; I < Parts.size(); I += 2) {
    const uint64_t Factor = uint64_t(signedOf(T.value(Parts[I + 1]), Width));
    Exact = T.add(Exact, T.mul(T.extend(Parts[I], 64, true), T.constant(64, Factor)));
  }
  return M.replaceIf(T.eq(Whole, Exact), Whole, Exact, true);
}

Builtins::Texel Builtins::texelAt(const ImageContents &I, unsigned A, bool Sampled) {
  Texel P;
  P.Inside = T.boolean(true);
  for (unsigned D = 0; D < I.Shape.extents(); ++D) {
    const bool Layer = I.Shape.Layers && D + 1 == I.Shape.extents();
    const Lane &Given = Args[A][D];
    const Term X = isFloat(A) ? roundedCoordinate(Given.T, Layer) : exactCoordinate(Given);
    const Term Zero = T.constant(64, 0), Last = T.addConst(I.Extents[D], ~0ull);
    P.At[D] = T.minMax(Op::SMin, T.minMax(Op::SMax, X, Zero), Last);
    if (!(Layer && Sampled))
      P.Inside = T.bitAnd(P.Inside, T.bitAnd(T.bitNot(T.slt(X, Zero)), T.slt(X, I.Extents[D])));
  }
  return P;
}

Term Builtins::offsetOf(const ImageContents &I, const Texel &P) {
  Term Index = 0;
  for (unsigned D = I.Shape.extents(); D-- > 0;) {
    const Term Pitch = M.Open ? T.constant(64, mostTexels(I.Shape)) : I.Extents[D];
    Index = Index ? T.add(T.mul(Index, Pitch), P.At[D]) : P.At[D];
  }
  const uint64_t Bytes = M.Open ? MostTexelBytes : I.Format.texelBytes();
  return T.resize(T.mul(Index, T.constant(64, Bytes)), M.pointerBits(), false);
}

bool Builtins::demandInside(const Object &O, Term Inside, bool Write) {
  const Term Bad = T.bitNot(Inside);
  if (T.isConst(Bad, 0))
    return true;
  Hazard H = M.hazard(W, Hazard::Kind::Bounds, Bad);
  H.Argument = O.Name;
  H.What = (Write ? "writes outside image " : "reads outside image ") + O.Name;
  M.addHazard(std::move(H));
  return !T.isConst(Bad, 1);
}

Term Builtins::readChannel(uint32_t Id, Term Offset, unsigned Bytes) {
  if (M.Open)
    return M.readOpen(M.Objects[Id].Buffer, Offset, Bytes);
  if (M.Objects[Id].Image->Shape.Use == ImageShape::Access::ReadWrite) {
    // Where the kernel has written the texel, a fence decides what is read.
    const bool Known = T.isConst(Offset) && T.value(Offset) < M.Objects[Id].Shadows.size();
    if (Known ? M.Objects[Id].Shadows[T.value(Offset)].Writer == W.Number : M.Objects[Id].Written)
      M.fail("a read of " + M.Objects[Id].Name + ", which the work-item has written",
             StopKind::Images);
  }
  return M.load(W, {Offset, Id}, Bytes * 8, false).T;
}

/// Filter LINEAR, normalized coordinates: the same image, sampler and coordinates give the same.
void Builtins::sampleImage(const Object &O) {
  SmallVector<Term, 6> Ops{arg(1, 0)};
  for (unsigned D = 0; D < O.Image->Shape.extents(); ++D)
    Ops.push_back(Args[2][D].T);
  each([&](unsigned L) {
    return T.call(("image.sample." + Twine(O.Buffer) + "." + Name + "." + Twine(L)).str(), Bits,
                  Ops);
  });
}

void Builtins::readImage(uint32_t Id) {
  const ImageContents I = *M.Objects[Id].Image;
  const bool HasSampler = S.Args.size() > 1 && S.Args[1].Bits == 0;
  if (S.Args.size() != (HasSampler ? 3 : 2) || Count != 4)
    return M.fail("the built-in function " + Name + " with these arguments", StopKind::Images);
  if (HasSampler && !T.isConst(arg(1, 0)))
    return M.fail("a sampler that depends on data", StopKind::Images);
  if (!fitsFormat(M.Objects[Id]))
    return;
  const SamplerBits Sampler{HasSampler ? T.value(arg(1, 0)) : 0};
  if (HasSampler && (!Sampler.isExact() || Sampler.repeats()))
    return sampleImage(M.Objects[Id]);
  const Texel P = texelAt(I, HasSampler ? 2 : 1, HasSampler);
  if (!HasSampler || Sampler.isNone())
    demandInside(M.Objects[Id], P.Inside, false);
  const Term Offset = offsetOf(I, P);
  const bool Integer = isInteger(I.Format.K);
  const Term Zero = T.constant(Bits, 0);
  const Term One = T.constant(Bits, Integer ? 1 : Bits == 16 ? 0x3c00 : 0x3f800000);
  const unsigned Bytes = I.Format.ChannelBytes;
  auto channel = [&](char Which) {
    const std::string Function = "image.read." + channelType(I.Format, Which);
    if (I.Format.K == FormatKind::Packed)
      return T.call(Function + "." + Which, Bits, {readChannel(Id, Offset, Bytes)});
    Term X = readChannel(Id, T.addConst(Offset, uint64_t(Which - 'a') * Bytes), Bytes);
    if (M.failed())
      return X;
    return Integer ? T.resize(X, Bits, I.Format.K == FormatKind::Signed)
                   : T.call(Function, Bits, {X});
  };
  each([&](unsigned L) {
    const char Which = I.Format.Components[L];
    Term X = Which == '0' ? Zero : Which == '1' ? One : channel(Which);
    if (!HasSampler || !Sampler.isClamp() || M.failed())
      return X;
    return T.ite(P.Inside, X, L == 3 && I.Format.OpaqueBorder ? One : Zero);
  });
}

/// The integer of \p Bits bits that a write of \p X leaves in a channel.
static Term saturatedChannel(TermStore &T, Term X, unsigned Bits, bool Signed) {
  const unsigned Width = T.width(X);
  const uint64_t Top = maskOf(Bits) >> Signed;
  if (!Signed)
    return T.trunc(T.minMax(Op::UMin, X, T.constant(Width, Top)), Bits);
  X = T.minMax(Op::SMax, X, T.constant(Width, ~Top));
  return T.trunc(T.minMax(Op::SMin, X, T.constant(Width, Top)), Bits);
}

void Builtins::writeImage(uint32_t Id) {
  const ImageContents I = *M.Objects[Id].Image;
  if (S.Args.size() != 3 || Args[2].size() != 4)
    return M.fail("the built-in function " + Name + " with these arguments", StopKind::Images);
  if (!fitsFormat(M.Objects[Id]))
    return;
  const Texel P = texelAt(I, 1, false);
  if (!demandInside(M.Objects[Id], P.Inside, true))
    return;
  const Term Offset = offsetOf(I, P);
  const unsigned Bytes = I.Format.ChannelBytes;
  auto store = [&](Term Where, Term Value) {
    if (M.Open)
      M.storeOpen(W, {Where, Id}, {Value, NoObject}, Bytes);
    else
      M.store(W, {Where, Id}, {Value, NoObject}, Bytes * 8);
  };
  if (I.Format.K == FormatKind::Packed)
    return store(Offset, T.call("image.write." + channelType(I.Format, 'a'), Bytes * 8,
                                {arg(2, 0), arg(2, 1), arg(2, 2)}));
  for (unsigned C = 0; C < I.Format.Channels && !M.failed(); ++C) {
    const char Which = char('a' + C);
    const size_t Component = I.Format.Components.find(Which);
    if (Component == StringRef::npos)
      continue; // padding
    const Term X = arg(2, unsigned(Component));
    store(T.addConst(Offset, C * Bytes),
          isInteger(I.Format.K)
              ? saturatedChannel(T, X, Bytes * 8, I.Format.K == FormatKind::Signed)
              : T.call("image.write." + channelType(I.Format, Which), Bytes * 8, {X}));
  }
}

} // namespace clmali::verify::symbolic
