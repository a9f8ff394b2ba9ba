//===- matmul_bench.cpp - Times matmul kernels on demand ------------------===//
//
// Driven through stdin, so that matmul_bench.py can interleave it with a peer
// in another process:
//   shape NN 1024 768 768 [key=value ...]   compile; answers compile seconds
//   run 0.05                                repeat for so long; answers the
//                                           best and the mean seconds per call
// Keys override fields of the schedule. Arguments: threads, isa (3 or 4).
//
//===----------------------------------------------------------------------===//
#include "KernelRunner.h"
#include "mlir/IR/MLIRContext.h"
#include "tt/Lowering/CPU/Matmul.h"
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <functional>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

using namespace tt::cpu;
using namespace mlir;

namespace {

/// Fork and join with dynamic tickets; idle workers spin for a while only.
class Pool {
public:
  explicit Pool(unsigned count) {
    for (unsigned i = 1; i < count; ++i)
      threads.emplace_back([this, i] { loop(i); });
  }
  ~Pool() {
    stop = true;
    {
      std::lock_guard<std::mutex> lock(mutex);
      ++generation;
    }
    wake.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }
  template <typename F> void run(int64_t count, F &&function) {
    if (threads.empty() || count == 1) {
      for (int64_t task = 0; task < count; ++task)
        function(task, 0);
      return;
    }
    work = [&](unsigned worker) {
      for (int64_t task; (task = next.fetch_add(1)) < count;)
        function(task, worker);
    };
    next = 0;
    busy = threads.size();
    {
      std::lock_guard<std::mutex> lock(mutex);
      ++generation;
    }
    wake.notify_all();
    work(0);
    while (busy.load(std::memory_order_acquire))
      __builtin_ia32_pause();
  }

private:
  void loop(unsigned worker) {
    for (int64_t seen = 0;;) {
      for (int spin = 0; spin < 50000 && generation == seen; ++spin)
        __builtin_ia32_pause();
      if (generation == seen) {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, [&] { return generation != seen; });
      }
      seen = generation;
      if (stop)
        return;
      work(worker);
      busy.fetch_sub(1, std::memory_order_release);
    }
  }
  std::vector<std::thread> threads;
  std::function<void(unsigned)> work;
  std::atomic<int64_t> next{0}, generation{0};
  std::atomic<size_t> busy{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable wake;
};

/// One compiled product with its operands.
struct Case {
  MatmulSpec spec;
  std::unique_ptr<LoadedKernel> loaded;
  FloatBuffer a{0}, b{0}, c{0}, shared{0};
  std::vector<FloatBuffer> workers;
};

void applyOverride(MatmulSchedule &schedule, const std::string &text) {
  size_t equals = text.find('=');
  std::string key = text.substr(0, equals);
  int64_t value = std::stoll(text.substr(equals + 1));
  if (key == "packA")
    schedule.packA = value;
  else if (key == "packB")
    schedule.packB = value;
  else if (key == "tileRows")
    schedule.tileRows = value;
  else if (key == "tileVectors")
    schedule.tileVectors = value;
  else if (key == "chunks")
    schedule.chunks = value;
  else if (key == "superRows")
    schedule.superRows = value;
  else if (key == "superColumns")
    schedule.superColumns = value;
  else if (key == "taskRows")
    schedule.taskRows = value;
  else if (key == "taskColumns")
    schedule.taskColumns = value;
  else
    std::cerr << "unknown key " << key << "\n";
}

Case makeCase(MLIRContext &context, std::istringstream &line,
              const Target &target, unsigned threads) {
  Case result;
  MatmulSpec &spec = result.spec;
  std::string layout, option;
  line >> layout >> spec.m >> spec.n >> spec.k;
  bool ta = layout[0] == 'T', tb = layout[1] == 'T';
  spec.aRow = ta ? 1 : spec.k;
  spec.aCol = ta ? spec.m : 1;
  spec.bRow = tb ? 1 : spec.n;
  spec.bCol = tb ? spec.k : 1;
  spec.outputs.push_back({2, {}, spec.m * spec.n, spec.n});
  MatmulSchedule schedule = chooseMatmulSchedule(spec, target);
  while (line >> option)
    applyOverride(schedule, option);

  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
  EmittedKernel kernel = emitMatmul(*module, module->getLoc(), "mm", target,
                                    spec, nullptr, schedule);
  result.loaded = std::make_unique<LoadedKernel>(*module, target, kernel);
  auto filled = [](int64_t count) {
    FloatBuffer buffer(count);
    for (int64_t i = 0; i < count; ++i)
      buffer[i] = float(i % 17) * 0.25f - 2.0f;
    return buffer;
  };
  result.a = filled(spec.m * spec.k);
  result.b = filled(spec.n * spec.k);
  result.c = filled(spec.m * spec.n);
  result.shared = filled(kernel.sharedBytes / sizeof(float) + 16);
  for (unsigned i = 0; i < threads; ++i)
    result.workers.push_back(filled(kernel.workerBytes / sizeof(float) + 16));
  return result;
}

void runOnce(const Case &item, Pool &pool) {
  char *operands[] = {reinterpret_cast<char *>(item.a.data()),
                      reinterpret_cast<char *>(item.b.data()),
                      reinterpret_cast<char *>(item.c.data())};
  char *shared = reinterpret_cast<char *>(item.shared.data());
  const EmittedKernel &kernel = item.loaded->kernel();
  for (int64_t iteration = 0; iteration < kernel.repeat; ++iteration)
    for (size_t phase = 0; phase < kernel.phases.size(); ++phase) {
      tt_kernel_fn function = item.loaded->function(phase);
      pool.run(kernel.phases[phase].tasks, [&](int64_t task, unsigned worker) {
        function(operands, task, iteration, shared,
                 reinterpret_cast<char *>(item.workers[worker].data()));
      });
    }
}

/// Wall time; one thread is timed by its CPU time, which a busy machine
/// disturbs less.
double now(unsigned threads) {
  timespec time;
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC,
                &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

} // namespace

int main(int argc, char **argv) {
  unsigned threads = argc > 1 ? std::atoi(argv[1]) : 1;
  const Target &target =
      getTarget(argc > 2 && std::atoi(argv[2]) == 3 ? TT_ISA_V3 : TT_ISA_V4);
  DialectRegistry registry;
  registerKernelDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  context.disableMultithreading();
  Pool pool(threads);
  Case item;
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    std::string command;
    line >> command;
    if (command == "shape") {
      item = makeCase(context, line, target, threads);
      if (!item.loaded->error().empty()) {
        std::cerr << item.loaded->error() << "\n";
        return 1;
      }
      runOnce(item, pool);
      std::cout << item.loaded->compileSeconds() << std::endl;
    } else if (command == "run") {
      double budget = 0, best = 1e30;
      line >> budget;
      double start = now(threads), last = start;
      int64_t calls = 0;
      do {
        runOnce(item, pool);
        double end = now(threads);
        best = std::min(best, end - last);
        last = end;
        ++calls;
      } while (last - start < budget);
      std::cout << best << " " << (last - start) / calls << std::endl;
    }
  }
  return 0;
}
