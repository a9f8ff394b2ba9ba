//===- ExportRow.cpp - A program and its values as JSON -------------------===//
#include "ExportRow.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;
using llvm::json::OStream;

static void number(OStream &json, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  // As Python's json reads them.
  text = std::isnan(value) ? "NaN" : std::isinf(value) ? (value < 0 ? "-Infinity" : "Infinity") : text;
  json.rawValue(text);
}

static void attribute(OStream &json, Attribute value) {
  llvm::TypeSwitch<Attribute>(value)
      .Case<BoolAttr>([&](auto flag) { json.value(flag.getValue()); })
      .Case<UnitAttr>([&](auto) { json.value(true); })
      .Case<IntegerAttr>([&](auto integer) { json.value(integer.getInt()); })
      .Case<FloatAttr>([&](auto real) { number(json, real.getValueAsDouble()); })
      .Case<StringAttr>([&](auto text) { json.value(text.getValue()); })
      .Case<FlatSymbolRefAttr>([&](auto symbol) { json.value(symbol.getValue()); })
      .Case<DenseI64ArrayAttr, DenseI32ArrayAttr>([&](auto list) {
        json.array([&] {
          for (int64_t element : list.asArrayRef())
            json.value(element);
        });
      })
      .Case<DenseIntElementsAttr>([&](auto dense) {
        json.array([&] {
          for (const llvm::APInt &element : dense)
            json.value(element.getBitWidth() == 1 ? int64_t(element.getZExtValue())
                                                  : element.getSExtValue());
        });
      })
      .Case<DenseFPElementsAttr>([&](auto dense) {
        json.array([&] {
          for (llvm::APFloat element : dense) {
            bool lost;
            element.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                            &lost);
            number(json, element.convertToDouble());
          }
        });
      })
      .Default([&](Attribute other) {
        std::string text;
        llvm::raw_string_ostream stream(text);
        other.print(stream);
        json.value(text);
      });
}

static void type(OStream &json, Type value) {
  auto tensor = dyn_cast<RankedTensorType>(value);
  json.object([&] {
    json.attributeArray("shape", [&] {
      for (int64_t size : tensor ? tensor.getShape() : ArrayRef<int64_t>())
        json.value(size);
    });
    std::string text;
    llvm::raw_string_ostream stream(text);
    getElementTypeOrSelf(value).print(stream);
    json.attribute("element", text);
  });
}

static void exportFunction(OStream &json, func::FuncOp function) {
  llvm::DenseMap<Value, int64_t> numbers;
  auto define = [&](ValueRange values) {
    for (Value value : values) {
      int64_t next = int64_t(numbers.size());
      numbers[value] = next;
      json.value(next);
    }
  };
  auto use = [&](ValueRange values) {
    for (Value value : values)
      json.value(numbers.lookup(value));
  };
  json.attributeArray("arguments", [&] { define(function.getArguments()); });
  json.attributeArray("types", [&] {
    for (Type argument : function.getArgumentTypes())
      type(json, argument);
  });
  json.attributeArray("ops", [&] {
    for (Operation &op : function.getBody().front())
      json.object([&] {
        json.attribute("op", op.getName().getStringRef());
        json.attributeArray("operands", [&] { use(op.getOperands()); });
        json.attributeArray("results", [&] { define(op.getResults()); });
        json.attributeArray("types", [&] {
          for (Type result : op.getResultTypes())
            type(json, result);
        });
        json.attributeObject("attributes", [&] {
          for (NamedAttribute named : op.getAttrDictionary()) {
            json.attributeBegin(named.getName());
            attribute(json, named.getValue());
            json.attributeEnd();
          }
        });
      });
  });
}

void tt::test::exportModule(OStream &json, ModuleOp module) {
  json.attributeObject("functions", [&] {
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal())
        json.attributeObject(function.getSymName(), [&] { exportFunction(json, function); });
  });
}

static void tensor(OStream &json, const check::HostTensor &value) {
  json.object([&] {
    json.attributeArray("shape", [&] {
      for (int64_t size : value.shape())
        json.value(size);
    });
    json.attribute("isFloat", value.isFloat());
    json.attributeArray("data", [&] {
      if (value.isFloat())
        for (double x : value.floats().data)
          number(json, x);
      else
        for (int64_t x : value.ints().data)
          json.value(x);
    });
  });
}

std::string tt::test::digestOf(const check::EntryValues &values) {
  std::string bytes;
  auto append = [&](const auto &data) {
    bytes.append(reinterpret_cast<const char *>(data.data()), data.size() * sizeof(data[0]));
  };
  for (const auto &[name, value] : values.inputs) {
    bytes += name;
    if (value.isFloat())
      append(value.floats().data);
    else
      append(value.ints().data);
  }
  return llvm::utohexstr(llvm::xxh3_64bits(bytes));
}

static void tensors(OStream &json, const std::map<std::string, check::HostTensor> &values) {
  for (const auto &[name, value] : values) {
    json.attributeBegin(name);
    tensor(json, value);
    json.attributeEnd();
  }
}

void tt::test::exportValues(OStream &json, const check::EntryValues &values,
                            const std::map<std::string, check::HostTensor> &wanted) {
  json.attribute("digest", digestOf(values));
  json.attributeObject("inputs", [&] { tensors(json, values.inputs); });
  json.attributeObject("wanted", [&] { tensors(json, wanted); });
}
