// Whether a file is a whole shared object.
#ifndef TT_TRAINER_LIBRARYFILE_H
#define TT_TRAINER_LIBRARYFILE_H

#include <string>

namespace tt::trainer {

/// The loader maps what a library's table of segments says and dies with
/// SIGBUS where a cut file does not reach. This looks first: an ELF file for
/// this kind of machine with all of its segments. No protection from a file
/// that was made to harm: opening a library runs its code.
bool checkLibraryFile(const std::string &path, std::string &error);

} // namespace tt::trainer
#endif
