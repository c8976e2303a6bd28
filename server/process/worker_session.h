#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/process/child_process.h"
#include "server/process/stderr_tail.h"
#include "server/process/worker.h"
#include "server/process/worker_jobs.h"
#include "server/process/worker_link.h"

namespace server {

// The state that a Worker and its coroutines share: one reads its messages, one sends while there
// is something to send, one counts the ticks in which it says nothing. They hold a reference each
// and end when the worker does, or when it is closed. Only Worker uses it.
class WorkerSession : public std::enable_shared_from_this<WorkerSession> {
 public:
  using Self = std::shared_ptr<WorkerSession>;

  WorkerSession(asio::any_io_executor executor, ChildProcess process, platform::UniqueFd socket,
                platform::UniqueFd stderr_pipe, WorkerLimits limits);

  // These functions do what those of Worker say. They take a reference, because a Worker may be
  // destroyed meanwhile.
  static asio::awaitable<Result<protocol::worker::Loaded>> load(Self self,
                                                                protocol::worker::Load load,
                                                                std::int64_t model_bytes);
  static asio::awaitable<Result<protocol::worker::BenchResult>> bench(
      Self self, protocol::worker::Bench bench);
  static asio::awaitable<Result<protocol::worker::Done>> transcribe(
      Self self, protocol::worker::Transcribe job, platform::UniqueFd pcm, JobListener listener);
  static asio::awaitable<void> stop(Self self);

  void close();
  void on_death(std::function<void(const Error&)> callback) { on_death_ = std::move(callback); }
  std::string last_words() { return stderr_.text(); }
  const protocol::DeviceUse& use() const { return use_; }
  bool usable() const { return !end_ && !has_gone_; }
  pid_t pid() const { return process_.pid(); }

 private:
  class JobGuard;

  struct Outgoing {
    protocol::worker::Message message{};
    platform::UniqueFd descriptor{};
  };

  // These are used before the worker has loaded: tell() sends a message, expect() waits for the
  // next one up to `limit`.
  asio::awaitable<Result<void>> tell(const protocol::worker::Message& message);
  asio::awaitable<Result<protocol::worker::Message>> expect(std::chrono::milliseconds limit,
                                                            const char* what);
  asio::awaitable<Result<void>> greet();
  asio::awaitable<Result<protocol::worker::Loaded>> greet_and_load(protocol::worker::Load load,
                                                                   std::int64_t model_bytes);
  asio::awaitable<Error> death();  // waits for the worker's end and returns why it is gone

  // These run once the worker has loaded.
  static asio::awaitable<void> read(Self self);
  static asio::awaitable<void> write(Self self);
  static asio::awaitable<void> watch(Self self);
  void take(protocol::worker::Message message);
  void count_tick();
  SendWish wishes_of(const WorkerJob& job);
  void send(protocol::worker::Message message,
            platform::UniqueFd descriptor = platform::UniqueFd());
  void die(Error why);
  void end(Error why);
  // A worker that has gone by itself was not unloaded, though it is not known yet how it ended.
  Error why_closed() const;

  asio::any_io_executor executor_;
  WorkerLimits limits_;
  ChildProcess process_;
  StderrTail stderr_;
  WorkerLink link_;
  WorkerJobs jobs_;
  asio::steady_timer tick_;
  long long kills_before_;           // out_of_memory_kills() when the worker started
  std::deque<Outgoing> outgoing_{};  // two for a job, its wishes, and one ping
  bool is_writing_ = false;
  std::uint64_t pings_ = 0;
  bool owes_pong_ = false;
  // The worker's silence, counted in ticks: since its last message, or since the ping whose answer
  // it owes.
  std::chrono::milliseconds silence_{0};
  bool has_gone_ = false;  // the process has ended, but it is not yet known how
  protocol::DeviceUse use_{};
  std::optional<Error> end_{};  // why the worker cannot be used any more
  std::function<void(const Error&)> on_death_{};
};

}  // namespace server
