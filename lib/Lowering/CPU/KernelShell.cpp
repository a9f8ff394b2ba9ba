//===- KernelShell.cpp - The function around a kernel phase ---------------===//
#include "tt/Lowering/CPU/KernelShell.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tt/Lowering/CPU/Target.h"

using namespace mlir;
using namespace tt::cpu;

int64_t tt::cpu::alignBytes(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// The exported function: loads the operand pointers and calls the body.
static void buildEntry(OpBuilder builder, Location loc, StringRef symbol,
                       func::FuncOp body, unsigned numOperands) {
  MLIRContext *context = builder.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = builder.getI64Type();
  auto type =
      builder.getFunctionType({pointer, i64, i64, pointer, pointer}, {});
  auto entry = func::FuncOp::create(builder, loc, symbol, type);
  builder.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < numOperands; ++i) {
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer,
                                     entry.getArgument(0),
                                     ArrayRef<LLVM::GEPArg>{int32_t(i)});
    arguments.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
  }
  arguments.append(entry.args_begin() + 1, entry.args_end());
  func::CallOp::create(builder, loc, body, arguments);
  func::ReturnOp::create(builder, loc);
}

PhaseShell::PhaseShell(ModuleOp module, Location loc, StringRef symbol,
                       unsigned numOperands, ArrayRef<unsigned> mayAlias)
    : loc(loc), bodyBuilder(module.getContext()),
      entryBuilder(module.getContext()), symbol(symbol.str()),
      numOperands(numOperands) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i64 = builder.getI64Type();
  SmallVector<Type> types(numOperands, pointer);
  types.append({i64, i64, pointer, pointer});
  body = func::FuncOp::create(builder, loc, (symbol + "_body").str(),
                              builder.getFunctionType(types, {}));
  body.setPrivate();
  for (unsigned i = 0, e = types.size(); i < e; ++i) {
    bool restricted = types[i] == pointer && !llvm::is_contained(mayAlias, i);
    if (restricted)
      body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  }
  buildEntry(builder, loc, symbol, body, numOperands);

  Block *entry = body.addEntryBlock();
  bodyBuilder.setInsertionPointToStart(entry);
  Type indexType = builder.getIndexType();
  taskIndex = arith::IndexCastOp::create(bodyBuilder, loc, indexType,
                                         entry->getArgument(numOperands));
  iterationIndex = arith::IndexCastOp::create(
      bodyBuilder, loc, indexType, entry->getArgument(numOperands + 1));
  // Everything of the entry goes before the first op that an emitter can see.
  entryBuilder.setInsertionPoint(taskIndex.getDefiningOp());
}

Value PhaseShell::makeView(Value pointer, int64_t byteOffset, MemRefType type) {
  Value base = pointer;
  for (const View &view : views)
    if (view.pointer == base && view.byteOffset == byteOffset &&
        view.type == type)
      return view.memref;

  auto [strides, offset] = type.getStridesAndOffset();
  assert(type.hasStaticShape() && offset == 0 && "view must be static at 0");
  MLIRContext *context = type.getContext();
  Type pointerType = LLVM::LLVMPointerType::get(context);
  Type i64 = IntegerType::get(context, 64);
  if (byteOffset) {
    Value bytes = LLVM::ConstantOp::create(
        entryBuilder, loc, i64, entryBuilder.getI64IntegerAttr(byteOffset));
    pointer = LLVM::GEPOp::create(entryBuilder, loc, pointerType,
                                  IntegerType::get(context, 8), pointer,
                                  ArrayRef<LLVM::GEPArg>{bytes});
  }

  // The descriptor that the memref lowering expects: allocated and aligned
  // pointer, offset, sizes, strides.
  int64_t rank = type.getRank();
  SmallVector<Type> fields{pointerType, pointerType, i64};
  if (rank)
    fields.append(2, LLVM::LLVMArrayType::get(i64, rank));
  auto descriptorType = LLVM::LLVMStructType::getLiteral(context, fields);
  Value descriptor = LLVM::PoisonOp::create(entryBuilder, loc, descriptorType);
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(entryBuilder, loc, descriptor,
                                             value, position);
  };
  auto insertConstant = [&](int64_t value, ArrayRef<int64_t> position) {
    insert(LLVM::ConstantOp::create(entryBuilder, loc, i64,
                                    entryBuilder.getI64IntegerAttr(value)),
           position);
  };
  insert(pointer, 0);
  insert(pointer, 1);
  insertConstant(0, 2);
  for (int64_t i = 0; i < rank; ++i) {
    insertConstant(type.getDimSize(i), {3, i});
    insertConstant(strides[i], {4, i});
  }
  Value memref =
      UnrealizedConversionCastOp::create(entryBuilder, loc, type, descriptor)
          .getResult(0);
  views.push_back({base, byteOffset, type, memref});
  return memref;
}

Value PhaseShell::operand(unsigned number, MemRefType type) {
  assert(number < numOperands && "no such operand");
  return makeView(body.getArgument(number), 0, type);
}

Value PhaseShell::shared(int64_t byteOffset, MemRefType type) {
  return makeView(body.getArgument(numOperands + 2), byteOffset, type);
}

Value PhaseShell::worker(int64_t byteOffset, MemRefType type) {
  return makeView(body.getArgument(numOperands + 3), byteOffset, type);
}

Value PhaseShell::index(int64_t value) {
  for (auto &[known, constant] : constants)
    if (known == value)
      return constant;
  Value constant =
      arith::ConstantIndexOp::create(entryBuilder, loc, value).getResult();
  constants.push_back({value, constant});
  return constant;
}

EmittedPhase PhaseShell::finish(int64_t tasks) {
  bodyBuilder.setInsertionPointToEnd(&body.getBody().front());
  func::ReturnOp::create(bodyBuilder, loc);
  return {symbol, tasks};
}
