//===- SizeSolver.cpp - Small sizes that satisfy a graph's rules ----------===//
//
// Depth first over the classes in the order of their sizes, so that a smaller
// class stays the smaller one; a rule with one unknown gives it. The classes of
// a transformer are about ten, so the search is over at once.
//
//===----------------------------------------------------------------------===//
#include "tt/Certify/DimGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tt::certify;

namespace {

constexpr int kMaxVisits = 200000;
/// Sums and products of small sizes stay below this.
constexpr int64_t kLargest = 1 << 12;

class Search {
public:
  explicit Search(const DimGraph &graph) : graph(graph), values(graph.count(), 0) {}

  bool run();
  int64_t value(unsigned dim) const { return values[graph.find(dim)]; }

private:
  bool visit(size_t next);
  bool assign(unsigned dim, int64_t value);
  bool propagate();
  bool apply(const SizeRule &rule, bool &changed);
  bool applyProduct(const SizeRule &rule, bool &changed);
  bool applySum(const SizeRule &rule, bool &changed);
  llvm::SmallVector<int64_t> candidates(unsigned dim) const;
  void undo(size_t mark) {
    while (trail.size() > mark)
      values[trail.pop_back_val()] = 0;
  }

  const DimGraph &graph;
  std::vector<int64_t> values; // 0: not known yet
  llvm::SmallVector<unsigned> order, trail;
  int visits = 0;
};

} // namespace

bool Search::assign(unsigned dim, int64_t value) {
  dim = graph.find(dim);
  if (values[dim])
    return values[dim] == value;
  if (value < 1 || value > std::max(graph.size(dim), int64_t(1)) || value > kLargest)
    return false;
  if (graph.isFixed(dim) && value != graph.size(dim))
    return false;
  values[dim] = value;
  trail.push_back(dim);
  return true;
}

bool Search::applyProduct(const SizeRule &rule, bool &changed) {
  int64_t products[2] = {1, 1};
  unsigned unknown = 0, unknowns = 0, side = 0;
  for (unsigned i : {0u, 1u})
    for (unsigned dim : i == 0 ? rule.left : rule.right) {
      if (int64_t known = value(dim)) {
        if (__builtin_mul_overflow(products[i], known, &products[i])) // checked:
          return false;
        continue;
      }
      unknown = dim, side = i, ++unknowns;
    }
  if (unknowns == 0)
    return products[0] == products[1];
  if (unknowns > 1)
    return true;
  changed = true;
  return products[1 - side] % products[side] == 0 &&
         assign(unknown, products[1 - side] / products[side]);
}

bool Search::applySum(const SizeRule &rule, bool &changed) {
  int64_t sum = 0, times = 0;
  unsigned unknown = 0;
  for (unsigned dim : rule.right) {
    if (int64_t known = value(dim)) {
      sum += known;
      continue;
    }
    if (times && graph.find(dim) != graph.find(unknown))
      return true; // two unknown ones
    unknown = dim, ++times;
  }
  int64_t whole = value(rule.left[0]);
  if (whole && !times)
    return whole == sum;
  if (whole) { // the same size `times` times
    changed = true;
    return whole > sum && (whole - sum) % times == 0 &&
           assign(unknown, (whole - sum) / times);
  }
  if (times)
    return true;
  changed = true;
  return assign(rule.left[0], sum);
}

bool Search::apply(const SizeRule &rule, bool &changed) {
  switch (rule.kind) {
  case SizeRule::Product:
    return applyProduct(rule, changed);
  case SizeRule::Sum:
    return applySum(rule, changed);
  case SizeRule::Multiple: {
    int64_t whole = value(rule.left[0]), part = value(rule.right[0]);
    return !whole || !part || whole % part == 0;
  }
  }
  return false;
}

bool Search::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const SizeRule &rule : graph.rules())
      if (!apply(rule, changed))
        return false;
  }
  return true;
}

/// Sizes not taken yet first: a mixed-up pair of dimensions then shows.
llvm::SmallVector<int64_t> Search::candidates(unsigned dim) const {
  int64_t size = graph.size(dim);
  llvm::SmallVector<int64_t> fresh, taken;
  for (int64_t value : {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 2, 17, 18,
                        19, 20, 24, 32, 1}) {
    if (value > size || (value == 1 && size > 2))
      continue;
    bool isSmall = value < graph.wantedSize(dim);
    (isSmall || llvm::is_contained(values, value) ? taken : fresh).push_back(value);
  }
  for (bool isLarge : {true, false})
    for (int64_t value : taken)
      if ((value >= graph.wantedSize(dim)) == isLarge)
        fresh.push_back(value);
  if (size > 2)
    fresh.push_back(1);
  return fresh;
}

bool Search::visit(size_t next) {
  if (++visits > kMaxVisits)
    return false;
  while (next < order.size() && values[order[next]])
    ++next;
  if (next == order.size())
    return true;
  for (int64_t value : candidates(order[next])) {
    size_t mark = trail.size();
    if (assign(order[next], value) && propagate() && visit(next + 1))
      return true;
    undo(mark);
  }
  return false;
}

bool Search::run() {
  for (unsigned dim = 0; dim < graph.count(); ++dim) {
    if (graph.find(dim) != dim)
      continue;
    if (graph.isFixed(dim) ? !assign(dim, graph.size(dim)) : graph.size(dim) == 0)
      return false;
    order.push_back(dim);
  }
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(graph.size(a), a) < std::pair(graph.size(b), b);
  });
  return propagate() && visit(0);
}

bool tt::certify::solveSmall(const DimGraph &graph, std::vector<int64_t> &sizes) {
  Search search(graph);
  if (!search.run())
    return false;
  sizes.assign(graph.count(), 0);
  for (unsigned dim = 0; dim < graph.count(); ++dim)
    sizes[dim] = search.value(dim);
  return true;
}
