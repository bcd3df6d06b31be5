// Arguments of launch files: from texts to expressions, data, formats and samplers.
#include "rewriters/launch/RawLaunchFile.h"

#include <limits>

using namespace llvm;

namespace clmali::launch {

Expected<std::vector<Expression>> parseAll(const Texts &Items, const Twine &Where) {
  std::vector<Expression> Result;
  for (const std::string &Text : Items) {
    Expected<Expression> E = Expression::parse(Text);
    if (!E)
      return failure(Where + ": " + toString(E.takeError()));
    Result.push_back(std::move(*E));
  }
  return Result;
}

Expected<Tolerance> convert(const RawTolerance &Raw, const Twine &Where) {
  Tolerance T;
  T.Ulp = Raw.Ulp;
  T.Relative = Raw.Relative;
  T.Absolute = Raw.Absolute;
  T.Steps = Raw.Steps;
  for (const std::optional<double> &V : {T.Ulp, T.Relative, T.Absolute, T.Steps})
    if (V && !(*V >= 0 && *V <= std::numeric_limits<double>::max()))
      return failure(Where + ": a tolerance must be a finite number of 0 or more");
  return T;
}

namespace {

Expected<Expression> parseOne(const std::string &Text, const Twine &Where) {
  Expected<Expression> E = Expression::parse(Text);
  if (!E)
    return failure(Where + ": " + toString(E.takeError()));
  return E;
}

Expected<DataSpec> convert(const DataNode &Node, const Twine &Where) {
  DataSpec D;
  if (Node.Word == "zero") {
    D.K = DataSpec::Kind::Zero;
    return D;
  }
  if (!Node.Word.empty())
    return failure(Where + ": expected zero, or { KIND: ... } with one of "
                           "uniform, range, zero, values, file, same-as");
  const RawData &Raw = Node.Map;
  unsigned Given = (Raw.Uniform ? 1 : 0) + (Raw.Range ? 1 : 0) + Raw.Zero + (Raw.Values ? 1 : 0) +
                   !Raw.File.empty() + !Raw.SameAs.empty();
  if (Given != 1)
    return failure(Where + ": give exactly one of uniform, range, zero, "
                           "values, file, same-as");
  if (Raw.Uniform) {
    D.K = DataSpec::Kind::Uniform;
    if (Raw.Uniform->size() != 2 || !parseDouble((*Raw.Uniform)[0], D.Low) ||
        !parseDouble((*Raw.Uniform)[1], D.High) || !(D.Low <= D.High))
      return failure(Where + ": uniform takes two numbers, the lower first");
  } else if (Raw.Range) {
    D.K = DataSpec::Kind::Range;
    if (Raw.Range->size() != 2)
      return failure(Where + ": range takes two integer expressions");
    Expected<std::vector<Expression>> Ends = parseAll(*Raw.Range, Where);
    if (!Ends)
      return Ends.takeError();
    D.RangeLow = (*Ends)[0];
    D.RangeHigh = (*Ends)[1];
  } else if (Raw.Zero) {
    D.K = DataSpec::Kind::Zero;
  } else if (Raw.Values) {
    D.K = DataSpec::Kind::Values;
    D.Values = *Raw.Values;
    if (D.Values.empty())
      return failure(Where + ": values needs at least one value");
  } else if (!Raw.File.empty()) {
    D.K = DataSpec::Kind::File;
    D.File = Raw.File;
  } else {
    D.K = DataSpec::Kind::SameAs;
    D.SameAs = Raw.SameAs;
  }
  return D;
}

Error convertScalar(const RawArgument &Raw, const std::string &Where, Argument &A) {
  A.K = Argument::Kind::Scalar;
  A.Value = Raw.Value->Items;
  if (A.Value.empty())
    return failure(Where + ": value is empty");
  for (const std::string &Text : A.Value) {
    double Ignored;
    if (parseDouble(Text, Ignored))
      continue;
    Expected<Expression> E = Expression::parse(Text);
    if (!E)
      return failure(Where + ": " + toString(E.takeError()));
  }
  return Error::success();
}

/// Access, data and comparison, of a buffer or an image.
Error convertContents(const RawArgument &Raw, const std::string &Where, Argument &A) {
  StringRef Key = Raw.Image ? "image" : "buffer", Use = Raw.Image ? *Raw.Image : *Raw.Buffer;
  if (Use == "in")
    A.Use = Argument::Access::In;
  else if (Use == "out")
    A.Use = Argument::Access::Out;
  else if (Use == "inout")
    A.Use = Argument::Access::InOut;
  else
    return failure(Where + ": " + Key + " is in, out or inout, not '" + Use + "'");
  if (Raw.Data) {
    Expected<DataSpec> D = convert(*Raw.Data, Where + ": data");
    if (!D)
      return D.takeError();
    A.Data = *D;
  }
  if (Raw.Compare) {
    Expected<Tolerance> T = convert(*Raw.Compare, Where + ": compare");
    if (!T)
      return T.takeError();
    A.Compare = *T;
  }
  return Error::success();
}

Error convertBuffer(const RawArgument &Raw, const std::string &Where, Argument &A) {
  A.K = Argument::Kind::Buffer;
  if (Error E = convertContents(Raw, Where, A))
    return E;
  if (!Raw.Count && A.Data.K != DataSpec::Kind::SameAs)
    return failure(Where + ": a buffer needs count, its number of elements");
  if (!Raw.Count)
    return Error::success();
  Expected<Expression> Count = parseOne(*Raw.Count, Where + ": count");
  if (!Count)
    return Count.takeError();
  A.Count = *Count;
  return Error::success();
}

Error convertImage(const RawArgument &Raw, const std::string &Where, Argument &A) {
  A.K = Argument::Kind::Image;
  if (Error E = convertContents(Raw, Where, A))
    return E;
  if (!Raw.Format || !Raw.Extents)
    return failure(Where + ": an image needs format and size");
  A.Format = *Raw.Format;
  if (!imageFormat(A.Format))
    return failure(Where + ": there is no format '" + A.Format +
                   "'; a format is ORDER-TYPE, with the orders " + imageFormatNames());
  Expected<std::vector<Expression>> Extents = parseAll(Raw.Extents->Items, Where + ": size");
  if (!Extents)
    return Extents.takeError();
  A.Extents = std::move(*Extents);
  if (A.Extents.empty() || A.Extents.size() > 3)
    return failure(Where + ": size gives width, height and depth, or layers, not " +
                   Twine(A.Extents.size()) + " numbers");
  const bool IsPacked = imageFormat(A.Format)->K == ImageFormat::Kind::Packed;
  if (IsPacked && (A.Data.K == DataSpec::Kind::Uniform || A.Compare))
    return failure(Where + ": texels of '" + A.Format +
                   "' are packed: data is range, values or file, and compare cannot be given");
  return Error::success();
}

Error convertSampler(const RawSampler &Raw, const std::string &Where, Argument &A) {
  A.K = Argument::Kind::Sampler;
  Expected<SamplerSpec> S = samplerFrom(Raw.Coordinates, Raw.Address, Raw.Filter);
  if (!S)
    return failure(Where + ": " + toString(S.takeError()));
  A.Sampler = *S;
  return Error::success();
}

} // namespace

Expected<Argument> convert(const RawArgument &Raw) {
  Argument A;
  A.Name = Raw.Name;
  std::string Where = "argument '" + Raw.Name + "'";
  unsigned Kinds = (Raw.Value ? 1 : 0) + (Raw.Buffer ? 1 : 0) + (Raw.Local ? 1 : 0) +
                   (Raw.Image ? 1 : 0) + (Raw.Sampler ? 1 : 0);
  if (Kinds != 1)
    return failure(Where + ": give exactly one of value (a scalar), buffer, image (both in, out or "
                           "inout), local (bytes) and sampler");
  if (!Raw.Buffer && !Raw.Image && (Raw.Data || Raw.Compare))
    return failure(Where + ": data and compare belong to a buffer or an image");
  if (!Raw.Buffer && Raw.Count)
    return failure(Where + ": count belongs to a buffer");
  if (!Raw.Image && (Raw.Format || Raw.Extents))
    return failure(Where + ": format and size belong to an image");
  if (Raw.Local) {
    A.K = Argument::Kind::Local;
    Expected<Expression> Bytes = parseOne(*Raw.Local, Where);
    if (!Bytes)
      return Bytes.takeError();
    A.LocalBytes = *Bytes;
    return A;
  }
  Error E = Raw.Value     ? convertScalar(Raw, Where, A)
            : Raw.Sampler ? convertSampler(*Raw.Sampler, Where + ": sampler", A)
            : Raw.Image   ? convertImage(Raw, Where, A)
                          : convertBuffer(Raw, Where, A);
  if (E)
    return std::move(E);
  return A;
}

} // namespace clmali::launch
