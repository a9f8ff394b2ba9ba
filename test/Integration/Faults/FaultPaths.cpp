//===- FaultPaths.cpp - The ways to run a reported fault ------------------===//
#include "FaultPaths.h"

#include "tt/AD/Passes.h"
#include "tt/AOT/ObjectCache.h"
#include "tt/Check/CheckCompiled.h"
#include "tt/IR/TTOps.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tt;
using namespace tt::reference;
using namespace tt::test;

const char *tt::test::nameOf(Path path) {
  static const char *const names[] = {"interpreter", "typed", "compiled", "layered",
                                      "decomposed"};
  return names[int(path)];
}

bool tt::test::roundsToF32(Path path) { return path != Path::Interpreter; }

static Found interpret(const FaultFile &fault, Mode mode) {
  Found found;
  Options options;
  options.mode = mode;
  auto outcome = Interpreter<double>(*fault.module, options).run("f", fault.inputs);
  found.error = outcome.error;
  found.results = outcome.results;
  if (!found.error.empty() || !fault.hasGradients())
    return found;
  Derivatives derivatives;
  Values gradients;
  if (!derivatives.build(*fault.module, fault.function, "all", found.error) ||
      !derivatives.pullBack(fault.inputs, fault.cotangents, gradients, found.error, options))
    return found;
  for (auto [argument, gradient] : llvm::zip_equal(derivatives.active(), gradients))
    found.gradients[unsigned(argument)] = gradient;
  return found;
}

/// True if a line speaks of "result0" or "d_arg1".
static bool hasLine(const FaultFile &fault, StringRef row) {
  return llvm::any_of(fault.right, [&](const RightValue &right) {
    return row == (right.isGradient ? "d_arg" : "result") + std::to_string(right.index);
  });
}

static Found compile(func::FuncOp function, const Values &inputs, const FaultFile &fault,
                     check::CompiledCheckOptions options) {
  Found found;
  aot::ObjectCache objects; // the ways of one program have kernels in common
  options.objects = &objects;
  options.gradients = fault.hasGradients();
  options.inputs = inputs;
  options.cotangents = fault.cotangents;
  options.onFirst = [&](const check::EntryValues &values) {
    for (auto [wanted, value] : llvm::zip_equal(values.wanted, values.found)) {
      StringRef name = wanted.name;
      unsigned argument = 0;
      if (name.consume_front("d_arg") && !name.getAsInteger(10, argument))
        found.gradients[argument] = value;
      else
        found.results.push_back(value);
    }
  };
  check::CompiledReport report = check::checkCompiled(function, options);
  // A tensor of nothing but NaN is compared by its line.
  for (check::Comparison &row : report.rows)
    row.comparesNothing &= !hasLine(fault, row.name);
  if (!report.passed())
    found.error = report.error + "\n" + report.table();
  return found;
}

static check::CompiledCheckOptions quickWays() {
  check::CompiledCheckOptions options;
  options.quick = true;
  return options;
}

/// x + by (1 + |x|) for what the entry returns.
static void plantInEntry(ModuleOp module, double by) {
  for (auto entry : module.getOps<func::FuncOp>()) {
    if (!entry.isPublic())
      continue;
    Operation *end = entry.front().getTerminator();
    OpBuilder builder(end);
    Location loc = end->getLoc();
    for (OpOperand &operand : end->getOpOperands()) {
      auto type = cast<RankedTensorType>(operand.get().getType());
      if (!isa<FloatType>(type.getElementType()))
        continue;
      auto splat = [&](double x) -> Value {
        auto value = builder.getFloatAttr(type.getElementType(), x);
        return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, value));
      };
      Value size = MulOp::create(builder, loc, AbsOp::create(builder, loc, operand.get()),
                                 splat(by));
      Value error = AddOp::create(builder, loc, size, splat(by));
      operand.set(AddOp::create(builder, loc, operand.get(), error));
    }
  }
}

