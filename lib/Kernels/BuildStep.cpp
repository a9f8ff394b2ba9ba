//===- BuildStep.cpp - --tt-build-step ------------------------------------===//
#include "FlattenCalls.h"
#include "KernelVariants.h"
#include "Placement.h"
#include "tt/IR/Emit.h"
#include "tt/Kernels/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

namespace tt {
#define GEN_PASS_DEF_BUILDSTEPPASS
#include "tt/Kernels/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

namespace {

struct PlacedOperand {
  RankedTensorType type;
  Place place;
  Value value; // what the flat function calls it; may be null
};

struct PlannedLaunch {
  std::string kernel;
  SmallVector<PlacedOperand> reads, writes;
  Location loc;
};

/// Builds the tt.step of one flat entry.
class StepBuilder {
public:
  StepBuilder(func::FuncOp flat, StringRef name, KernelVariants &variants)
      : flat(flat), name(name), variants(variants),
        module(flat->getParentOfType<ModuleOp>()) {}

  LogicalResult build();

private:
  LogicalResult placeArguments();
  LogicalResult placeUpdates();
  LogicalResult visit(Operation &op);
  LogicalResult visitCall(CallKernelOp call);
  bool isGradient(Value value);
  void visitConcat(ConcatOp concat);
  Place placeOf(Value value);
  Place denseCopy(Value value);
  void copy(RankedTensorType type, Location loc, Place from, Place to, Value value);
  void keepIfReturned(Value value);
  LogicalResult finishResults();
  LogicalResult checkOverwrites();
  void emit();

  func::FuncOp flat;
  StringRef name;
  KernelVariants &variants;
  ModuleOp module;
  Placement placement;
  std::vector<PlannedLaunch> launches;
  SmallVector<Attribute> inputNames, outputNames;
  SmallVector<PlacedOperand> outputs;
  llvm::StringMap<unsigned> argumentOfRole;   // parameter or state name
  llvm::MapVector<Value, unsigned> updates;   // new value -> argument
  DenseMap<unsigned, unsigned> writtenAt;     // argument -> launch
  DenseMap<Value, Place> kept;                // old values that are returned
  llvm::SmallSet<StringRef, 8> gradientKernels;
};

} // namespace

LogicalResult StepBuilder::placeArguments() {
  for (BlockArgument argument : flat.getArguments()) {
    unsigned i = argument.getArgNumber();
    Root root;
    auto role = flat.getArgAttrOfType<StringAttr>(i, kParamAttr);
    root.region = MemoryRegion::Parameters;
    if (!role && (role = flat.getArgAttrOfType<StringAttr>(i, kStateAttr)))
      root.region = MemoryRegion::State;
    if (role) {
      if (!argumentOfRole.try_emplace(role.getValue(), i).second)
        return flat.emitError() << "expected one argument of the name " << role
                                << ", found two";
    } else if ((role = flat.getArgAttrOfType<StringAttr>(i, kInputAttr))) {
      root.region = MemoryRegion::IO;
      inputNames.push_back(role);
    } else {
      return mlir::emitError(argument.getLoc())
             << "argument " << i << " of @" << name
             << ": expected tt.param, tt.input or tt.state";
    }
    root.name = role.getValue().str();
    root.tensor = tensorOf(argument);
    root.attrs = flat.getArgAttrDict(i);
    placement.set(argument, placement.newRoot(root.tensor, root));
  }
  return success();
}

/// Results with tt.updates: the producing kernel writes over the old value.
LogicalResult StepBuilder::placeUpdates() {
  Operation *terminator = flat.getBody().front().getTerminator();
  for (unsigned i = 0; i < flat.getNumResults(); ++i) {
    auto target = flat.getResultAttrOfType<StringAttr>(i, kUpdatesAttr);
    if (!target)
      continue;
    auto found = argumentOfRole.find(target.getValue());
    if (found == argumentOfRole.end())
      return flat.emitError() << "result " << i << " updates " << target
                              << ", but @" << name << " has no such parameter or state";
    Value argument = flat.getArgument(found->second);
    Value value = terminator->getOperand(i);
    if (value.getType() != argument.getType())
      return flat.emitError() << "result " << i << " updates " << target
                              << ": expected type " << argument.getType()
                              << ", but got " << value.getType();
    if (llvm::is_contained(llvm::make_second_range(updates), found->second))
      return flat.emitError() << "result " << i << " updates " << target
                              << ", which another result updates too";
    if (!updates.try_emplace(value, found->second).second)
      return flat.emitError() << "result " << i << " updates " << target
                              << " with a value that updates another tensor too";
  }
  return success();
}

/// True if result `r` of `kernel` may be written over argument `a`: both are
/// read and written element by element.
static bool isElementwiseInPlace(KernelOp kernel, unsigned result, unsigned argument) {
  if (kernel.getResultTypes()[result] != kernel.getArgumentTypes()[argument])
    return false;
  Type type = kernel.getResultTypes()[result];
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!isa<ScalarOpInterface, AdamWOp, ConstantOp, BroadcastOp>(op))
      return false;
  for (Operation *user : kernel.getBody().getArgument(argument).getUsers())
    if (isa<BroadcastOp>(user) || (user->getNumResults() &&
                                   user->getResult(0).getType() != type))
      return false;
  return true;
}

