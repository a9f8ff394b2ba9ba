// Standard output that remembers when it could not be written.
#ifndef TT_TRAINER_CONSOLE_H
#define TT_TRAINER_CONSOLE_H

#include <string>
#include <string_view>

namespace tt::trainer {

class Console {
public:
  explicit Console(int fd) : fd(fd) {}

  /// False from the first failed write on, with the reason in error().
  bool print(std::string_view text);
  bool hasFailed() const { return !text.empty(); }
  const std::string &error() const { return text; }

  bool isTerminal() const;
  /// Columns of the terminal; 80 if it does not say.
  unsigned width() const;

private:
  int fd;
  std::string text;
};

} // namespace tt::trainer
#endif
