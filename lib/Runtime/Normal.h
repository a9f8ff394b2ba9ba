//===- Normal.h - Normal deviates with the same bits everywhere -*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_NORMAL_H
#define TT_LIB_RUNTIME_NORMAL_H

#include "tt/runtime/Philox.h"

namespace tt::runtime {

/// 53 random bits as a number in [0, 1).
double uniform53(uint32_t high, uint32_t low);

/// Two independent normal deviates from 128 random bits (Box-Muller).
void normalPair(const PhiloxBlock &bits, double &first, double &second);

} // namespace tt::runtime

#endif
