//===- FormKernels.cpp - --tt-form-kernels --------------------------------===//
#include "tt/Kernels/FusionPlan.h"
#include "tt/Kernels/Passes.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

namespace tt {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "tt/Kernels/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

namespace {

/// Makes a group's kernel and the call that replaces it.
struct Outliner {
  ModuleOp module;
  DictionaryAttr schedule; // of every kernel
  llvm::StringMap<std::string> symbolOfBody = {}; // printed body -> symbol
  unsigned counter = 0;

  /// Values that `group` reads from outside, looking through free ops.
  void collectInputs(Value value, const llvm::SetVector<Operation *> &members,
                     llvm::SetVector<Value> &inputs) {
    Operation *op = value.getDefiningOp();
    if (op && members.contains(op))
      return;
    if (isFreeInKernel(op)) {
      for (Value operand : op->getOperands())
        collectInputs(operand, members, inputs);
      return;
    }
    inputs.insert(value);
  }

  void cloneFree(OpBuilder &builder, Value value, IRMapping &map) {
    if (map.contains(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      cloneFree(builder, operand, map);
    builder.clone(*op, map);
  }

  CallKernelOp outline(const FusionGroup &group);
};

} // namespace

static DictionaryAttr numericsOf(Builder &b, const FusionGroup &group) {
  if (group.anchor == Anchor::Matmul)
    return b.getDictionaryAttr(b.getNamedAttr("k_chunk", b.getI64IntegerAttr(384)));
  if (group.anchor == Anchor::Row)
    return b.getDictionaryAttr(b.getNamedAttr("lanes", b.getI64IntegerAttr(16)));
  if (group.anchor == Anchor::Column)
    return b.getDictionaryAttr(b.getNamedAttr("row_block", b.getI64IntegerAttr(256)));
  return b.getDictionaryAttr({});
}

/// Name of a kernel from its ops: "linear_gelu", at most three parts.
static std::string baseName(const FusionGroup &group) {
  std::string name = group.anchorOp->getName().stripDialect().str();
  unsigned parts = 1;
  for (Operation *op : group.ops)
    if (op != group.anchorOp && parts++ < 3)
      name += "_" + op->getName().stripDialect().str();
  return name;
}

CallKernelOp Outliner::outline(const FusionGroup &group) {
  llvm::SetVector<Operation *> members(group.ops.begin(), group.ops.end());
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
  for (Operation *op : group.ops) {
    bool direct = op == group.anchorOp && readsArgumentsOnly(group.anchor);
    for (Value operand : op->getOperands())
      if (direct && !members.contains(operand.getDefiningOp()))
        inputs.insert(operand);
      else
        collectInputs(operand, members, inputs);
    // The emitters of these anchors write every result, read or not.
    bool writesAll = group.anchor == Anchor::Attention || group.anchor == Anchor::Optimizer;
    for (Value result : op->getResults())
      if (writesAll || llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.push_back(result);
  }
  // The anchor's unread results still need a place: a matmul keeps partial sums
  // in its first output.
  if (outputs.empty())
    outputs.push_back(group.anchorOp->getResult(0));

  OpBuilder builder(module.getContext());
  SmallVector<Type> inputTypes, outputTypes;
  for (Value value : inputs)
    inputTypes.push_back(value.getType());
  for (Value value : outputs)
    outputTypes.push_back(value.getType());

  builder.setInsertionPointToStart(module.getBody());
  auto kernel = KernelOp::create(
      builder, group.anchorOp->getLoc(), builder.getStringAttr("kernel"),
      TypeAttr::get(builder.getFunctionType(inputTypes, outputTypes)), ArrayAttr(),
      ArrayAttr(), builder.getStringAttr(stringify(group.anchor)),
      numericsOf(builder, group), schedule);
  Block *body = builder.createBlock(&kernel.getBody());
  IRMapping map;
  for (Value value : inputs)
    map.map(value, body->addArgument(value.getType(), value.getLoc()));
  builder.setInsertionPointToEnd(body);
  for (Operation *op : group.ops) {
    for (Value operand : op->getOperands())
      cloneFree(builder, operand, map);
    builder.clone(*op, map);
  }
  SmallVector<Value> yields;
  for (Value value : outputs)
    yields.push_back(map.lookup(value));
  YieldOp::create(builder, group.anchorOp->getLoc(), yields);

  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  auto [entry, isNew] = symbolOfBody.try_emplace(text);
  if (isNew) {
    do // a function may have the name
      entry->second = baseName(group) + "_" + std::to_string(counter++);
    while (module.lookupSymbol(entry->second));
    kernel.setSymName(entry->second);
    kernel->moveBefore(module.getBody(), module.getBody()->end());
  } else {
    kernel.erase();
  }

  Operation *last = group.ops.back();
  builder.setInsertionPointAfter(last);
  auto call = CallKernelOp::create(builder, group.anchorOp->getLoc(), outputTypes,
                                   entry->second, inputs.getArrayRef());
  for (auto [value, result] : llvm::zip(outputs, call.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !members.contains(use.getOwner());
    });
  for (Operation *op : llvm::reverse(group.ops))
    op->erase();
  return call;
}

namespace {
struct FormKernelsPass final : tt::impl::FormKernelsPassBase<FormKernelsPass> {
  using FormKernelsPassBase::FormKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder b(&getContext());
    if (schedule != "default" && schedule != "alternate") {
      module.emitError() << "expected schedule to be default or alternate, but got '"
                         << schedule << "'";
      return signalPassFailure();
    }
    DictionaryAttr entries = b.getDictionaryAttr({});
    if (schedule == "alternate")
      entries = b.getDictionaryAttr(b.getNamedAttr("alternate", b.getUnitAttr()));
    Outliner outliner{module, entries};
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (function.isExternal())
        continue;
      Block &block = function.getBody().front();
      SmallVector<FusionGroup> groups = planFusion(block, fuse);
      for (const FusionGroup &group : groups) {
        outliner.outline(group);
        ++numCalls;
      }
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op))
          op.erase();
      for (Operation &op : block)
        if (!staysOutside(&op) && !isa<ConstantOp>(op)) {
          op.emitOpError() << "is left outside of every kernel";
          return signalPassFailure();
        }
    }
    numKernels += outliner.counter;
  }
};
} // namespace
