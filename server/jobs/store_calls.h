#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "server/base/error.h"
#include "server/jobs/job_store.h"
#include "server/jobs/text_memory.h"
#include "server/jobs/text_rows.h"

namespace server {

// Calls a function with the store, where that is used, and returns when it has ended. The store
// answers others between two such calls, so each has to be short.
using OnStore = std::function<void(const std::function<void(JobStore&)>& call)>;

// For who works on the thread of the store: a start, a command, a test.
OnStore directly(JobStore& store);

// The error of work that was stopped because its client has left.
Error work_stopped();

// Ends work on a text that cannot go on. It is caught in this folder, where the error becomes a
// value.
struct TextFailure {
  Error error{};
};

// Work on a text ends early if whoever waits for it leaves, or if there is no memory for it.
struct TextBounds {
  std::stop_token stop{};
  std::shared_ptr<TextMemory::Share> memory{};  // nullptr: it is not counted
};

// Reads a job's text, whatever its length, for work on a thread that is not the store's. Members
// make short calls of the store, and throw TextFailure: with the store's error, or with
// work_stopped().
class TextReader {
 public:
  TextReader(OnStore on_store, std::string job, TextBounds bounds)
      : on_store_(std::move(on_store)), job_(std::move(job)), bounds_(std::move(bounds)) {}

  // Calls `read` with the rows.
  void call(const ReadText& read) const;
  // Returns the first segments behind a place: none, if there are no more.
  std::vector<StoredSegment> slice(int version, double behind) const;
  void check_stop() const;
  // Takes memory for what is kept of the text. The errors are those of TextMemory.
  Result<void> take(std::size_t bytes) const;

 private:
  OnStore on_store_;
  std::string job_;
  TextBounds bounds_;
};

}  // namespace server
