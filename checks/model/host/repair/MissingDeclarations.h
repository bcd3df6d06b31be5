//===-- checks/model/host/repair/MissingDeclarations.h - What missing headers declared -*- C++
//-*-===//
//
// Declarations in the place of those that a header which is not found would have
// brought, learnt from what the parse says that nobody declares:
//
//   cv::Mat image = cv::imread("a.png");     struct Mat : Any {};
//   clEnqueueWriteBuffer(queue, b, CL_TRUE,  extern Any imread;
//                        0, n, image.data,   ... Any::data
//                        0, NULL, NULL);
//
// In C++ they are of a class that converts to everything, can be called and has the
// members that are asked for, so that no expression is lost; it has no value. In C, whose
// types are not that patient, they are of type int, or structures of int.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGDECLARATIONS_H
#define CLMALI_CHECKS_MODEL_HOST_REPAIR_MISSINGDECLARATIONS_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>

namespace clmali::model {

class MissingDeclarations {
public:
  MissingDeclarations(llvm::StringRef FileName, bool IsCpp) : FileName(FileName), IsCpp(IsCpp) {}
  /// Learns from the errors of a parse of Code. False: there is nothing new.
  bool learn(llvm::StringRef Code, llvm::ArrayRef<ParseDiagnostic> Said);
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
    Integer, ///< a type that everybody calls so
    Scope,   ///< a namespace
    Wrapper, ///< a macro around statements: `CHECK(cl::Buffer b(context, flags, size, data, &err),
             ///< err);`
    LateWrapper, ///< `CHECK(err, cl::Buffer ..);`
    Nothing,     ///< a macro between a type and a name: `void *RESTRICT data`
    Head,        ///< a macro that heads a function: `TEST_F(Scaling, floats) {`
  };
  static bool isMacro(Kind K) { return K == Wrapper || K == LateWrapper || K == Head; }
  std::string FileName;
  bool IsCpp;
  std::map<std::string, Kind> Names;   ///< qualified
  std::map<std::string, Kind> Members; ///< of all these classes
  /// Of the API, by what the text does with the name: `kernel = clCreateKernel(`,
  /// `queue.enqueueReadBuffer(`.
  std::map<std::string, std::string> Types;
  bool Changed = false;
  std::set<std::string> Declaring; ///< names that the text declares something with: `REAL sum = 0;`
  std::string Plain;               ///< the text without comments
  std::set<std::string> Exports;   ///< macros between `class` and its name
  std::set<std::string> Heads; ///< names in capitals, of no class, that stand with arguments before
                               ///< a body outside of functions
  void read(llvm::StringRef Code);
  void type(llvm::StringRef Name, llvm::StringRef Code);
  void note(std::map<std::string, Kind> &To, llvm::StringRef Name, Kind K);
};

} // namespace clmali::model
#endif
