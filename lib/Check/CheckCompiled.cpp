//===- CheckCompiled.cpp - Compiled code against the interpreter ----------===//
#include "tt/Check/CheckCompiled.h"
#include "BuildEntries.h"

#include "tt/Check/FunctionInputs.h"
#include "tt/Check/LibraryRun.h"
#include "tt/IR/NarrowFloat.h"
#include "tt/IR/SourcePlace.h"
#include "tt/IR/TTDialect.h"
#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/Target.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Reference/SizeCheck.h"
#include "tt/runtime/ModelTable.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace tt;
using namespace tt::check;

LibraryFolder::LibraryFolder() {
  llvm::SmallString<128> folder;
  if (!llvm::sys::fs::createUniqueDirectory("tt-check", folder))
    path = folder.str().str();
}
LibraryFolder::~LibraryFolder() {
  if (!path.empty())
    llvm::sys::fs::remove_directories(path);
}
std::string LibraryFolder::newName() { return path + "/m" + std::to_string(counter++); }

void tt::check::roundToTypes(func::FuncOp function, std::vector<HostTensor> &inputs) {
  for (auto [type, input] : llvm::zip(function.getArgumentTypes(), inputs)) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (!element || !input.isFloat())
      continue;
    for (double &x : input.floats().data)
      x = narrowTo(element, llvm::APFloat(x)).convertToDouble();
  }
}

namespace {
/// One way to compile; the ways to run it follow from the library.
struct Way {
  std::string name;
  CompileOptions options;
  std::vector<uint32_t> threads;
  bool everyLevel = false;
};

/// One entry (values or gradients) in all ways.
class EntryCheck {
public:
  EntryCheck(StringRef entry, const CompiledCheckOptions &options, LibraryFolder &folder,
             CompiledReport &report)
      : entry(entry), options(options), folder(folder), report(report) {}

  using Build = llvm::function_ref<OwningOpRef<ModuleOp>(const CompileOptions &,
                                                         std::string &)>;
  void run(Build build, ArrayRef<Way> ways, std::vector<HostTensor> inputs);

private:
  bool addCotangents(func::FuncOp function, std::vector<HostTensor> &inputs);
  bool prepare(ModuleOp module, std::vector<HostTensor> &inputs);
  void runWay(Build build, const Way &way);
  void runLibrary(std::shared_ptr<const runtime::Library> library, const Way &way,
                  uint32_t level, uint32_t threads);
  void compareFirst(const std::vector<NamedTensor> &found);
  CheckedWay sameBits(const std::vector<NamedTensor> &found) const;
  void fail(const std::string &text) {
    if (report.error.empty())
      report.error = text;
  }

  StringRef entry;
  const CompiledCheckOptions &options;
  LibraryFolder &folder;
  CompiledReport &report;
  std::map<std::string, HostTensor> values; // by input name
  std::vector<Expectation> expected;
  std::vector<NamedTensor> first;
};
} // namespace

/// Appends the given cotangents, or random ones, to the arguments.
bool EntryCheck::addCotangents(func::FuncOp function, std::vector<HostTensor> &inputs) {
  size_t wanted = function.getNumArguments() - inputs.size();
  if (wanted && !options.cotangents.empty()) {
    if (options.cotangents.size() != wanted) {
      fail("error: expected " + std::to_string(wanted) + " cotangents, but got " +
           std::to_string(options.cotangents.size()));
      return false;
    }
    llvm::append_range(inputs, options.cotangents);
    return true;
  }
  reference::Random random(options.seed + 0x5eed);
  for (unsigned i = inputs.size(); i < function.getNumArguments(); ++i) {
    auto type = cast<RankedTensorType>(function.getArgumentTypes()[i]);
    reference::Tensor<double> cotangent(
        reference::Shape(type.getShape().begin(), type.getShape().end()));
    for (double &x : cotangent.data)
      x = random.between(-1, 1);
    inputs.push_back(std::move(cotangent));
  }
  return true;
}

/// Cotangents, and what the interpreter says.
bool EntryCheck::prepare(ModuleOp module, std::vector<HostTensor> &inputs) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!addCotangents(function, inputs))
    return false;
  roundToTypes(function, inputs);
  for (auto [i, input] : llvm::enumerate(inputs))
    values[function.getArgAttrOfType<StringAttr>(i, kInputAttr).str()] = input;
  std::string error;
  if (!expect(module, entry, inputs, options.seed, expected, error)) {
    fail(error);
    return false;
  }
  for (auto [i, result] : llvm::enumerate(expected))
    result.name = function.getResultAttrOfType<StringAttr>(i, kOutputAttr).str();
  return true;
}

