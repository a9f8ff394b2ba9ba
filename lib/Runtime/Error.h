//===- Error.h - The thread's last error text -------------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_ERROR_H
#define TT_LIB_RUNTIME_ERROR_H

#include "tt/runtime/tt.h"

namespace tt::runtime {

/// Sets this thread's error text, cut to its buffer, and returns `status`, so
/// that a check reads `return fail(TT_ERR_..., "expected ..., but got ...")`.
/// Integers and strings only: printf allocates for wide floating point.
tt_status fail(tt_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Makes the loader allocate this thread's error text now rather than at the
/// thread's first error.
void touchErrorText();

} // namespace tt::runtime

#endif
