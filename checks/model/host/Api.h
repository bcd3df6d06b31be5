//===-- checks/model/host/Api.h - Which function of the API is called -*- C++ -*-===//
//
//   clFinish(queue), (*pfn_clFinish)(queue), lib_clFinish(queue)   apiName  clFinish
//   queue.finish(), Library::enqueueReadBuffer(..)     apiName  cl::CommandQueue::finish,
//   clEnqueueReadBuffer std::make_unique<cl::Buffer>(context, flags, n)    madeInside  cl::Buffer
//
// Limits: of what a missing header declared there is the name alone.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_API_H
#define CLMALI_CHECKS_MODEL_HOST_API_H

#include "clang/AST/Expr.h"
#include <string>

namespace clmali::model {

/// The API's name of what a call with so many arguments calls, with its class; empty: it is none.
/// \p Object: of a method.
std::string apiName(const clang::Expr *Callee, unsigned Args, const clang::Expr *&Object);
/// What `std::make_unique<cl::Buffer>(context, ..)` and `buffers.emplace_back(context, ..)` make of
/// OpenCL; empty: nothing.
std::string madeInside(const clang::CallExpr *C);

} // namespace clmali::model
#endif