void EntryCheck::run(Build build, ArrayRef<Way> ways, std::vector<HostTensor> inputs) {
  std::string error;
  OwningOpRef<ModuleOp> module = build(ways[0].options, error);
  if (!module)
    return fail(error);
  if (!prepare(*module, inputs))
    return;
  for (const Way &way : ways)
    if (report.error.empty())
      runWay(build, way);
}

void EntryCheck::runWay(Build build, const Way &way) {
  if (options.progress)
    options.progress((entry == kValuesEntry ? "values: " : "gradients: ") + way.name);
  std::string error;
  OwningOpRef<ModuleOp> module = build(way.options, error);
  CompileOptions compile = way.options;
  compile.output = folder.newName();
  compile.objects = options.objects;
  if (module && options.onModule)
    options.onModule(*module, compile);
  CompileResult result;
  if (!module || !compileEntries(*module, {entry.str()}, compile, result, error))
    return fail(error);
  auto library = runtime::Library::open(result.library, error);
  if (!library)
    return fail(error);
  for (uint32_t level : {3u, 4u}) {
    bool isThere = library->desc()->isa_mask & (1u << (level == 3 ? TT_ISA_V3 : TT_ISA_V4));
    if (!isThere || (level == 4 && !way.everyLevel))
      continue;
    if (level == 4 && !cpu::hostSupports(cpu::getTarget(TT_ISA_V4))) {
      report.notes.push_back("x86-64-v4 is not checked: this CPU lacks it");
      continue;
    }
    for (uint32_t threads : way.threads)
      if (report.error.empty())
        runLibrary(library, way, level, threads);
  }
}

void EntryCheck::runLibrary(std::shared_ptr<const runtime::Library> library, const Way &way,
                            uint32_t level, uint32_t threads) {
  std::string name = (entry == kValuesEntry ? "values, " : "gradients, ") + way.name + ", v" +
                     std::to_string(level) + ", " + std::to_string(threads) +
                     (threads == 1 ? " thread" : " threads");
  runtime::ModelOptions bind;
  bind.threads = threads;
  bind.isaLevel = level;
  std::string error;
  auto run = LibraryRun::bind(library, "compiled " + name, bind, error);
  std::vector<NamedTensor> found;
  if (!run || !run->call(*library->findEntry(entry.str()), values, found, error))
    return fail("error: " + error);
  if (first.empty()) {
    compareFirst(found);
    first = std::move(found);
    return;
  }
  CheckedWay checked = sameBits(found);
  checked.name = name;
  report.ways.push_back(std::move(checked));
}

void EntryCheck::compareFirst(const std::vector<NamedTensor> &found) {
  double floor = entry == kGradientsEntry ? gradientFloor(expected) : 0;
  std::vector<HostTensor> decoded;
  for (auto [wanted, have] : llvm::zip_equal(expected, found)) {
    decoded.push_back(decode(have.value));
    report.rows.push_back(compare(wanted, decoded.back(), floor));
  }
  if (options.onFirst)
    options.onFirst({values, expected, decoded});
}

CheckedWay EntryCheck::sameBits(const std::vector<NamedTensor> &found) const {
  CheckedWay way;
  way.passed = true;
  for (auto [a, b] : llvm::zip_equal(first, found)) {
    const std::vector<char> &x = a.value.bytes, &y = b.value.bytes;
    if (std::memcmp(x.data(), y.data(), x.size()) == 0 || !way.passed)
      continue;
    size_t i = std::mismatch(x.begin(), x.end(), y.begin()).first - x.begin();
    unsigned width = runtime::safetensorsDtypeBytes(a.value.dtype);
    way.passed = false;
    way.note = a.name + " differs at " + positionText(a.value.shape, i / width);
  }
  return way;
}

/// For many programs: what differs most from the default in one way.
static std::vector<Way> quickWays(const std::string &file) {
  CompileOptions plain;
  plain.input = file;
  plain.target = "cpu:x86-64-v3";
  std::vector<Way> ways = {{"fused", plain, {1}}, {"unfused, other schedule, full", plain, {2}}};
  ways.back().options.fuse = false;
  ways.back().options.schedule = "alternate";
  ways.back().options.checkpoint = "full";
  return ways;
}

