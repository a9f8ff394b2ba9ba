// Ctrl-C as a request.
#ifndef TT_TRAINER_STOPSIGNAL_H
#define TT_TRAINER_STOPSIGNAL_H

namespace tt::trainer {

/// From here on the first SIGINT or SIGTERM is a request that the loop answers
/// at the end of its step; a second one ends the process at once.
void catchStopSignals();
bool isStopRequested();

/// A full disk, a file-size limit and a closed pipe become errors of the write
/// instead of signals.
void ignoreWriteSignals();

} // namespace tt::trainer
#endif