Place StepBuilder::placeOf(Value value) {
  if (const Place *known = placement.find(value))
    return *known;
  auto constant = value.getDefiningOp<ConstantOp>();
  assert(constant && "values are placed in program order");
  Root root;
  root.region = MemoryRegion::Constant;
  root.name = "constant";
  root.tensor = tensorOf(value);
  root.value = constant.getValue();
  placement.set(value, placement.newRoot(root.tensor, root));
  return *placement.find(value);
}

void StepBuilder::copy(RankedTensorType type, Location loc, Place from, Place to,
                       Value value) {
  std::string kernel = variants.getCopy(type, loc, from.strides, to.strides);
  launches.push_back({kernel, {{type, from, value}}, {{type, to, Value()}}, loc});
}

/// A dense copy of `value`.
Place StepBuilder::denseCopy(Value value) {
  Root root;
  root.kind = "activation";
  Place from = placeOf(value), to = placement.newRoot(tensorOf(value), root);
  copy(tensorOf(value), value.getLoc(), from, to, value);
  return to;
}

/// True for what the clipping norm reads or a result `grad:NAME` returns.
bool StepBuilder::isGradient(Value value) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (auto reader = dyn_cast<CallKernelOp>(use.getOwner()))
      return gradientKernels.contains(reader.getKernel());
    if (!use.getOwner()->hasTrait<OpTrait::IsTerminator>())
      return false;
    auto name = flat.getResultAttrOfType<StringAttr>(use.getOperandNumber(), kOutputAttr);
    return name && name.getValue().starts_with("grad:");
  });
}

