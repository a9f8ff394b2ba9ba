//===- RepeatOps.cpp - Calls with a rule, and layers run in turn ----------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

static bool isFloat(Type type) {
  return isa<FloatType>(cast<RankedTensorType>(type).getElementType());
}
static SmallVector<Type> floatsOf(TypeRange types) {
  return llvm::to_vector(llvm::make_filter_range(types, isFloat));
}

/// Checks that `symbol` is a function from `inputs` to `results`.
static LogicalResult checkFunction(Operation *op, SymbolTableCollection &symbols,
                                   FlatSymbolRefAttr symbol, StringRef role,
                                   TypeRange inputs, TypeRange results) {
  auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!function)
    return op->emitOpError() << "expected " << role << " to be a function, but "
                             << symbol << " is none";
  auto wanted = FunctionType::get(op->getContext(), inputs, results);
  if (function.getFunctionType() == wanted)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expected " << role << " " << symbol
                            << " to have type " << wanted << ", but got "
                            << function.getFunctionType();
  diag.attachNote(function.getLoc()) << "the function is here";
  return diag;
}

//===----------------------------------------------------------------------===//
// custom_vjp
//===----------------------------------------------------------------------===//

FunctionType CustomVjpOp::ruleType() {
  SmallVector<Type> inputs(getInputs().getTypes());
  llvm::append_range(inputs, getOutputs().getTypes());
  llvm::append_range(inputs, floatsOf(getOutputs().getTypes()));
  return FunctionType::get(getContext(), inputs, floatsOf(getInputs().getTypes()));
}

/// The region of `op` has the types of its rule.
static LogicalResult checkRegion(CustomVjpOp op) {
  FunctionType wanted = op.ruleType();
  Block &block = op.getRule().front();
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!op.getRule().hasOneBlock() || !yield)
    return op.emitOpError() << "expected a rule of one block that ends with tt.yield";
  auto found = FunctionType::get(op.getContext(), block.getArgumentTypes(),
                                 yield.getValues().getTypes());
  if (found == wanted)
    return success();
  return op.emitOpError() << "expected a rule of type " << wanted << ", but got " << found;
}

LogicalResult CustomVjpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  SmallVector<Type> inputs(getInputs().getTypes()), outputs(getOutputs().getTypes());
  SmallVector<Type> floatInputs = floatsOf(inputs), floatOutputs = floatsOf(outputs);
  SmallVector<Type> forJvp = inputs;
  llvm::append_range(forJvp, floatInputs);
  if (failed(checkFunction(*this, symbols, getCalleeAttr(), "callee", inputs,
                           outputs))) // (C1)
    return failure();
  bool hasRegion = !getRule().empty();
  if (hasRegion == bool(getVjpAttr())) // (C2)
    return emitOpError() << "expected either vjp = @... or a rule, but got "
                         << (hasRegion ? "both" : "none");
  FunctionType rule = ruleType();
  if (failed(hasRegion ? checkRegion(*this)
                       : checkFunction(*this, symbols, getVjpAttr(), "vjp",
                                       rule.getInputs(), rule.getResults())))
    return failure();
  if (!getJvpAttr())
    return success();
  return checkFunction(*this, symbols, getJvpAttr(), "jvp", forJvp,
                       floatOutputs); // (C3)
}

void CustomVjpOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  llvm::append_range(residuals, getInputs());
  llvm::append_range(residuals, getOutputs());
}
LogicalResult CustomVjpOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                    ValueRange cotangents, ActiveSet active,
                                    Values &operandCotangents) {
  Emit e(builder, getLoc());
  SmallVector<Value> operands(residuals);
  for (auto [output, d] : llvm::zip_equal(getOutputs(), cotangents))
    if (isFloat(output.getType()))
      operands.push_back(d ? d : e.splat(output.getType(), 0));
  auto rule = func::CallOp::create(builder, getLoc(), *getVjp(),
                                   floatsOf(getInputs().getTypes()), operands);
  unsigned next = 0;
  for (auto [i, input] : llvm::enumerate(getInputs()))
    if (isFloat(input.getType())) {
      if (active.operand(i))
        operandCotangents[i] = rule.getResult(next);
      ++next;
    }
  return success();
}
LogicalResult CustomVjpOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  if (!getJvp())
    return emitOpError() << "has no JVP rule, and forward mode cannot use the "
                            "reverse one: name a function with jvp = @...";
  Emit e(builder, getLoc());
  SmallVector<Value> operands(getInputs());
  for (auto [input, tangent] : llvm::zip_equal(getInputs(), tangents))
    if (isFloat(input.getType()))
      operands.push_back(tangent ? tangent : e.splat(input.getType(), 0));
  auto rule = func::CallOp::create(builder, getLoc(), *getJvp(),
                                   floatsOf(getOutputs().getTypes()), operands);
  unsigned next = 0;
  for (auto [i, output] : llvm::enumerate(getOutputs()))
    if (isFloat(output.getType()))
      resultTangents[i] = rule.getResult(next++);
  return success();
}
bool CustomVjpOp::isLinearIn(unsigned) { return false; }
bool CustomVjpOp::isCutAt(unsigned i) {
  return !isFloat(getInputs()[i].getType());
}

//===----------------------------------------------------------------------===//
// repeat
//===----------------------------------------------------------------------===//

SmallVector<Type> RepeatOp::turnTypes() {
  SmallVector<Type> types(getCarried().getTypes());
  for (Value value : getStacked())
    types.push_back(tensorOf(value).clone(shapeOf(value).drop_front()));
  llvm::append_range(types, getShared().getTypes());
  if (getKey())
    types.push_back(getKey().getType());
  return types;
}

/// Turns are unrolled into calls.
static constexpr int64_t kMaxTurns = 65536;

LogicalResult RepeatOp::verify() {
  int64_t count = getCount();
  if (count < 1 || count > kMaxTurns) // (C1)
    return emitOpError() << "expected count in [1, 65536], but got " << count;
  for (Value value : getStacked())
    if (tensorOf(value).getRank() < 1 || shapeOf(value)[0] != count) // (C1)
      return emitOpError() << "expected stacked operands with a first dimension of "
                           << count << ", but got " << value.getType();
  if (getCarried().getTypes() != getResults().getTypes()) // (C3)
    return emitOpError() << "expected results of the types of the carried values ("
                         << getCarried().getTypes() << "), but got ("
                         << getResults().getTypes() << ")";
  return success();
}
LogicalResult RepeatOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (Value value : getStacked())
    if (tensorOf(value).getRank() < 1)
      return failure(); // reported by verify
  return checkFunction(*this, symbols, getCalleeAttr(), "callee", turnTypes(),
                       getCarried().getTypes()); // (C2)
}
