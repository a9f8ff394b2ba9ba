#include "Compile.h"

#include "tt/Frontend/Dropout.h"
#include "tt/Frontend/GraphBuilder.h"
#include "tt/Frontend/Models.h"
#include "tt/Support/Escape.h"
#include "tt/Trainer/TrainLoop.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <filesystem>

using namespace tt;

bool importModel(const ModelSource &source, trainer::Console &console,
                 std::string &mlir, std::string &error) {
  auto json = support::JsonDocument::load(source.config, error);
  if (!json)
    return false;
  std::vector<std::string> warnings;
  auto config = frontend::readModelConfig(
      *json, error, warnings,
      source.ignoreUnknown ? frontend::UnknownKeys::Ignore : frontend::UnknownKeys::Refuse);
  if (!config)
    return false;
  for (const std::string &warning : warnings)
    console.print("import  warning: " + support::escapeTerminal(warning) +
                  "\n");
  std::string note;
  if (!frontend::applyDropout(source.dropout, *config, note, error))
    return false;
  if (!note.empty())
    console.print("import  note: " + note + "\n");
  frontend::EntryShape shape;
  shape.batch = source.batch;
  shape.seq = source.context;
  if (!frontend::checkEntryShape(*config, shape, error))
    return false;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = frontend::buildModel(&context, *config, shape,
                                     frontend::defaultPrefix(*config));
  if (mlir::failed(mlir::verify(*module))) {
    error = "the built module does not verify; please report this";
    return false;
  }
  mlir = source.directory + "/model.mlir";
  return trainer::writeFile(mlir, frontend::printModule(*module), error);
}
