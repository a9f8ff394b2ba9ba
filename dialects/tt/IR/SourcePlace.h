//===- SourcePlace.h - Where in the user's file -----------------*- C++ -*-===//
#ifndef TT_IR_SOURCEPLACE_H
#define TT_IR_SOURCEPLACE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <string>

namespace tt {

/// "FILE:LINE:COLUMN" of the first file location in `location`; "" if it has none.
inline std::string sourcePlace(mlir::Location location) {
  auto file = location->findInstanceOf<mlir::FileLineColLoc>();
  if (!file)
    return "";
  return file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
         std::to_string(file.getColumn());
}

} // namespace tt

#endif
