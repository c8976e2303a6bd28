#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/unique_fd.h"

namespace platform {

struct ChildCommand {
  std::filesystem::path program{};
  std::vector<std::string> arguments{};
};

// How a child ended, and what it said until then.
struct ChildEnd {
  std::string problem{};        // why there was no child at all; empty: there was
  bool hung = false;            // it had not ended in time and was killed
  bool flooded = false;         // it said more than anyone would and was killed
  std::optional<int> signal{};  // that ended it, unless it was killed from here
  int exit_code = 0;            // where neither of these is set
  std::string out{};
  std::string error_tail{};  // the last part of its standard error
};

// One process, with no input and both outputs in pipes. It gets a process group of its own, so that
// what it starts is killed with it. Never left behind: the destructor kills and reaps it.
class Child {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Child(const ChildCommand& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  // Descriptors to poll for reading; -1: closed. A child that could not be started has none.
  int out() const { return out_.get(); }
  int error() const { return error_.get(); }
  void read_out();
  void read_error();

  // True until its standard output has ended, which is how it says that it has said everything.
  bool talking() const { return static_cast<bool>(out_) && !end_.flooded; }

  // Waits a moment for the end of a child that has said everything; kills any other.
  ChildEnd finish();

 private:
  bool reap_until(Clock::time_point deadline);
  void kill_and_reap();

  pid_t pid_ = -1;  // -1: none, or reaped
  UniqueFd out_{};
  UniqueFd error_{};
  ChildEnd end_{};
};

// Runs all of them side by side and waits for them, each no longer than `limit`. The answers are in
// the order of the commands.
std::vector<ChildEnd> run_children(const std::vector<ChildCommand>& commands,
                                   std::chrono::milliseconds limit);

}  // namespace platform
