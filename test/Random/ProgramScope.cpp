//===- ProgramScope.cpp - One function of a random program ----------------===//
#include "ProgramScope.h"

#include "tt/IR/TTOps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

ProgramScope::ProgramScope(ModuleOp module, StringRef name, reference::Random &random)
    : builder(module.getContext()), out(builder, module.getLoc()), random(random) {
  builder.setInsertionPointToStart(module.getBody());
  func = func::FuncOp::create(builder, module.getLoc(), name,
                              builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(func.addEntryBlock());
}

static bool isFloat(Type type) {
  return isa<FloatType>(cast<RankedTensorType>(type).getElementType());
}

Value ProgramScope::addArgument(RankedTensorType type, StringRef stem,
                                Snippet::Argument range) {
  unsigned index = func.getNumArguments();
  std::string name = (stem + std::to_string(counter++)).str();
  SmallVector<NamedAttribute> attrs;
  if (func.isPublic()) {
    bool isParameter = isFloat(type) && random.unit() < 0.8;
    attrs.push_back(builder.getNamedAttr(isParameter ? "tt.param" : "tt.input",
                                         builder.getStringAttr(name)));
    if (isParameter)
      attrs.push_back(builder.getNamedAttr("tt.init", builder.getStringAttr("normal:0.5")));
    if (isParameter && index > 0 && random.unit() < 0.1)
      attrs.push_back(builder.getNamedAttr("tt.frozen", builder.getUnitAttr()));
  }
  if (!isFloat(type) && type.getElementType().getIntOrFloatBitWidth() >= 32)
    attrs.push_back(builder.getNamedAttr("tt.index_limit",
                                         builder.getI64IntegerAttr(range.high)));
  if (isFloat(type) && range.isPositive)
    attrs.push_back(builder.getNamedAttr("check.range",
                                         builder.getF64ArrayAttr({0.25, 1.25})));
  if (failed(func.insertArgument(index, type, builder.getDictionaryAttr(attrs),
                                 func.getLoc())))
    return {};
  Value value = func.getArgument(index);
  if (isFloat(type))
    values.push_back(value);
  return value;
}

Value ProgramScope::addArgumentLike(func::FuncOp other, unsigned index, int64_t count) {
  Snippet::Argument range;
  if (auto limit = other.getArgAttrOfType<IntegerAttr>(index, "tt.index_limit"))
    range.high = limit.getInt();
  range.isPositive = bool(other.getArgAttr(index, "check.range"));
  auto type = cast<RankedTensorType>(other.getArgumentTypes()[index]);
  if (!count)
    return addArgument(type, "l", range);
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, type.getShape());
  return addArgument(type.clone(shape), "s", range);
}

void ProgramScope::addValue(Value value) {
  if (isFloat(value.getType()))
    values.push_back(value);
}

/// Late values more often than early ones: programs are deep and wide.
Value ProgramScope::anyValue() {
  double u = random.unit();
  size_t n = values.size();
  return values[std::min(n - 1, size_t(double(n) * std::sqrt(u)))];
}

Value ProgramScope::flat(Value value) {
  return out.reshape(value, {tensorOf(value).getNumElements()});
}

Value ProgramScope::widen(Value value, int64_t wanted) {
  int64_t have = tensorOf(value).getNumElements();
  if (random.unit() < 0.4) { // zeros around it
    int64_t low = random.integer(0, wanted - have + 1);
    return PadOp::create(builder, func.getLoc(), value, 0, low, wanted - have - low);
  }
  int64_t times = (wanted + have - 1) / have;
  bool outer = random.unit() < 0.5;
  SmallVector<int64_t> wide = outer ? SmallVector<int64_t>{times, have}
                                    : SmallVector<int64_t>{have, times};
  value = flat(out.broadcast(value, wide, {outer ? 1 : 0}));
  if (times * have == wanted)
    return value;
  return SliceOp::create(builder, func.getLoc(), value, 0,
                         random.integer(0, times * have - wanted + 1), wanted);
}

Value ProgramScope::adapt(Value value, ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  ArrayRef<int64_t> from = shapeOf(value);
  if (from.size() == 2 && shape.size() == 2 && from[0] == shape[1] && from[1] == shape[0])
    return TransposeOp::create(builder, func.getLoc(), value, ArrayRef<int64_t>{1, 0});
  if (from.size() + 1 == shape.size() && from == shape.drop_front()) {
    SmallVector<int64_t> dims;
    for (size_t i = 0; i < from.size(); ++i)
      dims.push_back(int64_t(i) + 1);
    return out.broadcast(value, shape, dims);
  }
  int64_t wanted = 1, have = tensorOf(value).getNumElements();
  for (int64_t size : shape) // checked: shapes of the op table are small
    wanted *= size;
  if (have < wanted)
    value = widen(flat(value), wanted);
  else if (have > wanted)
    value = SliceOp::create(builder, func.getLoc(), flat(value), 0,
                            random.integer(0, have - wanted + 1), wanted);
  return out.reshape(value, shape);
}

Value ProgramScope::bounded(Value value) {
  return TanhOp::create(builder, func.getLoc(), value);
}

Value ProgramScope::operandFor(const Snippet &snippet, unsigned index) {
  auto type = cast<RankedTensorType>(snippet.function->getRegion(0).getArgument(index).getType());
  const Snippet::Argument &range = snippet.arguments[index];
  bool isNew = !isFloat(type) || random.unit() < 0.35;
  if (isNew) {
    Value argument = addArgument(type, "p", range);
    return range.isCut && isFloat(type)
               ? StopGradientOp::create(builder, func.getLoc(), argument).getResult()
               : argument;
  }
  Value value = adapt(anyValue(), type.getShape());
  if (range.isCut)
    value = StopGradientOp::create(builder, func.getLoc(), value);
  if (range.isPositive)
    return out.exp(bounded(value));
  return random.unit() < 0.3 ? bounded(value) : value;
}

void ProgramScope::apply(const Snippet &snippet) {
  IRMapping map;
  for (BlockArgument argument : snippet.function->getRegion(0).getArguments())
    map.map(argument, operandFor(snippet, argument.getArgNumber()));
  Block &body = snippet.function->getRegion(0).front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, map);
  for (Value result : body.getTerminator()->getOperands())
    addValue(map.lookup(result));
}

SmallVector<Value> ProgramScope::unreadValues() {
  SmallVector<Value> unread;
  for (Value value : values)
    if (value.use_empty() || (isa<BlockArgument>(value) && random.unit() < 0.1))
      unread.push_back(value);
  return unread;
}

Value ProgramScope::lossOfAll() {
  Value loss;
  for (Value value : unreadValues()) {
    SmallVector<int64_t> dims;
    for (int64_t i = 0; i < tensorOf(value).getRank(); ++i)
      dims.push_back(i);
    Value term = bounded(value);
    if (!dims.empty())
      term = MeanOp::create(builder, func.getLoc(), term, dims);
    loss = out.addOrNull(loss, term);
  }
  return loss;
}

void ProgramScope::finish(ArrayRef<Value> results) {
  func::ReturnOp::create(builder, func.getLoc(), results);
  SmallVector<Type> types;
  for (Value value : results)
    types.push_back(value.getType());
  func.setType(builder.getFunctionType(func.getArgumentTypes(), types));
}