/// The argument that `value` is a view of, or null.
static Value viewedArgument(Value value) {
  while (value && isa_and_present<ReshapeOp, TransposeOp, SliceOp, StopGradientOp,
                                  RematBarrierOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Copies `value` before the step updates what it is or views, if it is returned.
void StepBuilder::keepIfReturned(Value value) {
  auto argument = dyn_cast_or_null<BlockArgument>(viewedArgument(value));
  if (!argument ||
      !llvm::is_contained(llvm::make_second_range(updates), argument.getArgNumber()))
    return;
  bool isReturned = llvm::any_of(value.getUses(), [&](OpOperand &use) {
    return use.getOwner()->hasTrait<OpTrait::IsTerminator>() &&
           !flat.getResultAttr(use.getOperandNumber(), kUpdatesAttr);
  });
  if (isReturned)
    kept.insert({value, denseCopy(value)});
}

LogicalResult StepBuilder::visitCall(CallKernelOp call) {
  auto kernel = module.lookupSymbol<KernelOp>(call.getKernel());
  StringRef anchor = kernel.getAnchor();
  PlannedLaunch launch{"", {}, {}, call.getLoc()};
  SmallVector<Strides> argumentStrides, resultStrides;
  for (Value input : call.getInputs()) {
    Place place = placeOf(input);
    RankedTensorType type = tensorOf(input);
    // Attention and the optimizer walk rows whose elements are neighbours.
    bool refuses = (anchor == "attention" && !place.strides.empty() &&
                    type.getShape().back() != 1 && place.strides.back() != 1) ||
                   ((anchor == "optimizer" || anchor == "scatter") &&
                    !isDense(type.getShape(), place.strides));
    if (refuses)
      place = denseCopy(input);
    launch.reads.push_back({type, place, input});
    argumentStrides.push_back(place.strides);
  }
  for (auto [i, output] : llvm::enumerate(call.getOutputs())) {
    Place place;
    auto update = updates.find(output);
    bool inPlace = false;
    if (update != updates.end()) {
      // What is overwritten may be read only element by element, and not
      // through a view.
      Value old = flat.getArgument(update->second);
      inPlace = true;
      for (auto [j, input] : llvm::enumerate(call.getInputs()))
        if (launch.reads[j].place.root == placeOf(old).root)
          inPlace &= input == old && isElementwiseInPlace(kernel, i, j);
      if (inPlace) {
        place = placeOf(old);
        writtenAt[update->second] = launches.size();
        updates.erase(update);
      }
    }
    if (!inPlace) {
      bool gradient = isGradient(output);
      place = placement.placeForResult(output, gradient ? "gradient" : "activation");
    }
    placement.set(output, place);
    launch.writes.push_back({tensorOf(output), place, output});
    resultStrides.push_back(place.strides);
  }
  launch.kernel = variants.get(kernel, argumentStrides, resultStrides);
  launches.push_back(std::move(launch));
  return success();
}

/// Copies what could not be written in place.
void StepBuilder::visitConcat(ConcatOp concat) {
  if (!placement.find(concat.getOutput()))
    placement.set(concat.getOutput(),
                  placement.placeForResult(concat.getOutput(), "activation"));
  Place whole = *placement.find(concat.getOutput());
  int64_t start = 0;
  for (Value input : concat.getInputs()) {
    Place part = whole;
    part.offset += start * whole.strides[concat.getDim()];
    start += shapeOf(input)[concat.getDim()];
    Place now = placeOf(input);
    if (now.root != part.root || now.offset != part.offset || now.strides != part.strides)
      copy(tensorOf(input), concat.getLoc(), now, part, input);
  }
}

LogicalResult StepBuilder::visit(Operation &op) {
  if (auto call = dyn_cast<CallKernelOp>(op))
    return visitCall(call);
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    visitConcat(concat);
    return success();
  }
  if (isa<ConstantOp>(op))
    return success();
  if (!isa<ReshapeOp, TransposeOp, SliceOp, StopGradientOp, RematBarrierOp>(op))
    return op.emitOpError() << "cannot stand in a step; run tt-form-kernels first";
  placeOf(op.getOperand(0)); // a constant gets its place
  std::optional<Place> place = placement.placeOfView(&op);
  if (!place) {
    // The strides do not allow the reshape: through a dense copy.
    Place dense = denseCopy(op.getOperand(0));
    dense.strides = denseStrides(shapeOf(op.getResult(0)));
    place = dense;
  }
  placement.set(op.getResult(0), *place);
  keepIfReturned(op.getResult(0));
  return success();
}

LogicalResult StepBuilder::finishResults() {
  Operation *terminator = flat.getBody().front().getTerminator();
  // Updates that no kernel could write in place.
  for (auto [value, argument] : updates) {
    Value old = flat.getArgument(argument);
    Place from = placeOf(value), to = placeOf(old);
    if (from.root == to.root)
      continue; // returned as it came
    writtenAt[argument] = launches.size();
    copy(tensorOf(value), value.getLoc(), from, to, value);
  }
  for (unsigned i = 0; i < flat.getNumResults(); ++i) {
    if (flat.getResultAttr(i, kUpdatesAttr))
      continue;
    auto output = flat.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    Value value = terminator->getOperand(i);
    auto found = kept.find(value);
    Place place = found == kept.end() ? placeOf(value) : found->second;
    bool arena = placement.roots[place.root].region == MemoryRegion::Arena;
    if (!arena || !isDense(shapeOf(value), place.strides))
      place = denseCopy(value);
    outputNames.push_back(output ? output
                                 : StringAttr::get(flat.getContext(),
                                                   "output" + std::to_string(i)));
    outputs.push_back({tensorOf(value), place, value});
  }
  return success();
}

/// A parameter or state is read for the last time before it is overwritten.
LogicalResult StepBuilder::checkOverwrites() {
  for (auto [i, launch] : llvm::enumerate(launches))
    for (const PlacedOperand &read : launch.reads) {
      auto argument = dyn_cast_or_null<BlockArgument>(viewedArgument(read.value));
      if (!argument)
        continue;
      auto written = writtenAt.find(argument.getArgNumber());
      if (written != writtenAt.end() && written->second < i)
        return mlir::emitError(launch.loc)
               << "reads " << placement.roots[read.place.root].name
               << " after the step has updated it; use the updated value, or move "
                  "the update to the end";
    }
  return success();
}

void StepBuilder::emit() {
  OpBuilder b(module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  auto step = StepOp::create(b, flat.getLoc(), name, b.getArrayAttr(inputNames),
                             b.getArrayAttr(outputNames));
  Block *body = b.createBlock(&step.getBody());
  b.setInsertionPointToEnd(body);

  SmallVector<Value> buffers(placement.roots.size());
  auto bufferOf = [&](int i) {
    if (buffers[i])
      return buffers[i];
    const Root &root = placement.roots[i];
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    auto buffer = BufferOp::create(
        b, flat.getLoc(), BufferType::get(b.getContext()), root.region,
        uint64_t(root.bytes), root.name.empty() ? StringAttr() : b.getStringAttr(root.name),
        root.kind.empty() ? StringAttr() : b.getStringAttr(root.kind), IntegerAttr(),
        root.value);
    if (root.tensor)
      buffer->setAttr("tensor", TypeAttr::get(root.tensor));
    if (root.attrs)
      buffer->setAttr("role", root.attrs);
    return buffers[i] = buffer.getResult();
  };
  auto view = [&](const PlacedOperand &operand) -> Value {
    Type element = operand.type.getElementType();
    MemRefLayoutAttrInterface layout;
    if (!isDense(operand.type.getShape(), operand.place.strides))
      layout = StridedLayoutAttr::get(b.getContext(), 0, operand.place.strides);
    auto type = layout ? MemRefType::get(operand.type.getShape(), element, layout)
                       : MemRefType::get(operand.type.getShape(), element);
    return ViewOp::create(b, flat.getLoc(), type, bufferOf(operand.place.root),
                          uint64_t(operand.place.offset * elementBytes(element)));
  };
  // Inputs and parameters exist even where no kernel reads them.
  for (BlockArgument argument : flat.getArguments())
    bufferOf(placement.find(argument)->root);
  for (const PlannedLaunch &launch : launches) {
    SmallVector<Value> reads, writes;
    for (const PlacedOperand &operand : launch.reads)
      reads.push_back(view(operand));
    for (const PlacedOperand &operand : launch.writes)
      writes.push_back(view(operand));
    LaunchOp::create(b, launch.loc, launch.kernel, reads, writes, Value());
  }
  SmallVector<Value> yields;
  for (const PlacedOperand &operand : outputs)
    yields.push_back(view(operand));
  YieldOp::create(b, flat.getLoc(), yields);
}

LogicalResult StepBuilder::build() {
  for (auto kernel : module.getOps<KernelOp>())
    if (!kernel.getBody().getOps<SumSquaresOp>().empty())
      gradientKernels.insert(kernel.getSymName());
  if (failed(placeArguments()) || failed(placeUpdates()))
    return failure();
  for (Value argument : flat.getArguments())
    keepIfReturned(argument);
  for (Operation &op : flat.getBody().front().without_terminator())
    if (failed(visit(op)))
      return failure();
  if (failed(finishResults()) || failed(checkOverwrites()))
    return failure();
  emit();
  return success();
}

namespace {
struct BuildStepPass final : tt::impl::BuildStepPassBase<BuildStepPass> {
  using BuildStepPassBase::BuildStepPassBase;

  LogicalResult run() {
    ModuleOp module = getOperation();
    SmallVector<std::string> names(entries.begin(), entries.end());
    bool given = !names.empty();
    if (!given)
      names = {"train_step", "grad", "eval", "logits"};
    KernelVariants variants(module);
    SmallVector<func::FuncOp> functions;
    for (StringRef name : names) {
      auto function = module.lookupSymbol<func::FuncOp>(name);
      if (function)
        functions.push_back(function);
      else if (given)
        return module.emitError() << "expected a function of the name @" << name;
    }
    if (functions.empty())
      return module.emitError() << "expected an entry: train_step, grad, eval or "
                                   "logits, or the option entries=";
    SmallVector<func::FuncOp> flats;
    for (func::FuncOp function : functions) {
      func::FuncOp flat = function.clone();
      flat.setSymName((function.getSymName() + ".flat").str());
      module.push_back(flat);
      flats.push_back(flat);
      if (failed(flattenCalls(flat)))
        return failure();
    }
    SmallVector<std::string> finalNames;
    for (func::FuncOp function : functions)
      finalNames.push_back(function.getSymName().str());
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (!llvm::is_contained(flats, function))
        function.erase();
    for (auto [flat, name] : llvm::zip(flats, finalNames))
      if (failed(StepBuilder(flat, name, variants).build()))
        return failure();
    for (func::FuncOp flat : flats)
      flat.erase();
    // Kernels that no step launches, such as base forms of strided variants.
    llvm::StringMap<bool> used;
    module.walk([&](LaunchOp launch) { used[launch.getKernel()] = true; });
    for (auto kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
      if (!used.count(kernel.getSymName()))
        kernel.erase();
    return success();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }
};
} // namespace
