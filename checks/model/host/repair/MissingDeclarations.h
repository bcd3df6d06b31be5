//===-- checks/model/host/repair/MissingDeclarations.h - Inferred declarations -*- C++ -*-===//
//
// Declarations in the place of those that a missing header would have brought, inferred from the
// errors about undeclared names:
//
//   cv::Mat image = cv::imread("a.png");     struct Mat : Any {};
//   clEnqueueWriteBuffer(queue, b, CL_TRUE,  extern Any imread;
//                        0, n, image.data,   ... Any::data
//                        0, NULL, NULL);
//
// In C++ they are of a class without value that converts to everything, can be called and has the
// members that are used, so that no expression is lost. In C, where no type does that, they are of
// type int, or structures of int.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGDECLARATIONS_H
#define CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGDECLARATIONS_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <set>
#include <string>

namespace clmali::model {

class MissingDeclarations {
public:
  MissingDeclarations(llvm::StringRef FileName, bool IsCpp) : FileName(FileName), IsCpp(IsCpp) {}
  /// Adds what the errors of a parse of Code miss. False: there is nothing new.
  bool learn(llvm::StringRef Code, llvm::ArrayRef<ParseDiagnostic> Errors);
  /// The declarations; empty: none.
  std::string text() const;
  /// The namespace of that class in C++.
  static constexpr llvm::StringLiteral Namespace = "clmali_missing";

private:
  enum Kind : uint8_t {
    Value,    ///< a variable, constant or function
    Constant, ///< of type int
    Structure,
    Template,
    Integer, ///< a type with a usual name (integerType)
    Scope,   ///< a namespace
    Wrapper, ///< a macro around statements: `CHECK(cl::Buffer b(context, flags, size, data, &err),
             ///< err);`
    LateWrapper, ///< `CHECK(err, cl::Buffer ..);`
    Nothing,     ///< an empty macro between a type and a name: `void *RESTRICT data`
    Head,        ///< a macro that heads a function: `TEST_F(Scaling, floats) {`
  };
  static bool isMacro(Kind K) { return K == Wrapper || K == LateWrapper || K == Head; }

  /// An error with its surroundings.
  struct Error {
    const ParseDiagnostic &D;
    llvm::StringRef Message;  ///< of D, or the rest of it after the part that was recognised
    llvm::StringRef Text;     ///< of its file
    llvm::StringRef Line;     ///< of Text
    llvm::StringRef NextLine; ///< empty at the end of the file
    /// Message up to the next quote.
    llvm::StringRef quoted() const;
    /// The line from the column of D.
    llvm::StringRef rest() const;
    /// The same after Name, without blanks; empty: Name is not there.
    llvm::StringRef after(llvm::StringRef Name) const;
  };

  std::string FileName;
  bool IsCpp;
  std::map<std::string, Kind> Names;   ///< qualified
  std::map<std::string, Kind> Members; ///< of the class that stands for all missing ones
  /// The API's types of Names, by how the text uses them: `kernel = clCreateKernel(`,
  /// `queue.enqueueReadBuffer(`.
  std::map<std::string, std::string> Types;
  bool Changed = false;            ///< in this call of learn
  std::set<std::string> Declaring; ///< names that the text declares something with: `REAL sum = 0;`
  std::string Plain;               ///< the text without comments
  std::set<std::string> Exports;   ///< macros between `class` and its name
  std::set<std::string> Heads;     ///< functionHeadMacros of the text
  std::set<std::string> UsedAsValues; ///< names with errors as values, in this call of learn

  void read(llvm::StringRef Code);
  void addType(llvm::StringRef Name);
  void add(std::map<std::string, Kind> &To, llvm::StringRef Name, Kind K);
  /// Adds K for all Names that are Name, in whatever namespace.
  void addQualified(const std::string &Name, Kind K);

  void learnFrom(Error E, llvm::StringRef Code);
  bool learnExportMacro(const Error &E);
  bool learnUnknownType(Error &E);
  bool learnUndeclared(Error &E);
  bool learnMissingMember(Error &E);
  bool learnTemplate(Error &E);
  bool learnTypeArgument(Error &E);
  bool learnEmptyMacro(Error &E);
  bool learnWrapper(Error &E, llvm::StringRef Code);
  bool learnNamespace(Error &E);
  bool learnBase(Error &E);
  bool learnIncomplete(Error &E);

  // The parts of text().
  std::string handleTypes() const;
  std::string anyClass() const;
  std::string declarationOf(const std::string &Full, Kind K) const;
  std::string classOf(const std::string &Name, Kind K) const;
};

} // namespace clmali::model
#endif