/// The same for both entries; checkpoint policies only change gradients.
static std::vector<Way> waysOf(const std::string &file, bool gradients) {
  CompileOptions plain;
  plain.input = file;
  std::vector<Way> ways = {{"fused", plain, {1, 2, 4}, /*everyLevel=*/true}};
  ways.push_back({"unfused", plain, {2}});
  ways.back().options.fuse = false;
  ways.push_back({"other schedule", plain, {2}});
  ways.back().options.schedule = "alternate";
  for (const char *policy : {"full", "sqrt"}) {
    if (!gradients)
      break;
    ways.push_back({std::string("checkpoint ") + policy, plain, {2}});
    ways.back().options.checkpoint = policy;
  }
  // One level is enough where all levels have been held against each other.
  for (size_t i = 1; i < ways.size(); ++i)
    ways[i].options.target = "cpu:x86-64-v3";
  return ways;
}

/// "result 1 (loss)" for the name in the entry and the role in the function.
static void nameRows(func::FuncOp function, CompiledReport &report) {
  for (Comparison &row : report.rows) {
    StringRef name = row.name;
    bool isResult = name.consume_front("result");
    unsigned i = 0;
    if (!isResult && !name.consume_front("d_arg"))
      continue;
    if (name.getAsInteger(10, i))
      continue;
    std::string role = isResult ? resultName(function, i) : argumentName(function, i);
    if (role != (isResult ? "result" : "arg") + std::to_string(i))
      row.name += " (" + role + ")";
  }
}

CompiledReport tt::check::checkCompiled(func::FuncOp function,
                                        const CompiledCheckOptions &options) {
  CompiledReport report;
  report.error = reference::checkSizes(function);
  if (!report.error.empty())
    return report;
  if (function.getNumResults() == 0) {
    report.error = sourcePlace(function.getLoc()) +
                   ": error: expected results to compare, but @" +
                   function.getSymName().str() + " has none";
    return report;
  }
  std::vector<HostTensor> inputs = options.inputs;
  reference::Random random(options.seed);
  if (inputs.empty())
    inputs = reference::randomInputs(function, random);
  std::string file;
  if (auto place = function.getLoc()->findInstanceOf<FileLineColLoc>())
    file = place.getFilename().str();
  LibraryFolder folder;
  EntryCheck(kValuesEntry, options, folder, report)
      .run([&](const CompileOptions &, std::string &error) {
             return buildValuesEntry(function, error);
           },
           options.quick ? quickWays(file) : waysOf(file, false), inputs);
  if (!options.gradients || !report.error.empty()) {
    nameRows(function, report);
    return report;
  }
  std::string reason;
  if (!buildGradientsEntry(function, waysOf(file, true)[0].options, reason)) {
    report.notes.push_back("no gradients are checked: " + reason);
    nameRows(function, report);
    return report;
  }
  EntryCheck(kGradientsEntry, options, folder, report)
      .run([&](const CompileOptions &compile, std::string &error) {
             return buildGradientsEntry(function, compile, error);
           },
           options.quick ? quickWays(file) : waysOf(file, true), inputs);
  nameRows(function, report);
  return report;
}

bool CompiledReport::passed() const {
  auto isPassed = [](const auto &row) { return row.passed; };
  auto isVoid = [](const Comparison &row) { return row.comparesNothing; };
  return error.empty() && !rows.empty() && llvm::all_of(rows, isPassed) &&
         llvm::none_of(rows, isVoid) && llvm::all_of(ways, isPassed);
}

std::string CompiledReport::table() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  size_t width = 8;
  for (const Comparison &row : rows)
    width = std::max(width, row.name.size());
  out << llvm::left_justify("compiled", width)
      << "  error         bound        worst element\n";
  for (const Comparison &row : rows) {
    out << llvm::left_justify(row.name, width) << "  " << llvm::format("%-10.2e", row.error)
        << " <= " << llvm::format("%-10.2e", row.bound) << " "
        << llvm::format("%.7g", row.found) << " for " << llvm::format("%.7g", row.wanted)
        << (row.passed && !row.comparesNothing ? "  pass" : "  FAIL");
    if (!row.note.empty())
      out << "  (" << row.note << (row.comparesNothing ? ": nothing is compared" : "") << ")";
    out << "\n";
  }
  for (const CheckedWay &way : ways)
    out << "same bits: " << way.name << (way.passed ? "  pass" : "  FAIL: " + way.note) << "\n";
  for (const std::string &note : notes)
    out << "note: " << note << "\n";
  return text;
}
