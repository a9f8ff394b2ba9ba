//===- DimRules.cpp - What each op asks of its dimensions -----------------===//
//
// An op without a case of its own gets the safe answer: dimensions of one size
// are one class, and none may be sampled. A new op needs a case here only if
// its sizes are tied by more than equality.
//
//===----------------------------------------------------------------------===//
#include "tt/Certify/DimGraph.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace tt;
using namespace tt::certify;
using Dim = DimGraph::Dim;

namespace {

unsigned rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

SmallVector<Value> tensorsOf(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  values.append(op->result_begin(), op->result_end());
  llvm::erase_if(values, [](Value value) { return rankOf(value) == 0; });
  return values;
}

class Rules {
public:
  Rules(Operation *op, DimGraph &graph) : op(op), graph(graph) {}

  /// Unifies the first `count` dimensions of two values.
  void unifyLeading(Value a, Value b, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      graph.unify(a, i, b, i);
  }
  void unifyAll(Value a, Value b) {
    if (rankOf(a) == rankOf(b))
      unifyLeading(a, b, rankOf(a));
  }
  void unifyLast(Value a, Value b) {
    graph.unify(a, rankOf(a) - 1, b, rankOf(b) - 1);
  }
  void keep(Value value, unsigned dim, Sampling sampling = Sampling::None) {
    graph.limitSampling(graph.of(value, dim), sampling);
  }
  void keepAll() {
    for (Value value : tensorsOf(op))
      for (unsigned i = 0; i < rankOf(value); ++i)
        keep(value, i);
  }

  void sameShapes(Value ignored = {});
  void byValue();
  void broadcast(BroadcastOp broadcast);
  void reshape(Value from, Value to);
  void transpose(TransposeOp transpose);
  void slices(SliceOp slice);
  void pad(PadOp pad);
  void concat(ConcatOp concat);
  void take(TakeOp take);
  void reduce(Value input, Value output, ArrayRef<int64_t> dims);
  void linear(LinearOp linear);
  void matmul(MatmulOp matmul);
  void rows();
  void attention(Value q, Value k);
  void crossEntropy(Value logits, Value targets, bool isMean);
  void embedding(Value table, Value ids, Value rows);
  void dropout(DropoutOp dropout);
  bool call(func::CallOp call, std::string &error);

private:
  Operation *op;
  DimGraph &graph;
};

} // namespace

/// Elementwise: tensors of one rank have one shape, scalars have none.
void Rules::sameShapes(Value ignored) {
  SmallVector<Value> values = tensorsOf(op);
  for (Value value : ArrayRef(values).drop_front(values.empty() ? 0 : 1))
    if (value != ignored)
      unifyAll(values.front(), value);
}

void Rules::byValue() {
  std::map<int64_t, Dim> bySize;
  for (Value value : tensorsOf(op))
    for (Dim dim : graph.dims(value)) {
      if (graph.size(dim) <= 1)
        continue;
      auto [it, isNew] = bySize.try_emplace(graph.size(dim), dim);
      if (!isNew)
        graph.unify(it->second, dim);
    }
  keepAll();
}

void Rules::broadcast(BroadcastOp broadcast) {
  for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
    graph.unify(broadcast.getInput(), i, broadcast.getOutput(), dim);
}

/// Cuts both shapes into the smallest groups of equal products.
void Rules::reshape(Value from, Value to) {
  auto nontrivial = [&](Value value) {
    SmallVector<Dim> dims(graph.dims(value));
    llvm::erase_if(dims, [&](Dim dim) { return graph.size(dim) == 1; });
    return dims;
  };
  SmallVector<Dim> left = nontrivial(from), right = nontrivial(to);
  for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    size_t firstLeft = i, firstRight = j;
    int64_t a = graph.size(left[i++]), b = graph.size(right[j++]);
    while (a != b && (a < b ? i < left.size() : j < right.size()))
      if (a < b)
        a *= graph.size(left[i++]); // checked: at most the tensor's elements
      else
        b *= graph.size(right[j++]); // checked: at most the tensor's elements
    SizeRule rule{SizeRule::Product, {}, {}, op};
    rule.left.assign(left.begin() + firstLeft, left.begin() + i);
    rule.right.assign(right.begin() + firstRight, right.begin() + j);
    if (rule.left.size() == 1 && rule.right.size() == 1) {
      graph.unify(rule.left[0], rule.right[0]);
      continue;
    }
    for (Dim dim : llvm::concat<Dim>(rule.left, rule.right))
      graph.limitSampling(dim, Sampling::None);
    graph.rule(std::move(rule));
  }
}

