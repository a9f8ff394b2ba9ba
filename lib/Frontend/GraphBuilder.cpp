// Building tt graphs from C++.
#include "tt/Frontend/GraphBuilder.h"

#include "tt/Support/CheckedSize.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt;
using namespace tt::frontend;

GraphBuilder::GraphBuilder(MLIRContext *context) : builder(context) {
  context->loadDialect<TTDialect, func::FuncDialect>();
  module = ModuleOp::create(UnknownLoc::get(context));
  elementType = builder.getF32Type();
}

//===----------------------------------------------------------------------===//
// Types, attributes, functions
//===----------------------------------------------------------------------===//

RankedTensorType GraphBuilder::tensor(ArrayRef<int64_t> shape,
                                      Type element) const {
  return RankedTensorType::get(shape, element ? element : elementType);
}

NamedAttribute GraphBuilder::attribute(StringRef name, StringRef text) {
  return builder.getNamedAttr(name, builder.getStringAttr(text));
}

NamedAttribute GraphBuilder::attribute(StringRef name, int64_t number) {
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(number));
}

GraphBuilder::Argument GraphBuilder::argument(StringRef name,
                                              ArrayRef<int64_t> shape) {
  return {name.str(), tensor(shape), {}};
}

GraphBuilder::Argument GraphBuilder::parameter(StringRef name,
                                               ArrayRef<int64_t> shape,
                                               StringRef init) {
  return {name.str(),
          tensor(shape),
          {attribute(kParamAttr, name), attribute(kInitAttr, init)}};
}

GraphBuilder::Argument
GraphBuilder::indices(StringRef name, ArrayRef<int64_t> shape, int64_t limit) {
  return {name.str(),
          tensor(shape, builder.getI32Type()),
          {attribute(kInputAttr, name), attribute(kIndexLimitAttr, limit)}};
}

GraphBuilder::Argument GraphBuilder::key() {
  return {
      "key", tensor({2}, builder.getI32Type()), {attribute(kInputAttr, "key")}};
}

SmallVector<Value> GraphBuilder::beginFunction(StringRef name,
                                               ArrayRef<Argument> arguments,
                                               bool isPrivate) {
  assert(!function && "the function before is not finished");
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (const Argument &argument : arguments) {
    types.push_back(argument.type);
    attributes.push_back(builder.getDictionaryAttr(argument.attributes));
  }
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, builder.getUnknownLoc(), name,
                                  builder.getFunctionType(types, {}));
  if (isPrivate)
    function.setPrivate();
  function.setAllArgAttrs(attributes);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  for (auto [value, argument] : llvm::zip(entry->getArguments(), arguments))
    value.setLoc(nameLocation(argument.name));
  return SmallVector<Value>(entry->args_begin(), entry->args_end());
}

func::FuncOp GraphBuilder::endFunction(ArrayRef<Value> results,
                                       ArrayRef<StringRef> outputs) {
  func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getFunctionType().getInputs(), ValueRange(results).getTypes()));
  for (auto [i, name] : llvm::enumerate(outputs))
    function.setResultAttr(i, kOutputAttr, builder.getStringAttr(name));
  return std::exchange(function, {});
}

SmallVector<Value> GraphBuilder::call(func::FuncOp callee,
                                      ArrayRef<Value> operands) {
  auto results = func::CallOp::create(builder, takeLocation(), callee, operands)
                     .getResults();
  return SmallVector<Value>(results.begin(), results.end());
}

Location GraphBuilder::nameLocation(StringRef name) {
  return NameLoc::get(builder.getStringAttr(name));
}

Location GraphBuilder::takeLocation() {
  if (nextName.empty())
    return builder.getUnknownLoc();
  Location location = nameLocation(nextName);
  nextName.clear();
  return location;
}

GraphBuilder &GraphBuilder::named(StringRef name) {
  nextName = name.str();
  return *this;
}

std::string tt::frontend::printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().printNameLocAsPrefix());
  return text;
}

