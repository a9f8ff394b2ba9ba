// What the aliases of an .mlir text expand to, without expanding them.
#include "AliasGraph.h"

#include <algorithm>

using namespace tt::support;

bool AliasGraph::fail(size_t position, std::string found, std::string wanted) {
  firstProblem = {position, std::move(found), std::move(wanted)};
  return false;
}

bool AliasGraph::failUses(size_t position) {
  return fail(position, "more",
              "aliases that expand to at most " + std::to_string(maxUses) +
                  " uses");
}

bool AliasGraph::define(std::string_view name, size_t position) {
  if (nodes.size() >= maxUses) // each is a use at least
    return failUses(position);
  uint32_t edge = static_cast<uint32_t>(edges.size());
  nodes.push_back({name, position, edge, edge});
  return true;
}

bool AliasGraph::refer(std::string_view name, size_t position, uint32_t depth) {
  if (edges.size() >= maxUses)
    return failUses(position);
  edges.push_back({name, position, depth});
  nodes.back().endEdge = static_cast<uint32_t>(edges.size());
  return true;
}

void AliasGraph::noteDepth(uint32_t depth) {
  nodes.back().depth = std::max(nodes.back().depth, depth);
}

uint32_t AliasGraph::resolve(std::string_view name, size_t position) const {
  auto isBefore = [&](uint32_t index, size_t limit) {
    const Node &node = nodes[index];
    int order = node.name.compare(name);
    return order < 0 || (order == 0 && node.position < limit);
  };
  auto after =
      std::lower_bound(byName.begin(), byName.end(), position, isBefore);
  if (after != byName.begin() && nodes[*(after - 1)].name == name)
    return *(after - 1);
  if (after != byName.end() && nodes[*after].name == name)
    return *after;
  return kNone;
}

bool AliasGraph::addUses(uint64_t uses, size_t position) {
  totalUses = uses > maxUses ? maxUses + 1 : totalUses + uses;
  return totalUses <= maxUses || failUses(position);
}

/// All that `node` names is finished: adds it up.
bool AliasGraph::finish(Node &node) {
  for (uint32_t i = node.firstEdge; i < node.endEdge; ++i) {
    if (targets[i] == kNone)
      continue;
    const Node &target = nodes[targets[i]];
    node.uses += target.uses; // both are at most maxUses + 1
    if (node.uses > maxUses)
      return failUses(node.position);
    node.depth = std::max(node.depth, edges[i].depth + target.depth);
  }
  if (node.depth > maxDepth)
    return fail(node.position, std::to_string(node.depth),
                "an alias whose expansion nests brackets at most " +
                    std::to_string(maxDepth) + " deep");
  node.state = State::Done;
  return addUses(node.uses, node.position);
}

/// Depth first without recursion: the chain of aliases may be long.
bool AliasGraph::visit(uint32_t root) {
  struct Frame {
    uint32_t node;
    uint32_t nextEdge;
  };
  std::vector<Frame> stack;
  auto enter = [&](uint32_t index) {
    nodes[index].state = State::Open;
    stack.push_back({index, nodes[index].firstEdge});
  };
  enter(root);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    Node &node = nodes[frame.node];
    if (frame.nextEdge == node.endEdge) {
      if (!finish(node))
        return false;
      stack.pop_back();
      continue;
    }
    uint32_t edge = frame.nextEdge++;
    uint32_t target = targets[edge];
    if (target == kNone || nodes[target].state == State::Done)
      continue;
    if (nodes[target].state == State::Open)
      return fail(edges[edge].position, "an alias that names itself",
                  "aliases without a cycle");
    enter(target);
  }
  return true;
}

bool AliasGraph::evaluate() {
  byName.resize(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i)
    byName[i] = i;
  std::sort(byName.begin(), byName.end(), [&](uint32_t lhs, uint32_t rhs) {
    int order = nodes[lhs].name.compare(nodes[rhs].name);
    return order != 0 ? order < 0 : lhs < rhs;
  });
  targets.reserve(edges.size());
  for (const Edge &edge : edges)
    targets.push_back(resolve(edge.name, edge.position));
  for (uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].state == State::New && !visit(i))
      return false;
  return true;
}

bool AliasGraph::referFromOp(std::string_view name, size_t position) {
  uint32_t target = resolve(name, position);
  return target == kNone || addUses(nodes[target].uses - 1, position);
}