void Rules::transpose(TransposeOp transpose) {
  for (auto [i, from] : llvm::enumerate(transpose.getPermutation()))
    graph.unify(transpose.getInput(), from, transpose.getOutput(), i);
}

/// All slices of one dimension of a value at once: their ends cut it into
/// segments, and segments of one length are one size. So q, k and v stay three
/// disjoint thirds.
void Rules::slices(SliceOp slice) {
  Value input = slice.getInput();
  unsigned dim = slice.getDim();
  for (unsigned i = 0; i < rankOf(input); ++i)
    if (i != dim)
      graph.unify(input, i, slice.getOutput(), i);
  keep(input, dim);
  keep(slice.getOutput(), dim);
  if (graph.hasAttribute(op, "start"))
    return;
  SmallVector<SliceOp> all;
  std::set<int64_t> ends = {0, graph.size(graph.of(input, dim))};
  for (Operation *user : input.getUsers())
    if (auto other = dyn_cast<SliceOp>(user); other && other.getDim() == dim &&
                                              !llvm::is_contained(all, other)) {
      all.push_back(other);
      ends.insert(other.getStart());
      ends.insert(other.getStart() + other.getSize());
    }
  std::map<int64_t, Dim> byLength;
  std::vector<std::pair<int64_t, Dim>> segments; // start, length
  for (auto it = ends.begin(); std::next(it) != ends.end(); ++it) {
    int64_t length = *std::next(it) - *it;
    auto [found, isNew] = byLength.try_emplace(length);
    if (isNew)
      found->second = graph.add(length);
    segments.push_back({*it, found->second});
  }
  auto between = [&](Dim whole, int64_t begin, int64_t end) {
    SizeRule rule{SizeRule::Sum, {whole}, {}, op};
    for (auto [start, length] : segments)
      if (start >= begin && start < end)
        rule.right.push_back(length);
    if (rule.right.size() == 1)
      graph.unify(whole, rule.right[0]);
    else
      graph.rule(std::move(rule));
  };
  between(graph.of(input, dim), 0, *ends.rbegin());
  for (SliceOp other : all) {
    // A start of 0 stays 0; no size of the search may be 0.
    Dim start = graph.add(std::max<int64_t>(other.getStart(), 1));
    graph.attribute(other, "start") = start;
    if (other.getStart())
      between(start, 0, other.getStart());
    between(graph.of(other.getOutput(), dim), other.getStart(),
            other.getStart() + other.getSize());
  }
}

void Rules::pad(PadOp pad) {
  unsigned dim = pad.getDim();
  for (unsigned i = 0; i < rankOf(pad.getInput()); ++i)
    if (i != dim)
      graph.unify(pad.getInput(), i, pad.getOutput(), i);
  keep(pad.getInput(), dim);
  keep(pad.getOutput(), dim);
  SizeRule rule{SizeRule::Sum, {graph.of(pad.getOutput(), dim)},
                {graph.of(pad.getInput(), dim)}, op};
  for (auto [name, size] : {std::pair("low", pad.getLow()), {"high", pad.getHigh()}}) {
    Dim part = graph.add(std::max<int64_t>(size, 1)); // 0 stays 0
    graph.attribute(op, name) = part;
    if (size)
      rule.right.push_back(part);
  }
  if (rule.right.size() == 1)
    graph.unify(rule.left[0], rule.right[0]);
  else
    graph.rule(std::move(rule));
}

void Rules::concat(ConcatOp concat) {
  unsigned dim = concat.getDim();
  SizeRule rule{SizeRule::Sum, {graph.of(concat.getOutput(), dim)}, {}, op};
  keep(concat.getOutput(), dim);
  for (Value input : concat.getInputs()) {
    for (unsigned i = 0; i < rankOf(input); ++i)
      if (i != dim)
        graph.unify(input, i, concat.getOutput(), i);
    rule.right.push_back(graph.of(input, dim));
    keep(input, dim);
  }
  if (rule.right.size() == 1)
    graph.unify(rule.left[0], rule.right[0]);
  else
    graph.rule(std::move(rule));
}

