//===- Derivatives.cpp - Runs the functions that AD built -----------------===//
#include "tt/Reference/Derivatives.h"

#include "tt/IR/SourcePlace.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt::reference;

bool Derivatives::runPass(ModuleOp module, StringRef mode, StringRef wrt,
                          std::string &error) {
  std::string diagnostics;
  llvm::raw_string_ostream stream(diagnostics);
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diag) {
    if (auto place = dyn_cast<FileLineColLoc>(diag.getLocation()))
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
             << place.getColumn() << ": ";
    stream << "error: " << diag << "\n";
    return success();
  });
  bool allowed = allowUnreached || wrt != "params";
  // In braces, a name may have blanks and commas.
  std::string pipeline = "tt-outline-rules,tt-expand-repeat,tt-autodiff{function={" +
                         name + "} unreached-hint= mode=" + mode.str() +
                         " wrt=" + wrt.str() +
                         (allowed ? " allow-unreached=true" : "") + "}";
  PassManager manager(module.getContext());
  if (failed(parsePassPipeline(pipeline, manager, stream)) ||
      failed(manager.run(module))) {
    error = diagnostics.empty() ? "tt-autodiff failed without a word"
                                : StringRef(diagnostics).rtrim().str();
    return false;
  }
  return true;
}

/// The function whose attribute `kind` describes `primal`; null if there is none.
static func::FuncOp findDerived(ModuleOp module, StringRef kind,
                                StringRef primal, DictionaryAttr &description) {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto found = function->getAttrOfType<DictionaryAttr>(kind);
    if (!found)
      continue;
    auto symbol = found.getAs<FlatSymbolRefAttr>("primal");
    if (!symbol || symbol.getValue() != primal)
      continue;
    description = found;
    return function;
  }
  return {};
}

static std::vector<int64_t> numbersOf(DictionaryAttr description, StringRef key) {
  auto list = description.getAs<DenseI64ArrayAttr>(key);
  return list ? list.asArrayRef().vec() : std::vector<int64_t>();
}

bool Derivatives::readPair(std::string &error) {
  DictionaryAttr description;
  backward = findDerived(*pairModule, "tt.adjoint", name, description);
  auto symbol = backward ? description.getAs<FlatSymbolRefAttr>("forward")
                         : FlatSymbolRefAttr();
  forward = symbol ? pairModule->lookupSymbol<func::FuncOp>(symbol.getValue())
                   : func::FuncOp();
  auto list = backward ? description.getAs<ArrayAttr>("residuals") : ArrayAttr();
  if (!forward || !list) {
    error = "tt-autodiff left no function with attribute tt.adjoint of @" + name;
    return false;
  }
  for (Attribute source : list)
    residuals.push_back(cast<StringAttr>(source).getValue().str());
  activeArguments = numbersOf(description, "active");
  liveResults = numbersOf(description, "live");
  return true;
}

/// No tangent passes the ops that have a reverse rule only; these ops.
static std::vector<Derivatives::ReverseOnly> cutReverseOnly(ModuleOp module) {
  std::vector<Derivatives::ReverseOnly> found;
  module.walk([&](Operation *op) {
    auto transform = dyn_cast<tt::GradTransformOp>(op);
    auto custom = dyn_cast<tt::CustomVjpOp>(op);
    if (!(transform && transform.getKind() == tt::GradTransformKind::Clip) &&
        !(custom && !custom.getJvpAttr()))
      return;
    found.push_back({op->getName().getStringRef().str(), tt::sourcePlace(op->getLoc())});
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(tt::StopGradientOp::create(builder, op->getLoc(), operand.get().getType(),
                                             operand.get()));
  });
  return found;
}

/// Where the pass fails, and would not without the ops that have no forward rule, there
/// is no tangent function and that is no error.
bool Derivatives::buildTangent(ModuleOp module, StringRef wrt, std::string &error) {
  tangentModule = cast<ModuleOp>(module->clone());
  if (runPass(*tangentModule, "jvp", wrt, error))
    return true;
  OwningOpRef<ModuleOp> cut = cast<ModuleOp>(module->clone());
  withoutTangent = cutReverseOnly(*cut);
  if (withoutTangent.empty() || !runPass(*cut, "jvp", wrt, error))
    return false;
  tangentModule = {};
  error.clear();
  return true;
}

