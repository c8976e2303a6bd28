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
  std::string library_path{};  // folders that come before those of LD_LIBRARY_PATH: "/a:/b"
};

// The end of a child, and its output until then.
struct ChildEnd {
  std::string problem{};        // why no child could be started; empty: it was started
  bool hung = false;            // the child had not ended in time and was killed
  bool flooded = false;         // the child wrote too much and was killed
  std::optional<int> signal{};  // the signal that ended it, unless we killed it
  int exit_code = 0;            // valid where none of these is set
  std::string out{};
  std::string error_tail{};  // the last part of its standard error
};

// A process with no input and both outputs in pipes. It gets a process group of its own, so that
// processes that it starts are killed with it. It is never left behind: the destructor kills and
// reaps it.
class Child {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Child(const ChildCommand& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  // The descriptors to poll for reading; -1: closed. A child that could not be started has none.
  int out() const { return out_.get(); }
  int error() const { return error_.get(); }
  void read_out();
  void read_error();

  // Returns whether its standard output is still open; a child closes it when it has written
  // everything.
  bool talking() const { return static_cast<bool>(out_) && !end_.flooded; }

  // Waits a moment for the end of a child that has written everything; kills any other.
  ChildEnd finish();

 private:
  bool reap_until(Clock::time_point deadline);
  void kill_and_reap();

  pid_t pid_ = -1;  // -1: no child, or reaped
  UniqueFd out_{};
  UniqueFd error_{};
  ChildEnd end_{};
};

// Runs all commands in parallel and waits for them, each no longer than `limit`. The results are in
// the order of the commands.
std::vector<ChildEnd> run_children(const std::vector<ChildCommand>& commands,
                                   std::chrono::milliseconds limit);

}  // namespace platform
