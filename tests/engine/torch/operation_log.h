#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

// An operation of libtorch that a piece of work asked for.
struct LoggedOperation {
  std::string name;  // "aten::mm"
  // Numbers, sizes, and the addresses of memory that was there before the work; empty for what runs
  // inside another operation.
  std::string inputs;
  int depth = 0;  // 0: the work asked for it; else it ran inside the last one before it with less

  bool operator==(const LoggedOperation&) const = default;
};

// Returns how many operations a device would be told to compute: those that have none inside, and
// are more than a view or memory, which are the host's.
int computations(std::span<const LoggedOperation> operations);

// Writes down the operations of this thread while it lives. Two logs of one piece of work are equal
// only if all its operations have the same numbers, sizes, and memory: what a device replays.
class OperationLog {
 public:
  OperationLog();
  OperationLog(const OperationLog&) = delete;
  ~OperationLog();

  const std::vector<LoggedOperation>& operations() const;

 private:
  struct Notes;
  std::unique_ptr<Notes> notes_;
};