bool Derivatives::readTangent(std::string &error) {
  DictionaryAttr description;
  tangent = findDerived(*tangentModule, "tt.tangent", name, description);
  if (!tangent) {
    error = "tt-autodiff left no function with attribute tt.tangent of @" + name;
    return false;
  }
  tangentArguments = numbersOf(description, "active");
  tangentResults = numbersOf(description, "results");
  return true;
}

bool Derivatives::build(ModuleOp module, func::FuncOp function, StringRef wrt,
                        std::string &error, const Hook &onPair,
                        const Hook &onTangent, bool allowUnreached) {
  this->allowUnreached = allowUnreached;
  name = function.getSymName().str();
  type = function.getFunctionType();
  numResults = function.getNumResults();
  pairModule = cast<ModuleOp>(module->clone());
  if (!runPass(*pairModule, "vjp", wrt, error) ||
      (onPair && !onPair(*pairModule, error)) || !buildTangent(module, wrt, error) ||
      !readPair(error))
    return false;
  return !tangentModule || ((!onTangent || onTangent(*tangentModule, error)) &&
                            readTangent(error));
}

static Tensor<double> zerosOf(Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  return Tensor<double>(Shape(shape.begin(), shape.end()));
}

bool Derivatives::pullBack(const Values &inputs, const Values &cotangents,
                           Values &result, std::string &error,
                           const Options &options) const {
  Outcome<double> saved =
      Interpreter<double>(*pairModule, options)
          .run(const_cast<func::FuncOp &>(forward).getSymName(), inputs);
  if (!saved.succeeded()) {
    error = saved.error;
    return false;
  }
  Values operands;
  for (StringRef source : residuals) {
    auto [kind, number] = source.split(':');
    unsigned i = 0;
    number.getAsInteger(10, i);
    operands.push_back(kind == "argument" ? inputs[i]
                       : kind == "result" ? saved.results[i]
                                          : saved.results[numResults + i]);
  }
  operands.insert(operands.end(), cotangents.begin(), cotangents.end());
  Outcome<double> outcome =
      Interpreter<double>(*pairModule, options)
          .run(const_cast<func::FuncOp &>(backward).getSymName(), operands);
  result = std::move(outcome.results);
  error = std::move(outcome.error);
  return error.empty();
}

bool Derivatives::pushForward(const Values &inputs, const Values &tangents,
                              Values &result, std::string &error,
                              const Options &options) const {
  if (!hasTangent()) {
    error = withoutTangent.front().place + ": error: '" + withoutTangent.front().op +
            "' op has no JVP rule";
    return false;
  }
  Values operands = inputs;
  for (int64_t i : tangentArguments) {
    auto found = llvm::find(activeArguments, i);
    operands.push_back(found == activeArguments.end()
                           ? zerosOf(type.getInput(i))
                           : tangents[found - activeArguments.begin()]);
  }
  Outcome<double> outcome =
      Interpreter<double>(*tangentModule, options)
          .run(const_cast<func::FuncOp &>(tangent).getSymName(), operands);
  if (!outcome.succeeded()) {
    error = outcome.error;
    return false;
  }
  result.clear();
  for (int64_t i : liveResults) {
    auto found = llvm::find(tangentResults, i);
    if (found == tangentResults.end())
      result.push_back(zerosOf(type.getResult(i)));
    else
      result.push_back(
          outcome.results[numResults + (found - tangentResults.begin())]);
  }
  return true;
}

bool Derivatives::primalResults(const Values &inputs, Values &ofForward,
                                Values &ofTangent, std::string &error) const {
  Values operands = inputs;
  for (int64_t i : tangentArguments)
    operands.push_back(zerosOf(type.getInput(i)));
  ofTangent.clear();
  for (auto [module, function, given, results] :
       {std::tuple(pairModule.get(), forward, &inputs, &ofForward),
        {tangentModule.get(), tangent, &operands, &ofTangent}}) {
    if (!module)
      continue;
    Outcome<double> outcome = Interpreter<double>(module).run(
        const_cast<func::FuncOp &>(function).getSymName(), *given);
    if (!outcome.succeeded()) {
      error = outcome.error;
      return false;
    }
    outcome.results.resize(numResults);
    *results = std::move(outcome.results);
  }
  return true;
}
