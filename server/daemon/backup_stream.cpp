#include "server/daemon/backup_stream.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include "server/base/fair_calls.h"
#include "server/daemon/backup_reader.h"
#include "server/http/error_response.h"
#include "server/inputs/spool.h"
#include "server/jobs/job_queue.h"

namespace server {

namespace {

// Sets a flag for as long as this object lives.
class Flagged {
 public:
  explicit Flagged(bool& flag) : flag_(flag) { flag_ = true; }
  Flagged(const Flagged&) = delete;
  ~Flagged() { flag_ = false; }

 private:
  bool& flag_;
};

}  // namespace

asio::awaitable<void> BackupStream::send(Exchange& exchange) {
  if (exchange.method() == http::verb::head) {
    Response head{.content_type = "application/x-tar"};
    co_return co_await exchange.send(std::move(head));
  }
  if (is_running_) {
    auto refusal = error_response(Error{errc::backup_running, "Another backup is being taken.",
                                        "Try again when it has ended."});
    co_return co_await exchange.send(std::move(refusal));
  }
  const Flagged running(is_running_);
  if (services_.spool.room().disk_is_full()) {
    auto refusal = error_response(Error{errc::out_of_disk, "The disk is too full for a backup.",
                                        "Make room on the disk of the state folder first."});
    co_return co_await exchange.send(std::move(refusal));
  }
  auto copying = services_.jobs.copy(state_folder_ / backup_copy_name, state_folder_ / "inputs");
  auto copy = co_await std::move(copying);
  if (!copy) {
    auto refusal = error_response(copy.error());
    co_await exchange.send(std::move(refusal));
    co_return;
  }
  StoreCopy taken = *std::move(copy);
  co_await send_copy(exchange, std::move(taken));
}

asio::awaitable<void> BackupStream::send_copy(Exchange& exchange, StoreCopy copy) {
  const auto reader = std::make_shared<BackupReader>(std::move(copy), state_folder_ / "uploads");
  Response head{.content_type = "application/x-tar"};
  head.headers.emplace_back("content-disposition", "attachment; filename=\"scribed-backup.tar\"");
  co_await exchange.start_stream(std::move(head));
  while (true) {
    std::function<Result<std::string>(std::stop_token)> work = [reader](std::stop_token) {
      return reader->next();
    };
    auto reading = services_.disk.run(own_work, std::move(work));
    const auto piece = co_await std::move(reading);
    // The status is sent: only an answer without an end can say that it is not whole.
    if (!piece) throw std::runtime_error(piece.error().message);
    if (piece->empty()) co_return;
    const bool is_read = co_await exchange.write(*piece);
    if (!is_read) co_return;
  }
}

}  // namespace server
