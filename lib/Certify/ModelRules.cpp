//===- ModelRules.cpp - Dimensions of norms, attention, losses ------------===//
#include "DimRules.h"

using namespace mlir;
using namespace tt;
using namespace tt::certify;
using Dim = DimGraph::Dim;

/// Normalisations and softmax, forward and adjoint: rows are independent,
/// vectors belong to the last dimension, statistics to the others.
void Rules::rows() {
  SmallVector<Value> values = tensorsOf(op);
  if (values.empty())
    return;
  Value whole = *llvm::max_element(
      values, [](Value a, Value b) { return rankOf(a) < rankOf(b); });
  unsigned rank = rankOf(whole);
  SmallVector<Value> vectors; // gamma and beta
  if (isa<LayerNormOp, LayerNormBwdOp, RMSNormOp, RMSNormBwdOp>(op))
    vectors.push_back(op->getOperand(1));
  if (isa<LayerNormOp>(op) && op->getNumOperands() > 2)
    vectors.push_back(op->getOperand(2));
  for (Value value : values)
    if (llvm::is_contained(vectors, value) && rankOf(value) == 1)
      unifyLast(value, whole);
    else
      unifyLeading(whole, value, rankOf(value));
  keep(whole, rank - 1);
}

/// q [B, H, T, D], k [B, Hk, S, D]; samples of the batch are independent, heads
/// are when each query head has a key head of its own.
void Rules::attention(Value q, Value k) {
  bool isGrouped = graph.size(graph.of(q, 1)) != graph.size(graph.of(k, 1));
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  // q, output and their cotangents; k, v and theirs; statistics of the rows.
  SmallVector<Value> values(op->getOperands().take_front(isa<AttentionOp>(op) ? 3 : 6));
  values.append(op->result_begin(), op->result_begin() + (isa<AttentionOp>(op) ? 1 : 3));
  for (Value value : values) {
    if (rankOf(value) == 4)
      unifyAll(value, shapeOf(value) == shapeOf(q) ? q : k);
    else
      unifyLeading(value, q, 3);
  }
  for (Value value : tensorsOf(op)) // lse and its cotangent
    if (rankOf(value) == 3)
      unifyLeading(value, q, 3);
  // What the loop above took for queries: k and v of another length.
  if (cast<RankedTensorType>(q.getType()).getShape() !=
      cast<RankedTensorType>(k.getType()).getShape()) {
    graph.unify(q, 0, k, 0);
    graph.unify(q, 3, k, 3);
  }
  if (isGrouped) {
    graph.rule({SizeRule::Multiple, {graph.of(q, 1)}, {graph.of(k, 1)}, op});
    keep(q, 1);
    keep(k, 1);
  } else {
    graph.unify(q, 1, k, 1);
  }
  for (Value value : {q, k}) {
    keep(value, 2);
    keep(value, 3);
    graph.want(graph.of(value, 2), 9);
  }
}

void Rules::crossEntropy(Value logits, Value targets, Value weights, bool isMean) {
  unsigned rank = rankOf(targets);
  for (Value value : tensorsOf(op))
    if (value == weights)
      unifyLast(value, logits);
    else if (value == logits || rankOf(value) == rank + 1)
      unifyAll(value, logits);
    else
      unifyLeading(value, targets, std::min(rankOf(value), rank));
  unifyLeading(logits, targets, rank);
  graph.addTable(graph.of(logits, rank));
  keep(logits, rank);
  for (unsigned i = 0; i < rank && isMean; ++i)
    keep(logits, i); // divides by the number of counted rows
}

/// [B or 1, H or 1, T, S].
void Rules::bias(Value q, Value k, Value bias) {
  for (unsigned i : {0u, 1u})
    if (graph.size(graph.of(bias, i)) != 1)
      graph.unify(bias, i, q, i);
  graph.unify(bias, 2, q, 2);
  graph.unify(bias, 3, k, 2);
  keep(q, 0);
  keep(q, 1);
}

/// [N, C, ..] with statistics [N, groups].
void Rules::groupNorm(GroupNormOp norm) {
  Value x = norm.getInput();
  unifyAll(x, norm.getOutput());
  for (Value vector : {norm.getGamma(), norm.getBeta()})
    if (vector)
      graph.unify(vector, 0, x, 1);
  for (Value statistic : {norm.getMean(), norm.getRstd()})
    graph.unify(statistic, 0, x, 0);
  graph.unify(norm.getMean(), 1, norm.getRstd(), 1);
  Dim groups = graph.of(norm.getMean(), 1);
  graph.attribute(op, "groups") = groups;
  graph.rule({SizeRule::Multiple, {graph.of(x, 1)}, {groups}, op});
  for (unsigned i = 1; i < rankOf(x); ++i)
    keep(x, i);
  keep(norm.getMean(), 1);
}

/// `table` [V, C], `ids` [..], `rows` [.., C].
void Rules::embedding(Value table, Value ids, Value rows) {
  unifyLeading(ids, rows, rankOf(ids));
  graph.unify(table, 1, rows, rankOf(rows) - 1);
  graph.addTable(graph.of(table, 0));
  keep(table, 0);
}

/// The random bits of an element depend on its place inside its sample.
void Rules::dropout(DropoutOp dropout) {
  Value x = dropout.getInput();
  unifyAll(x, dropout.getOutput());
  int64_t product = 1, samples = dropout.getSamples();
  Dim whole = graph.add(samples);
  graph.attribute(op, "samples") = whole;
  SizeRule rule{SizeRule::Product, {whole}, {}, op};
  unsigned leading = 0;
  while (leading < rankOf(x) && product < samples) {
    product *= graph.size(graph.of(x, leading)); // checked: of one tensor
    rule.right.push_back(graph.of(x, leading++));
  }
  for (unsigned i = 0; i < rankOf(x); ++i)
    keep(x, i, i == 0 && leading == 1 ? Sampling::Prefix : Sampling::None);
  if (product != samples) {
    graph.fix(whole);
    for (unsigned i = 0; i < rankOf(x); ++i)
      graph.fix(graph.of(x, i)); // parts that no dimension counts
    return;
  }
  if (rule.right.size() == 1)
    graph.unify(whole, rule.right[0]);
  else if (!rule.right.empty())
    graph.rule(std::move(rule));
}