//===----------------------------------------------------------------------===//
// Shapes and broadcasting
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> GraphBuilder::shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Value GraphBuilder::constant(ArrayRef<int64_t> shape, double value) {
  auto attribute = DenseElementsAttr::get(
      tensor(shape), builder.getFloatAttr(elementType, value).getValue());
  return ConstantOp::create(builder, takeLocation(), attribute);
}

Value GraphBuilder::broadcastTo(Value value, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> from = shapeOf(value);
  if (from == shape)
    return value;
  assert(from.size() <= shape.size() && "expected no more dimensions");
  Location location = takeLocation();
  // Sizes of 1 that repeat are dropped: tt.broadcast only adds dimensions.
  SmallVector<int64_t> kept, dims;
  for (auto [i, size] : llvm::enumerate(from)) {
    int64_t dim = shape.size() - from.size() + i;
    if (size == 1 && shape[dim] != 1)
      continue;
    assert(size == shape[dim] && "expected sizes that agree");
    kept.push_back(size);
    dims.push_back(dim);
  }
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  if (kept.size() != from.size())
    value = ReshapeOp::create(builder, location, tensor(kept, element), value);
  return BroadcastOp::create(builder, location, tensor(shape, element), value,
                             dims);
}

bool GraphBuilder::matchShapes(Value &lhs, Value &rhs) {
  if (lhs.getType() == rhs.getType())
    return true;
  ArrayRef<int64_t> left = shapeOf(lhs), right = shapeOf(rhs);
  SmallVector<int64_t> shape(std::max(left.size(), right.size()), 1);
  for (ArrayRef<int64_t> sizes : {left, right})
    for (size_t i = 1; i <= sizes.size(); ++i) {
      int64_t &size = shape[shape.size() - i];
      int64_t other = sizes[sizes.size() - i];
      if (size != 1 && other != 1 && size != other) {
        assert(false && "expected shapes that broadcast");
        return false;
      }
      size = size == 1 ? other : size;
    }
  lhs = broadcastTo(lhs, shape);
  rhs = broadcastTo(rhs, shape);
  return true;
}

Value GraphBuilder::reshape(Value input, ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(input.getType()).getElementType();
  return ReshapeOp::create(builder, takeLocation(), tensor(shape, element),
                           input);
}

Value GraphBuilder::transpose(Value input, ArrayRef<int64_t> permutation) {
  return TransposeOp::create(builder, takeLocation(), input,
                             builder.getDenseI64ArrayAttr(permutation))
      .getOutput();
}

Value GraphBuilder::slice(Value input, int64_t dim, int64_t start,
                          int64_t size) {
  if (dim < 0)
    dim += shapeOf(input).size();
  if (start == 0 && size == shapeOf(input)[dim])
    return input;
  return SliceOp::create(builder, takeLocation(), input, dim, start, size)
      .getOutput();
}

//===----------------------------------------------------------------------===//
// The other ops
//===----------------------------------------------------------------------===//

Value GraphBuilder::gelu(Value input, GeluApprox approx) {
  return GeluOp::create(builder, takeLocation(), input.getType(), input,
                        approx);
}

Value GraphBuilder::linear(Value input, Value weight, Value bias,
                           WeightLayout layout) {
  return LinearOp::create(builder, takeLocation(), input, weight, bias, layout)
      .getOutput();
}

Value GraphBuilder::matmul(Value lhs, Value rhs, bool transposeLhs,
                           bool transposeRhs) {
  return MatmulOp::create(builder, takeLocation(), lhs, rhs, transposeLhs,
                          transposeRhs)
      .getOutput();
}

Value GraphBuilder::layerNorm(Value input, Value gamma, Value beta,
                              double epsilon) {
  return LayerNormOp::create(builder, takeLocation(), input, gamma, beta,
                             llvm::APFloat(epsilon))
      .getOutput();
}

Value GraphBuilder::rmsNorm(Value input, Value gamma, double epsilon) {
  return RMSNormOp::create(builder, takeLocation(), input, gamma,
                           llvm::APFloat(epsilon))
      .getOutput();
}

