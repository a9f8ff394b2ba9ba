// Sorting in place, n log n for any input, without recursion or memory.
#ifndef TT_RUNTIME_HEAPSORT_H
#define TT_RUNTIME_HEAPSORT_H

#include <stddef.h>

namespace tt::runtime {

template <typename T, typename Less>
void siftDown(T *items, size_t root, size_t count, Less less) {
  T moved = items[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && less(items[child], items[child + 1]))
      ++child;
    if (!less(moved, items[child]))
      break;
    items[root] = items[child];
  }
  items[root] = moved;
}

/// Files are mostly sorted already; then one pass suffices.
template <typename T, typename Less>
void heapSort(T *items, size_t count, Less less) {
  size_t ordered = 1;
  while (ordered < count && !less(items[ordered], items[ordered - 1]))
    ++ordered;
  if (ordered >= count)
    return;
  for (size_t root = count / 2; root-- > 0;)
    siftDown(items, root, count, less);
  for (size_t last = count - 1; last > 0; --last) {
    T top = items[0];
    items[0] = items[last];
    items[last] = top;
    siftDown(items, 0, last, less);
  }
}

} // namespace tt::runtime
#endif
