//===- KnownTensors.h - Every tensor of a file is read ----------*- C++ -*-===//
#ifndef TT_CHECK_KNOWNTENSORS_H
#define TT_CHECK_KNOWNTENSORS_H

#include <string>
#include <vector>

namespace tt::support {
class SafetensorsFile;
}

namespace tt::check {

/// Refuses a tensor whose name is none of `known`: it would be read by nobody, as a
/// misspelt one is. The optimizer's state in a checkpoint may stay. `wanted` says what
/// the names are of, such as "an argument of @loss".
bool checkKnownTensors(const support::SafetensorsFile &file,
                       const std::vector<std::string> &known, const std::string &wanted,
                       std::string &error);

} // namespace tt::check

#endif