Found tt::test::runPlanted(const FaultFile &fault, double by) {
  check::CompiledCheckOptions options = quickWays();
  options.onModule = [&](ModuleOp module, const CompileOptions &) { plantInEntry(module, by); };
  return compile(fault.function, fault.inputs, fault, options);
}

static Found compileDecomposed(const FaultFile &fault) {
  OwningOpRef<ModuleOp> module((*fault.module).clone());
  PassManager passes(module->getContext());
  passes.addPass(createDecomposePass());
  if (failed(passes.run(*module))) {
    Found found;
    found.error = "--tt-decompose failed";
    return found;
  }
  return compile(module->lookupSymbol<func::FuncOp>("f"), fault.inputs, fault, quickWays());
}

/// A private function of a tensor and ones that returns their product.
static func::FuncOp addTail(ModuleOp module, Type type, unsigned number) {
  OpBuilder builder(module.getBodyRegion());
  auto tail = func::FuncOp::create(builder, module.getLoc(), "tail" + std::to_string(number),
                                   builder.getFunctionType({type, type}, {type}));
  tail.setPrivate();
  builder.setInsertionPointToStart(tail.addEntryBlock());
  Value product = MulOp::create(builder, module.getLoc(), tail.getArgument(0),
                                tail.getArgument(1));
  func::ReturnOp::create(builder, module.getLoc(), product);
  return tail;
}

// The last layer of a chain is never replayed, so products with 1 come after @f.
Layers tt::test::asLayers(const FaultFile &fault) {
  Layers layers{OwningOpRef<ModuleOp>((*fault.module).clone()), {}, fault.inputs};
  auto layer = layers.module->lookupSymbol<func::FuncOp>("f");
  layer.setSymName("fault");
  layer.setPrivate();
  OpBuilder builder(layers.module->getBodyRegion());
  Location loc = layer.getLoc();
  SmallVector<Type> types(layer.getArgumentTypes());
  for (Type type : layer.getResultTypes())
    if (isa<FloatType>(cast<RankedTensorType>(type).getElementType()))
      types.push_back(type);
  auto function = func::FuncOp::create(builder, loc, "f",
                                       builder.getFunctionType(types, layer.getResultTypes()));
  for (unsigned i = 0; i < layer.getNumArguments(); ++i)
    if (DictionaryAttr attributes = layer.getArgAttrDict(i))
      function.setArgAttrs(i, attributes);
  builder.setInsertionPointToStart(function.addEntryBlock());
  unsigned next = layer.getNumArguments();
  auto call = func::CallOp::create(builder, loc, layer, function.getArguments().take_front(next));
  SmallVector<Value> results(call.getResults());
  for (Value &result : results) {
    auto type = cast<RankedTensorType>(result.getType());
    if (!isa<FloatType>(type.getElementType()))
      continue;
    func::FuncOp tail = addTail(*layers.module, type, next);
    result = func::CallOp::create(builder, loc, tail,
                                  ValueRange{result, function.getArgument(next++)})
                 .getResult(0);
    Tensor<double> ones(Shape(type.getShape().begin(), type.getShape().end()));
    ones.data.assign(ones.data.size(), 1);
    layers.inputs.push_back(std::move(ones));
  }
  func::ReturnOp::create(builder, loc, results);
  layers.function = function;
  return layers;
}

Found tt::test::runOn(Path path, const FaultFile &fault) {
  switch (path) {
  case Path::Interpreter:
    return interpret(fault, Mode::Ideal);
  case Path::Typed:
    return interpret(fault, Mode::Typed);
  case Path::Compiled:
    return compile(fault.function, fault.inputs, fault, {});
  case Path::Layered: {
    Layers layers = asLayers(fault);
    return compile(layers.function, layers.inputs, fault, quickWays());
  }
  case Path::Decomposed:
    return compileDecomposed(fault);
  }
  return {};
}
