// What the aliases of an .mlir text expand to, without expanding them.
#ifndef TT_SUPPORT_ALIASGRAPH_H
#define TT_SUPPORT_ALIASGRAPH_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tt::support {

/// Collects definitions "#name = ..." and the references in them, then counts.
/// Names keep their '#' or '!' and must outlive the graph. A reference means
/// the last definition of its name before it, else the first one after it
/// (locations come late), else nothing.
class AliasGraph {
public:
  struct Problem {
    size_t position = 0;
    std::string found;
    std::string wanted;
  };

  AliasGraph(uint64_t maxUses, uint32_t maxDepth)
      : maxUses(maxUses), maxDepth(maxDepth) {}

  /// All of these return false once there is a problem.
  bool define(std::string_view name, size_t position);
  /// A reference in the last definition, inside `depth` brackets of it.
  bool refer(std::string_view name, size_t position, uint32_t depth);
  /// The last definition has brackets nested this deep.
  void noteDepth(uint32_t depth);
  /// Counts all that was collected.
  bool evaluate();

  /// After evaluate(): true if some alias names another one.
  bool hasNesting() const { return !edges.empty(); }
  /// After evaluate(): adds a reference outside of all definitions.
  bool referFromOp(std::string_view name, size_t position);

  const Problem &problem() const { return firstProblem; }

private:
  static constexpr uint32_t kNone = ~0u;
  enum class State : uint8_t { New, Open, Done };

  struct Node {
    std::string_view name;
    size_t position;
    uint32_t firstEdge;
    uint32_t endEdge;
    uint32_t depth = 0; // of its own brackets, then after expansion
    State state = State::New;
    uint64_t uses = 1;
  };
  struct Edge {
    std::string_view name;
    size_t position;
    uint32_t depth;
  };

  uint32_t resolve(std::string_view name, size_t position) const;
  bool visit(uint32_t root);
  bool finish(Node &node);
  bool addUses(uint64_t uses, size_t position);
  bool fail(size_t position, std::string found, std::string wanted);
  bool failUses(size_t position);

  uint64_t maxUses;
  uint32_t maxDepth;
  uint64_t totalUses = 0;
  std::vector<Node> nodes;       // in the order of the text
  std::vector<Edge> edges;       // the same, so each node has a range
  std::vector<uint32_t> byName;  // nodes, by name and position
  std::vector<uint32_t> targets; // of the edges
  Problem firstProblem;
};

} // namespace tt::support
#endif
