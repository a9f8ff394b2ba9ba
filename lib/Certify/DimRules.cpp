//===- DimRules.cpp - What each op asks of its dimensions -----------------===//
//
// An op without a case of its own gets the safe answer: dimensions of one size
// are one class, and none may be sampled. A new op needs a case here only if
// its sizes are tied by more than equality.
//
//===----------------------------------------------------------------------===//
#include "DimRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace tt;
using namespace tt::certify;
using Dim = DimGraph::Dim;

SmallVector<Value> tt::certify::tensorsOf(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  values.append(op->result_begin(), op->result_end());
  llvm::erase_if(values, [](Value value) { return rankOf(value) == 0; });
  return values;
}

/// Elementwise: tensors of one rank have one shape, scalars have none.
void Rules::sameShapes() {
  SmallVector<Value> values = tensorsOf(op);
  for (Value value : ArrayRef(values).drop_front(values.empty() ? 0 : 1))
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
  // Attributes that say the size of a result, and tables that indices read.
  for (StringRef name : {"rows", "size", "k"})
    if (auto size = op->getAttrOfType<IntegerAttr>(name); size && bySize.count(size.getInt()))
      graph.attribute(op, name) = bySize[size.getInt()];
  bool hasIndices = llvm::any_of(op->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isInteger();
  });
  for (auto [size, dim] : bySize)
    if (hasIndices)
      graph.addTable(dim);
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

bool Rules::call(FlatSymbolRefAttr symbol, ValueRange operands, ValueRange results,
                 std::string &error) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock()) {
    error = errorAt(op, "expected a callee with a body of one block");
    return false;
  }
  for (auto [operand, argument] : llvm::zip(operands, callee.getArguments()))
    unifyAll(operand, argument);
  for (auto [result, value] :
       llvm::zip(results, callee.getBody().front().getTerminator()->getOperands()))
    unifyAll(result, value);
  return true;
}

/// The callee, and the rules: they take inputs, results and the cotangents (vjp)
/// or inputs and the tangents (jvp), of floats only.
bool Rules::customVjp(CustomVjpOp custom, std::string &error) {
  auto floatsOf = [](ValueRange values) {
    return llvm::to_vector(llvm::make_filter_range(values, [](Value value) {
      return isa<FloatType>(getElementTypeOrSelf(value.getType()));
    }));
  };
  SmallVector<Value> inputs(custom.getInputs()), outputs(custom.getOutputs());
  SmallVector<Value> floatInputs = floatsOf(inputs), floatOutputs = floatsOf(outputs);
  SmallVector<Value> reverse(inputs), forward(inputs);
  reverse.append(outputs);
  reverse.append(floatOutputs);
  forward.append(floatInputs);
  return call(custom.getCalleeAttr(), inputs, outputs, error) &&
         (!custom.getVjpAttr() || // a region, which makes no sizes of its own
          call(custom.getVjpAttr(), reverse, floatInputs, error)) &&
         (!custom.getJvpAttr() ||
          call(custom.getJvpAttr(), forward, floatOutputs, error));
}

static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<ScalarOpInterface, AdamWOp, StopGradientOp>(op);
}

bool tt::certify::addOpRules(Operation *op, DimGraph &graph, std::string &error) {
  Rules rules(op, graph);
  bool isGood = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case<func::ReturnOp, YieldOp>([](auto) {})
      .Case([&](func::CallOp op) {
        isGood = rules.call(op.getCalleeAttr(), op.getOperands(), op.getResults(), error);
      })
      .Case([&](CustomVjpOp op) { isGood = rules.customVjp(op, error); })
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
      .Case([&](AttentionOp op) {
        rules.attention(op.getQ(), op.getK());
        rules.scores(op.getQ(), op.getK(), op);
      })
      .Case([&](AttentionBwdOp op) {
        rules.attention(op.getQ(), op.getK());
        rules.scores(op.getQ(), op.getK(), op);
        if (op.getDBias())
          rules.bias(op.getQ(), op.getK(), op.getDBias());
      })
      .Case<CrossEntropyOp, CrossEntropyBwdOp>([&](auto op) {
        rules.crossEntropy(op.getLogits(), op.getTargets(), op.getWeights(),
                           op.getReduction() != Reduction::None);
      })
      .Case<LinearCrossEntropyOp, LinearCrossEntropyBwdOp>([&](auto op) {
        rules.byValue();
        unsigned classes = op.getLayout() == WeightLayout::InOut ? 1 : 0;
        graph.addTable(graph.of(op.getWeight(), classes));
      })
      .Case([&](GroupNormOp op) { rules.groupNorm(op); })
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
        if (Value positions = op.getPositions()) { // [T] or [B, T]
          unsigned last = rankOf(positions) - 1;
          graph.unify(positions, last, op.getInput(), rank - 2);
          if (last == 1)
            graph.unify(positions, 0, op.getInput(), 0);
        }
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
        if (op->hasTrait<OpTrait::SameOperandsAndResultType>()) {
          rules.sameShapes();
          return rules.keepAll(); // one shape, but elements may depend on others
        }
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
