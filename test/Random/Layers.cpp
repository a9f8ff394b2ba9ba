//===- Layers.cpp - Functions of random programs and their uses -----------===//
#include "Layers.h"

#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

func::FuncOp Layers::makeLayer(StringRef name, func::FuncOp inner) {
  ProgramScope layer(module, name, random);
  layer.function().setPrivate();
  Value x = layer.addArgument(type, "x", {0, 2, false});
  if (inner)
    call(layer, inner);
  for (int64_t i = random.integer(1, 4); i > 0; --i)
    layer.apply(snippets.any(random));
  // Values that nothing reads come back too.
  for (Value y : layer.unreadValues())
    x = layer.emit().add(x, layer.bounded(layer.adapt(y, type.getShape())));
  layer.finish({x});
  return layer.function();
}

/// Two or three times in a row, with arguments of their own or those of the last call.
void Layers::call(ProgramScope &scope, func::FuncOp layer) {
  Value x = scope.adapt(scope.anyValue(), type.getShape());
  SmallVector<Value> shared;
  for (int64_t i = random.integer(2, 4); i > 0; --i) {
    bool newArguments = shared.empty() || random.unit() < 0.5;
    if (newArguments) {
      shared.clear();
      for (BlockArgument argument : layer.getArguments().drop_front())
        shared.push_back(scope.addArgumentLike(layer, argument.getArgNumber()));
    }
    SmallVector<Value> operands{x};
    operands.append(shared);
    x = func::CallOp::create(scope.emit().builder, layer.getLoc(), layer, operands)
            .getResult(0);
    scope.addValue(x);
  }
}

/// The first arguments after the carried one are stacked, the others shared.
void Layers::repeat(ProgramScope &scope, func::FuncOp layer) {
  int64_t count = random.integer(1, 4);
  unsigned numStacked = unsigned(random.integer(0, layer.getNumArguments()));
  Value x = scope.adapt(scope.anyValue(), type.getShape());
  SmallVector<Value> stacked, shared;
  for (unsigned i = 1; i < layer.getNumArguments(); ++i) {
    bool isStacked = i <= numStacked;
    (isStacked ? stacked : shared)
        .push_back(scope.addArgumentLike(layer, i, isStacked ? count : 0));
  }
  OpBuilder &builder = scope.emit().builder;
  auto repeat = RepeatOp::create(builder, layer.getLoc(), TypeRange{type}, ValueRange{x},
                                 stacked, shared, Value(),
                                 FlatSymbolRefAttr::get(layer.getSymNameAttr()),
                                 builder.getI64IntegerAttr(count));
  scope.addValue(repeat.getResult(0));
}

void Layers::useLayer(ProgramScope &program) {
  func::FuncOp inner;
  if (random.unit() < 0.3)
    inner = makeLayer("inner", {});
  func::FuncOp layer = makeLayer("layer", inner);
  if (random.unit() < 0.4)
    repeat(program, layer);
  else
    call(program, layer);
}

func::FuncOp Layers::makeFunction(
    StringRef name, unsigned numArguments,
    function_ref<SmallVector<Value>(Emit &, ValueRange)> body) {
  ProgramScope scope(module, name, random);
  scope.function().setPrivate();
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < numArguments; ++i)
    arguments.push_back(scope.addArgument(type, "a", {0, 2, false}));
  scope.finish(body(scope.emit(), arguments));
  return scope.function();
}

void Layers::useCustomRule(ProgramScope &program) {
  auto slope = [](Emit &e, Value y) { return e.shift(e.neg(e.mul(y, y)), 1); };
  auto forward = makeFunction("custom", 2, [&](Emit &e, ValueRange a) {
    return SmallVector<Value>{e.mul(e.tanh(a[0]), a[1])};
  });
  // Inputs, result, cotangent.
  auto vjp = makeFunction("custom_vjp", 4, [&](Emit &e, ValueRange a) {
    Value y = e.tanh(a[0]);
    return SmallVector<Value>{e.mul(e.mul(a[3], a[1]), slope(e, y)), e.mul(a[3], y)};
  });
  // Inputs, tangents.
  auto jvp = makeFunction("custom_jvp", 4, [&](Emit &e, ValueRange a) {
    Value y = e.tanh(a[0]);
    return SmallVector<Value>{e.add(e.mul(e.mul(a[2], a[1]), slope(e, y)), e.mul(y, a[3]))};
  });
  auto symbol = [](func::FuncOp function) {
    return FlatSymbolRefAttr::get(function.getSymNameAttr());
  };
  Value x = program.adapt(program.anyValue(), type.getShape());
  Value w = program.adapt(program.anyValue(), type.getShape());
  OpBuilder &builder = program.emit().builder;
  auto call = CustomVjpOp::create(builder, forward.getLoc(), TypeRange{type},
                                  ValueRange{x, w}, symbol(forward), symbol(vjp), symbol(jvp));
  program.addValue(call.getResult(0));
}
