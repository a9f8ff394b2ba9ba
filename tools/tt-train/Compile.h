// The two steps of making a library, apart because only they need the compiler.
#ifndef TT_TOOLS_TT_TRAIN_COMPILE_H
#define TT_TOOLS_TT_TRAIN_COMPILE_H

#include "MakeLibrary.h"

/// config.json -> DIR/model.mlir, whose path it returns.
bool importModel(const ModelSource &source, tt::trainer::Console &console,
                 std::string &mlir, std::string &error);

/// .mlir -> DIR/model.so, whose path it returns.
bool compileLibrary(const ModelSource &source, const std::string &mlir,
                    const tt::trainer::AcceptTypes &accept,
                    tt::trainer::Console &console, std::string &path,
                    std::string &error);

#endif