void Rules::take(TakeOp take) {
  unsigned dim = take.getDim();
  for (unsigned i = 0; i < rankOf(take.getOutput()); ++i)
    graph.unify(take.getInput(), i < dim ? i : i + 1, take.getOutput(), i);
  keep(take.getInput(), dim);
  graph.addTable(graph.of(take.getInput(), dim));
}

void Rules::reduce(Value input, Value output, ArrayRef<int64_t> dims) {
  unsigned next = 0;
  for (unsigned i = 0; i < rankOf(input); ++i)
    if (llvm::is_contained(dims, i))
      keep(input, i);
    else
      graph.unify(input, i, output, next++);
}

void Rules::linear(LinearOp linear) {
  Value x = linear.getInput(), w = linear.getWeight(), y = linear.getOutput();
  unsigned in = linear.getLayout() == WeightLayout::InOut ? 0 : 1;
  unifyLeading(x, y, rankOf(x) - 1);
  graph.unify(x, rankOf(x) - 1, w, in);
  graph.unify(y, rankOf(y) - 1, w, 1 - in);
  if (linear.getBias())
    unifyLast(linear.getBias(), y);
  keep(w, in);
}

void Rules::matmul(MatmulOp matmul) {
  Value a = matmul.getLhs(), b = matmul.getRhs(), c = matmul.getOutput();
  unsigned rank = rankOf(c), ta = matmul.getTransposeLhs(), tb = matmul.getTransposeRhs();
  unifyLeading(a, b, rank - 2);
  unifyLeading(a, c, rank - 2);
  graph.unify(a, rank - 2 + ta, c, rank - 2);
  graph.unify(b, rank - 1 - tb, c, rank - 1);
  graph.unify(a, rank - 1 - ta, b, rank - 2 + tb);
  keep(a, rank - 1 - ta);
}

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
  for (Value value : tensorsOf(op)) {
    auto shape = cast<RankedTensorType>(value.getType()).getShape();
    if (shape.size() == 4 && shape[3] == graph.size(graph.of(q, 3))) {
      bool isKey = shape == cast<RankedTensorType>(k.getType()).getShape() && isGrouped;
      unifyAll(value, isKey ? k : q);
    } else if (shape.size() == 3) {
      unifyLeading(value, q, 3); // statistics of the rows
    }
  }
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

void Rules::crossEntropy(Value logits, Value targets, bool isMean) {
  unsigned rank = rankOf(targets);
  for (Value value : tensorsOf(op))
    if (value == logits || rankOf(value) == rank + 1)
      unifyAll(value, logits);
    else
      unifyLeading(value, targets, std::min(rankOf(value), rank));
  unifyLeading(logits, targets, rank);
  graph.addTable(graph.of(logits, rank));
  keep(logits, rank);
  for (unsigned i = 0; i < rank && isMean; ++i)
    keep(logits, i); // divides by the number of counted rows
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

bool Rules::call(func::CallOp call, std::string &error) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock()) {
    error = errorAt(call, "expected a callee with a body of one block");
    return false;
  }
  for (auto [operand, argument] : llvm::zip(call.getOperands(), callee.getArguments()))
    unifyAll(operand, argument);
  for (auto [result, value] :
       llvm::zip(call.getResults(), callee.getBody().front().getTerminator()->getOperands()))
    unifyAll(result, value);
  return true;
}

static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         op->hasTrait<OpTrait::SameOperandsAndResultType>() ||
         isa<ScalarOpInterface, AdamWOp, StopGradientOp>(op);
}

