//===-- checks/model/host/values/Transfers.h - Copies between host and GPU -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_TRANSFERS_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_TRANSFERS_H

#include "checks/model/host/values/Frames.h"

namespace clmali::model {

/// The transfer waits: its flag is true, or is at every call of the function around it. C: the flag
/// is the third argument; methods: the second.
bool blocks(llvm::ArrayRef<const clang::Expr *> Args, llvm::StringRef Name,
            const HostValues &Known);
bool blocksByCallers(const clang::Expr *E, llvm::ArrayRef<const clang::Expr *> Args,
                     llvm::StringRef Name, const HostFlow &Flow, const HostValues &Known);

/// After Call, the local variable in Pointer is only freed, or an argument of transfers: then the
/// program accesses the memory through the API alone.
bool isOnlyTransferredAfter(const clang::Expr *Pointer, const clang::Expr *Call,
                            const HostFlow &Flow, const clang::SourceManager &SM);

} // namespace clmali::model
#endif
