#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

// An operation of libtorch that a piece of work asked for.
struct LoggedOperation {
  std::string name;  // "aten::mm"
  // Numbers, sizes, and the addresses of memory that was there before the work; empty for what runs
  // inside another operation.
  std::string inputs;
  bool is_leaf = true;  // no other operation ran inside

  bool operator==(const LoggedOperation&) const = default;
};

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
