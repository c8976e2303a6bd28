#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "server/base/error.h"
#include "server/jobs/job_store.h"
#include "server/jobs/run_write.h"

namespace server {

namespace asio = boost::asio;

// The writes of all runs of this daemon. A write waits for the disk or for the database; those that
// come meanwhile go together in the next one. It is used on the executor's thread.
class RunWrites {
 public:
  // Writes some at once. The answers are in their order.
  using WriteAll =
      std::function<asio::awaitable<std::vector<Result<void>>>(std::vector<RunWrite> writes)>;

  RunWrites(asio::any_io_executor executor, WriteAll write_all)
      : executor_(std::move(executor)), write_all_(std::move(write_all)) {}

  // Writes for one run, which has no other write under way. Whoever is cancelled meanwhile still
  // gets the answer. Throws what the write of all has thrown.
  asio::awaitable<Result<void>> write(RunWrite one);

 private:
  struct Batch {
    explicit Batch(const asio::any_io_executor& executor)
        : done(executor, asio::steady_timer::time_point::max()) {}

    std::vector<RunWrite> writes{};
    std::vector<Result<void>> answers{};
    std::exception_ptr failure{};  // in the place of answers
    bool is_done = false;          // there is one of the two
    asio::steady_timer done;       // cancelled then
  };

  asio::awaitable<void> write_batches();

  asio::any_io_executor executor_;
  WriteAll write_all_;
  std::shared_ptr<Batch> next_{};  // not begun yet
  bool is_writing_ = false;
};

// Writes for several runs in one transaction, or each alone where the store refused that: one of
// them may be at fault. It runs on the store's thread.
std::vector<Result<void>> write_together(JobStore& store, std::span<const RunWrite> writes);

}  // namespace server
