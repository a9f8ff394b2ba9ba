//===- NearestName.h - What a misspelt name was meant to be -----*- C++ -*-===//
#ifndef TT_SUPPORT_NEARESTNAME_H
#define TT_SUPPORT_NEARESTNAME_H

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace tt::support {

/// The letters to put in, take out or change to make one name of the other.
inline size_t editDistance(std::string_view one, std::string_view other) {
  std::vector<size_t> row(other.size() + 1); // of the table, for a part of `one`
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < one.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < other.size(); ++j) {
      size_t changed = diagonal + (one[i] != other[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// ", did you mean 'NAME'?" for the known name that differs in the fewest letters,
/// if those are at most a third of its letters; else "". `known`: strings of any kind.
template <typename Names> std::string didYouMean(std::string_view name, const Names &known) {
  std::string_view nearest;
  size_t least = ~size_t(0);
  for (std::string_view candidate : known) {
    size_t limit = std::max<size_t>(1, candidate.size() / 3);
    if (name.size() > candidate.size() + limit) // the name may be a long one of a file
      continue;
    size_t distance = editDistance(name, candidate);
    if (distance < least && distance <= limit) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest.empty() ? "" : ", did you mean '" + std::string(nearest) + "'?";
}

} // namespace tt::support

#endif
