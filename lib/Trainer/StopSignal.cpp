#include "tt/Trainer/StopSignal.h"

#include <csignal>

using namespace tt::trainer;

static volatile std::sig_atomic_t stopRequested = 0;

static void requestStop(int) { stopRequested = 1; }

void tt::trainer::catchStopSignals() {
  struct sigaction action = {};
  action.sa_handler = requestStop;
  // The default comes back with the first signal, so that a second one works
  // even if we hang.
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool tt::trainer::isStopRequested() { return stopRequested != 0; }

void tt::trainer::ignoreWriteSignals() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}
