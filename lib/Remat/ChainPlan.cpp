//===- ChainPlan.cpp - Where a chain of layers is cut ---------------------===//
//
// A segment that starts at layer i and ends before j costs, at the moment its
// adjoint begins,
//   boundaries kept up to and with i + tape of i..j-1 + work of layer j-1
//   + gradients of j..n-1 and of what follows the chain.
// For a bound P on that cost, the cheapest boundaries over the prefix before j
// follow from those over shorter prefixes, and fewer boundary bytes never hurt
// what comes later: so one sweep decides P, and bisection finds the least.
//
//===----------------------------------------------------------------------===//
#include "tt/Remat/ChainPlan.h"

#include <algorithm>
#include <cassert>
#include <optional>

using namespace tt;

ChainPlan tt::planNone() { return {{0}}; }

ChainPlan tt::planFull(const LayerChain &chain) {
  ChainPlan plan;
  for (unsigned i = 0; i < chain.layers.size(); ++i)
    plan.starts.push_back(i);
  return plan;
}

ChainPlan tt::planSegments(const LayerChain &chain, unsigned count) {
  unsigned n = chain.layers.size();
  assert(count >= 1 && count <= n);
  std::vector<int64_t> before{0}; // tape of the layers before i
  for (const ChainLayer &layer : chain.layers)
    before.push_back(before.back() + layer.tape);
  ChainPlan plan{{0}};
  for (unsigned s = 1; s < count; ++s) {
    // The cut nearest to s/count of the bytes that leaves every segment a layer.
    auto distance = [&](unsigned cut) {
      double target = double(before.back()) * s / count;
      return std::abs(double(before[cut]) - target);
    };
    unsigned best = plan.starts.back() + 1;
    for (unsigned cut = best + 1; cut <= n - (count - s); ++cut)
      if (distance(cut) < distance(best))
        best = cut;
    plan.starts.push_back(best);
  }
  return plan;
}

/// A plan of peak at most `bound`, if there is one.
static std::optional<ChainPlan> planWithin(const LayerChain &chain, int64_t bound) {
  constexpr int64_t kNone = -1;
  unsigned n = chain.layers.size();
  std::vector<int64_t> kept(n + 1, kNone); // boundary bytes over the prefix
  std::vector<unsigned> from(n + 1, 0);    // start of its last segment
  kept[0] = 0;
  std::vector<int64_t> gradientsFrom(n + 1, 0);
  for (unsigned i = n; i-- > 0;)
    gradientsFrom[i] = gradientsFrom[i + 1] + chain.layers[i].gradient;
  for (unsigned end = 1; end <= n; ++end) {
    int64_t cost = chain.tailGradient + gradientsFrom[end] + chain.layers[end - 1].work;
    if (end == n)
      cost = std::max(cost, chain.tail);
    for (unsigned start = end; start-- > 0;) {
      cost += chain.layers[start].tape;
      if (cost > bound)
        break;
      if (kept[start] == kNone)
        continue;
      int64_t bytes = kept[start] + (start ? chain.layers[start].boundary : 0);
      if (bytes + cost > bound)
        continue;
      // Equal bytes: the longer segment. At the end the longest one counts,
      // since it is not replayed.
      if (kept[end] == kNone || bytes <= kept[end] || end == n) {
        kept[end] = bytes;
        from[end] = start;
      }
    }
  }
  if (kept[n] == kNone)
    return std::nullopt;
  ChainPlan plan;
  for (unsigned end = n; end > 0; end = from[end])
    plan.starts.push_back(from[end]);
  std::reverse(plan.starts.begin(), plan.starts.end());
  return plan;
}

ChainPlan tt::planLeastPeak(const LayerChain &chain) {
  ChainPlan best = planNone();
  int64_t low = chain.floor, high = peakBytes(chain, best);
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (std::optional<ChainPlan> plan = planWithin(chain, middle)) {
      best = *plan;
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  // Where the bound leaves room, shorter segments: the last op of a segment need
  // not run again.
  for (unsigned cut = 1; cut < best.starts.back(); ++cut) {
    auto place = std::lower_bound(best.starts.begin(), best.starts.end(), cut);
    if (*place == cut)
      continue;
    ChainPlan finer = best;
    finer.starts.insert(finer.starts.begin() + (place - best.starts.begin()), cut);
    if (peakBytes(chain, finer) <= high)
      best = finer;
  }
  return best;
}

/// Calls `visit(segment, start, end)` for each segment of the plan.
template <typename Visit>
static void forEachSegment(const LayerChain &chain, const ChainPlan &plan,
                           Visit visit) {
  for (size_t s = 0; s < plan.starts.size(); ++s)
    visit(s, plan.starts[s],
          s + 1 < plan.starts.size() ? plan.starts[s + 1]
                                     : unsigned(chain.layers.size()));
}

int64_t tt::peakBytes(const LayerChain &chain, const ChainPlan &plan) {
  int64_t gradients = chain.tailGradient, kept = 0, peak = chain.floor;
  for (const ChainLayer &layer : chain.layers)
    gradients += layer.gradient;
  forEachSegment(chain, plan, [&](size_t s, unsigned start, unsigned end) {
    int64_t tape = 0;
    for (unsigned i = start; i < end; ++i) {
      tape += chain.layers[i].tape;
      gradients -= chain.layers[i].gradient;
    }
    kept += s ? chain.layers[start].boundary : 0;
    int64_t rest = gradients + chain.layers[end - 1].work;
    if (s + 1 == plan.starts.size())
      rest = std::max(rest, chain.tail);
    peak = std::max(peak, kept + tape + rest);
  });
  return peak;
}

unsigned tt::countReplayed(const LayerChain &chain, const ChainPlan &plan) {
  unsigned count = 0;
  forEachSegment(chain, plan, [&](size_t s, unsigned start, unsigned end) {
    if (s + 1 < plan.starts.size())
      count += end - start - (chain.layers[end - 1].rerunAtEnd ? 0 : 1);
  });
  return count;
}

std::string tt::describe(const LayerChain &chain, const ChainPlan &plan) {
  std::string text;
  forEachSegment(chain, plan, [&](size_t s, unsigned start, unsigned end) {
    text += s + 1 == plan.starts.size() ? "kept [" : "[";
    text += std::to_string(start) + ".." + std::to_string(end - 1) + "] ";
  });
  return text + "peak " + std::to_string(peakBytes(chain, plan)) + " bytes, " +
         std::to_string(countReplayed(chain, plan)) + " replayed";
}