Value GraphBuilder::embedding(Value table, Value ids) {
  return EmbeddingOp::create(builder, takeLocation(), table, ids, IntegerAttr())
      .getOutput();
}

Value GraphBuilder::rope(Value input, double theta, RopeLayout layout,
                         const RopeScalingConfig &scaling) {
  RopeOp::Properties properties;
  properties.theta = builder.getF64FloatAttr(theta);
  properties.layout = RopeLayoutAttr::get(builder.getContext(), layout);
  if (scaling.kind != RopeScalingConfig::None) {
    bool isLlama3 = scaling.kind == RopeScalingConfig::Llama3;
    properties.scaling = RopeScalingAttr::get(
        builder.getContext(), isLlama3 ? RopeScaling::Llama3 : RopeScaling::Linear);
    properties.factor = builder.getF64FloatAttr(scaling.factor);
    if (isLlama3) {
      properties.low_frequency = builder.getF64FloatAttr(scaling.lowFrequency);
      properties.high_frequency = builder.getF64FloatAttr(scaling.highFrequency);
      properties.original_context = builder.getI64IntegerAttr(scaling.context);
    }
  }
  return RopeOp::create(builder, takeLocation(), ValueRange{input}, properties)
      .getOutput();
}

Value GraphBuilder::causalAttention(Value q, Value k, Value v, double scale,
                                    int64_t window,
                                    const AttentionDropout &dropout) {
  Location location = takeLocation();
  AttentionOp::Properties properties;
  properties.scale = builder.getF64FloatAttr(scale);
  properties.causal = builder.getUnitAttr();
  SmallVector<Value> operands = {q, k, v};
  // q, k, v, q_segments, k_segments, slopes, bias, sinks, key
  properties.operandSegmentSizes = {1, 1, 1, 0, 0, 0, 0, 0, 0};
  if (window > 0 && window < shapeOf(k)[2]) // a wider one hides nothing
    properties.window_left = builder.getI64IntegerAttr(window - 1);
  if (dropout.p > 0) {
    operands.push_back(dropout.key);
    properties.operandSegmentSizes.back() = 1;
    properties.dropout_p = builder.getF64FloatAttr(dropout.p);
    properties.site = builder.getI64IntegerAttr(dropout.site);
  }
  return AttentionOp::create(builder, location, operands, properties)
      .getOutput();
}

Value GraphBuilder::splitHeads(Value input, int64_t heads) {
  std::string name = nextName;
  ArrayRef<int64_t> shape = shapeOf(input); // [B, T, H * D]
  Value split = reshape(input, {shape[0], shape[1], heads, shape[2] / heads});
  return named(name).transpose(split, {0, 2, 1, 3});
}

Value GraphBuilder::mergeHeads(Value input) {
  std::string name = nextName;
  Value merged = transpose(input, {0, 2, 1, 3}); // [B, T, H, D]
  ArrayRef<int64_t> shape = shapeOf(merged);
  int64_t width = support::CheckedSize::product(shape.take_back(2)).value();
  return named(name).reshape(merged, {shape[0], shape[1], width});
}

Value GraphBuilder::crossEntropyMean(Value logits, Value targets) {
  return CrossEntropyOp::create(builder, takeLocation(), logits, targets,
                                /*weights=*/Value(), Reduction::Mean, /*ignore_index=*/-100,
                                /*label_smoothing=*/llvm::APFloat(0.0),
                                /*z_loss=*/llvm::APFloat(0.0))
      .getLoss();
}

Value GraphBuilder::rngFold(Value key, int64_t site) {
  return RngFoldOp::create(builder, takeLocation(), key.getType(), key,
                           builder.getI64IntegerAttr(site));
}

Value GraphBuilder::dropout(Value input, Value key, double p, int64_t site) {
  if (p == 0)
    return input;
  return DropoutOp::create(builder, takeLocation(), input, key,
                           llvm::APFloat(p), site, shapeOf(input)[0])
      .getOutput();
}
