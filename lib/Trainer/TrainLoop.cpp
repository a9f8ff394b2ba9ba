#include "tt/Trainer/TrainLoop.h"

#include "tt/Trainer/StopSignal.h"
#include "tt/runtime/AtomicFile.h"

#include <chrono>

using namespace tt::trainer;

std::optional<double> tt::trainer::evaluate(TrainModel &model,
                                            const EvalBatches &batches,
                                            bool canStop, std::string &error) {
  double sum = 0;
  int64_t numTargets = 0;
  Batch batch;
  for (int64_t i = 0; i < batches.count(); ++i) {
    if (canStop && isStopRequested())
      return std::nullopt;
    float loss;
    batches.fill(i, batch);
    if (!model.eval(batch, loss, error))
      return std::nullopt;
    sum += double(loss) * static_cast<double>(batch.numTargets);
    numTargets += batch.numTargets;
  }
  return sum / static_cast<double>(numTargets);
}

bool tt::trainer::writeFile(const std::string &path, std::string_view text,
                            std::string &error) {
  char message[4608] = ""; // a path and a reason
  runtime::ErrorText failure = {message, sizeof message};
  runtime::AtomicFile file;
  if (file.open(path.c_str(), failure) &&
      file.write(text.data(), text.size(), failure) && file.commit(failure))
    return true;
  error = message;
  return false;
}

TrainLoop::TrainLoop(const TrainContext &newContext, Checkpoint &checkpoint)
    : context(newContext), checkpoint(checkpoint),
      sampler(context.data.training(), context.model.trainShape(),
              static_cast<uint64_t>(context.settings.seed)),
      evalBatches(context.data.validation(), context.model.evalShape(),
                  context.settings.evalBatches),
      schedule(context.settings.makeSchedule()),
      progress(context.console, checkpoint.step, context.settings.steps,
               context.model.trainShape().batch *
                   context.model.trainShape().context) {}

bool TrainLoop::evaluateAt(int64_t step, LogRow &row, std::string &error) {
  int64_t every = context.settings.evalEvery;
  if (every == 0 || step % every != 0)
    return true;
  // Not to be stopped: the row must be the one of a run without a stop.
  std::optional<double> loss =
      evaluate(context.model, evalBatches, /*canStop=*/false, error);
  if (loss)
    row.validationLoss = static_cast<float>(*loss);
  return loss.has_value();
}

bool TrainLoop::takeStep(std::string &error) {
  int64_t step = checkpoint.step + 1;
  // Skipped steps have no number here: AdamW and the schedule never see them.
  int64_t update = checkpoint.numUpdates() + 1;
  auto start = std::chrono::steady_clock::now();
  sampler.fill(step, batch);
  StepResult result;
  LogRow row;
  row.step = step;
  row.learningRate = schedule.at(update);
  if (!context.model.step(batch, *row.learningRate, update,
                          context.settings.seed, result, error))
    return false;
  checkpoint.step = step;
  checkpoint.numSkipped += result.skipped != 0;
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  row.loss = result.loss;
  row.gradNorm = result.gradNorm;
  row.clip = result.clip;
  row.skipped = result.skipped;
  row.metrics = std::move(result.metrics);
  if (!evaluateAt(step, row, error))
    return false;
  progress.update(step, result.loss, row.validationLoss, seconds.count());
  return context.log.add(row, error) &&
         context.log.addTiming(
             step, seconds.count(),
             static_cast<double>(batch.numTargets) / seconds.count(), error);
}

bool TrainLoop::save(std::string &error) {
  // The log first: a checkpoint never knows more than its log.
  return context.log.sync(error) &&
         checkpoint.save(context.model, context.settings,
                         context.checkpointPath, error) &&
         writeFile(context.plotPath,
                   drawLossPlot(context.plot, context.log.rows()), error);
}

std::optional<StopReason> TrainLoop::reasonToStop(double seconds) const {
  if (context.console.hasFailed())
    return StopReason::Output;
  if (isStopRequested())
    return StopReason::Signal;
  if (checkpoint.step >= context.settings.steps)
    return StopReason::Finished;
  if (context.maxSeconds > 0 && seconds >= context.maxSeconds)
    return StopReason::TimeLimit;
  return std::nullopt;
}

bool TrainLoop::run(StopReason &reason, std::string &error) {
  auto start = std::chrono::steady_clock::now();
  if (checkpoint.step == 0 && context.settings.evalEvery > 0) {
    LogRow row;
    if (!evaluateAt(0, row, error) || !context.log.add(row, error))
      return false;
  }
  std::optional<StopReason> stop = reasonToStop(0);
  int64_t every = context.settings.checkpointEvery;
  while (!stop) {
    if (!takeStep(error)) {
      progress.finish();
      return false;
    }
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    stop = reasonToStop(seconds.count());
    if (!stop && every > 0 && checkpoint.step % every == 0 && !save(error)) {
      progress.finish();
      return false;
    }
  }
  progress.finish();
  reason = *stop;
  return save(error);
}