bool tt::certify::addOpRules(Operation *op, DimGraph &graph, std::string &error) {
  Rules rules(op, graph);
  bool isGood = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case<func::ReturnOp, YieldOp>([](auto) {})
      .Case([&](func::CallOp op) { isGood = rules.call(op, error); })
      .Case([&](BroadcastOp op) { rules.broadcast(op); })
      .Case([&](ReshapeOp op) { rules.reshape(op.getInput(), op.getOutput()); })
      .Case([&](TransposeOp op) { rules.transpose(op); })
      .Case([&](SliceOp op) { rules.slices(op); })
      .Case([&](PadOp op) { rules.pad(op); })
      .Case([&](ConcatOp op) { rules.concat(op); })
      .Case([&](TakeOp op) { rules.take(op); })
      .Case<SumOp, MeanOp>(
          [&](auto op) { rules.reduce(op.getInput(), op.getOutput(), op.getDims()); })
      .Case([&](MaxOp op) {
        rules.reduce(op.getInput(), op.getOutput(), int64_t(op.getDim()));
        rules.unifyAll(op.getOutput(), op.getIndex());
      })
      .Case([&](LinearOp op) { rules.linear(op); })
      .Case([&](MatmulOp op) { rules.matmul(op); })
      .Case<LayerNormOp, LayerNormBwdOp, RMSNormOp, RMSNormBwdOp, SoftmaxOp, SoftmaxBwdOp>(
          [&](auto) { rules.rows(); })
      .Case<AttentionOp>([&](auto op) {
        if (op.getQSegments() || op.getSlopes() || op.getBias() || op.getSinks())
          rules.byValue();
        rules.attention(op.getQ(), op.getK());
      })
      .Case<AttentionBwdOp>([&](auto op) {
        if (op.getQSegments() || op.getSlopes() || op.getBias() || op.getSinks())
          rules.byValue();
        rules.attention(op.getQ(), op.getK());
      })
      .Case<CrossEntropyOp, CrossEntropyBwdOp>([&](auto op) {
        rules.crossEntropy(op.getLogits(), op.getTargets(),
                           op.getReduction() != Reduction::None);
      })
      .Case([&](EmbeddingOp op) {
        rules.embedding(op.getTable(), op.getIds(), op.getOutput());
      })
      .Case([&](EmbeddingBwdOp op) {
        rules.embedding(op.getDTable(), op.getIds(), op.getDOutput());
        for (unsigned i = 0; i < rankOf(op.getIds()); ++i)
          rules.keep(op.getIds(), i);
        graph.attribute(op, "rows") = graph.of(op.getDTable(), 0);
      })
      .Case([&](DropoutOp op) { rules.dropout(op); })
      .Case([&](RopeOp op) {
        unsigned rank = rankOf(op.getInput());
        rules.unifyAll(op.getInput(), op.getOutput());
        if (op.getPositions())
          graph.unify(op.getPositions(), 0, op.getInput(), rank - 2);
        rules.keep(op.getInput(), rank - 1);
        rules.keep(op.getInput(), rank - 2, Sampling::Prefix);
        graph.rule({SizeRule::Multiple,
                    {graph.of(op.getInput(), rank - 1)}, {graph.constant(2)}, op});
      })
      .Case([&](IotaOp op) {
        rules.keep(op.getOutput(), op.getDim(), Sampling::Prefix);
      })
      .Case([&](RematBarrierOp op) { rules.unifyAll(op.getInput(), op.getOutput()); })
      .Case<ConstantOp, arith::ConstantOp>([&](auto op) {
        auto value = dyn_cast<DenseElementsAttr>(op.getValueAttr());
        if (value && value.isSplat())
          return;
        for (Value result : op->getResults())
          for (Dim dim : graph.dims(result))
            graph.fix(dim); // a table of values is what it is
      })
      .Case<RngKeyOp, RngFoldOp, SumSquaresOp, GlobalNormOp>([&](auto) {
        rules.byValue();
        for (Value value : tensorsOf(op))
          if (isa<RngKeyOp, RngFoldOp>(op))
            for (Dim dim : graph.dims(value))
              graph.fix(dim); // a key has two words
      })
      .Default([&](Operation *op) {
        if (isElementwise(op))
          return rules.sameShapes();
        if (!isa_and_nonnull<TTDialect>(op->getDialect()) || op->getNumRegions()) {
          error = errorAt(op, "has no rule for other sizes");
          isGood = false;
          return;
        }
        rules.byValue();
      });
  // The key of a dropout is not a tensor of sizes.
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType());
        type && type.getShape() == ArrayRef<int64_t>{2} && type.getElementType().isInteger(32) &&
        isa<DropoutOp, AttentionOp, AttentionBwdOp>(op))
      graph.fix(graph.of(operand, 0));
  return isGood;
}
