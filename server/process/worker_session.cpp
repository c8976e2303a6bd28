#include "server/process/worker_session.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <utility>

#include "protocol/decoding_rows.h"
#include "protocol/worker_contract.h"
#include "server/base/race.h"

namespace server {
namespace {

namespace wire = protocol::worker;
using std::chrono::milliseconds;

constexpr milliseconds send_limit{10'000};
constexpr milliseconds worker_exit_grace{2'000};

double seconds(milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

// Makes the error for bytes that are no message. The stream cannot be read on after them.
Error nonsense(Error error) {
  error.message = "scribed-worker sent something that is no message: " + error.message;
  return error;
}

Error unexpected(const char* what) {
  return {protocol::bad_message,
          fmt::format("scribed-worker sent an unexpected message instead of {}", what),
          "scribed and scribed-worker must come from the same installation."};
}

Error hung(std::string message) {
  return {errc::worker_hung, std::move(message), "If it happens again, please report it."};
}

// Returns whether a message ends the worker: a device that failed once fails every later job of its
// process.
bool ends_the_worker(const wire::Message& message) {
  const auto* failed = std::get_if<wire::Failed>(&message);
  return failed && (!failed->job || failed->error.code == errc::device_unavailable);
}

}  // namespace

// Holds the place of a job while somebody waits for it, and cancels the job when the caller leaves.
class WorkerSession::JobGuard {
 public:
  JobGuard(WorkerSession& session, const WorkerJob& job) : session_(session), job_(job) {}
  JobGuard(const JobGuard&) = delete;
  ~JobGuard() {
    if (session_.jobs_.leave(job_)) session_.send(wire::Cancel{job_.id});
  }

 private:
  WorkerSession& session_;
  const WorkerJob& job_;
};

WorkerSession::WorkerSession(asio::any_io_executor executor, ChildProcess process,
                             platform::UniqueFd socket, platform::UniqueFd stderr_pipe,
                             WorkerLimits limits)
    : executor_(executor),
      limits_(limits),
      process_(std::move(process)),
      stderr_(executor, std::move(stderr_pipe)),
      link_(executor, std::move(socket)),
      jobs_(executor),
      tick_(executor),
      kills_before_(out_of_memory_kills()) {}

asio::awaitable<Error> WorkerSession::death() {
  has_gone_ = true;
  const ExitStatus status = co_await process_.exited_within(worker_exit_grace);
  Error error{errc::worker_died, "scribed-worker " + describe(status), ""};
  if (status.signal == SIGKILL && out_of_memory_kills() > kills_before_) {
    error.code = errc::out_of_memory;
    error.message += " because memory ran out";
    error.fix = "Use a smaller model or --compute-type bfloat16, or close other programs.";
  } else if (status.signal) {
    error.fix = "What was transcribed until then is kept. If it happens again, please report it.";
  }
  co_return error;
}

asio::awaitable<Result<void>> WorkerSession::tell(const wire::Message& message) {
  const auto sent = co_await within(send_limit, link_.send(message));
  if (!sent) co_return hung("scribed-worker does not read its messages");
  if (!*sent) co_return co_await death();
  co_return Result<void>{};
}

asio::awaitable<Result<wire::Message>> WorkerSession::expect(milliseconds limit, const char* what) {
  auto received = co_await within(limit, link_.receive());
  if (!received) {
    co_return hung(
        fmt::format("scribed-worker did not send {} within {:.0f} s", what, seconds(limit)));
  }
  if (!*received) co_return nonsense(received->error());
  if (!**received) co_return co_await death();
  co_return std::move(***received);
}

asio::awaitable<Result<void>> WorkerSession::greet() {
  const auto greeting = co_await expect(limits_.hello, "its greeting");
  if (!greeting) co_return greeting.error();
  const auto* hello = std::get_if<wire::Hello>(&*greeting);
  if (!hello) co_return unexpected("its greeting");
  if (const auto same = wire::check_version(*hello); !same) co_return same.error();
  co_return Result<void>{};
}

asio::awaitable<Result<wire::BenchResult>> WorkerSession::bench(Self self, wire::Bench bench) {
  const auto greeted = co_await self->greet();
  if (!greeted) co_return greeted.error();
  const wire::Message message = std::move(bench);
  const auto sent = co_await self->tell(message);
  if (!sent) co_return sent.error();
  const auto answer = co_await self->expect(self->limits_.bench, "its figures");
  if (!answer) co_return answer.error();
  if (const auto* failed = std::get_if<wire::Failed>(&*answer)) co_return failed->error;
  if (const auto* result = std::get_if<wire::BenchResult>(&*answer)) co_return *result;
  co_return unexpected("its figures");
}

asio::awaitable<Result<wire::Loaded>> WorkerSession::greet_and_load(wire::Load load,
                                                                    std::int64_t model_bytes) {
  const auto greeted = co_await greet();
  if (!greeted) co_return greeted.error();
  const wire::Message message = std::move(load);
  const auto sent = co_await tell(message);
  if (!sent) co_return sent.error();
  const milliseconds by_size(model_bytes * 1000 / limits_.load_bytes_per_second);
  const auto answer = co_await expect(limits_.load + by_size, "the end of loading");
  if (!answer) co_return answer.error();
  if (const auto* failed = std::get_if<wire::Failed>(&*answer)) co_return failed->error;
  const auto* loaded = std::get_if<wire::Loaded>(&*answer);
  if (!loaded) co_return unexpected("the end of loading");
  use_ = loaded->use;
  co_return *loaded;
}

asio::awaitable<Result<wire::Loaded>> WorkerSession::load(Self self, wire::Load load,
                                                          std::int64_t model_bytes) {
  try {
    auto loaded = co_await self->greet_and_load(std::move(load), model_bytes);
    if (self->end_) co_return *self->end_;
    if (!loaded) {
      self->end(loaded.error());
      co_return loaded.error();
    }
    // The coroutines are detached because they end with the worker, and nobody waits for that.
    asio::co_spawn(self->executor_, read(self), asio::detached);
    asio::co_spawn(self->executor_, watch(self), asio::detached);
    co_return loaded;
  } catch (const boost::system::system_error&) {
    const bool was_closed = self->end_.has_value();
    self->end({errc::cancelled, "loading was cancelled", ""});
    if (!was_closed) throw;
    co_return *self->end_;
  }
}

asio::awaitable<Result<wire::Done>> WorkerSession::transcribe(Self self, wire::Transcribe job,
                                                              platform::UniqueFd pcm,
                                                              JobListener listener) {
  if (self->end_) co_return of_bystander(*self->end_);
  if (self->jobs_.size() >= wire::max_jobs) {
    co_return Error{"busy", fmt::format("the model already runs {} jobs", wire::max_jobs),
                    "Try again when one is finished."};
  }
  const auto running =
      self->jobs_.add(job.job, protocol::decoding_rows(job.options), std::move(listener));
  const JobGuard guard(*self, *running);
  job.job = running->id;
  self->send(std::move(job), std::move(pcm));
  running->listener->begun(self->wishes_of(*running));
  co_await running->ended.wait();
  if (running->thrown) std::rethrow_exception(running->thrown);
  co_return *std::move(running->result);
}

// The caller bounds how many wishes it sends: each is for some of the sound that the pipe has
// taken.
SendWish WorkerSession::wishes_of(const WorkerJob& job) {
  return [weak = weak_from_this(), id = job.id](wire::Live wish) {
    const auto session = weak.lock();
    if (!session || !session->jobs_.is_wanted(id)) return;
    wish.job = id;
    session->send(std::move(wish));
  };
}

asio::awaitable<void> WorkerSession::read(Self self) {
  while (true) {
    auto message = co_await self->link_.receive();
    if (!message) {
      self->die(nonsense(message.error()));
      co_return;
    }
    if (!*message) {
      auto why = co_await self->death();
      self->die(std::move(why));
      co_return;
    }
    self->take(std::move(**message));
  }
}

// Sends one message at a time, and is never cancelled while the worker can be used: half a message
// would spoil all that follow. A worker that does not read is noticed by its silence.
asio::awaitable<void> WorkerSession::write(Self self) {
  while (!self->outgoing_.empty()) {
    const Outgoing next = std::move(self->outgoing_.front());
    self->outgoing_.pop_front();
    const int descriptor = next.descriptor.get();
    const std::span<const int> descriptors(&descriptor, next.descriptor ? 1 : 0);
    const auto sent = co_await self->link_.send(next.message, descriptors);
    if (!sent) break;  // read() finds out why
  }
  self->is_writing_ = false;
}

asio::awaitable<void> WorkerSession::watch(Self self) {
  while (!self->end_) {
    boost::system::error_code cancelled;
    self->tick_.expires_after(self->limits_.tick);
    co_await self->tick_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (!self->end_) self->count_tick();
  }
}

void WorkerSession::take(wire::Message message) {
  silence_ = milliseconds{0};
  if (const auto* pong = std::get_if<wire::Pong>(&message)) {
    owes_pong_ = false;
    use_ = pong->use;
  }
  if (const auto* done = std::get_if<wire::Done>(&message)) use_ = done->use;
  if (ends_the_worker(message)) return die(std::get<wire::Failed>(message).error);
  jobs_.take(std::move(message));
}

// Silence is counted in ticks of this process, so that time in which it was stopped does not count.
void WorkerSession::count_tick() {
  silence_ += limits_.tick;
  if (owes_pong_ && silence_ >= limits_.silence) {
    return die(
        hung(fmt::format("scribed-worker has not answered for {:.0f} s", seconds(silence_))));
  }
  if (auto problem = jobs_.count_tick(limits_)) return die(hung(*std::move(problem)));
  const bool says_nothing = jobs_.size() > 0 && silence_ > limits_.tick;
  if (!owes_pong_ && (says_nothing || silence_ >= limits_.idle_ping)) {
    owes_pong_ = true;
    silence_ = milliseconds{0};  // silence before the ping does not count
    send(wire::Ping{++pings_});
  }
}

void WorkerSession::send(wire::Message message, platform::UniqueFd descriptor) {
  if (end_) return;
  outgoing_.push_back({std::move(message), std::move(descriptor)});
  if (std::exchange(is_writing_, true)) return;
  asio::co_spawn(executor_, write(shared_from_this()), asio::detached);
}

void WorkerSession::die(Error why) {
  if (end_) return;
  end(why);
  if (on_death_) on_death_(why);
}

void WorkerSession::end(Error why) {
  if (end_) return;
  end_ = std::move(why);
  process_.kill();
  tick_.cancel();
  outgoing_.clear();
  jobs_.fail_all(*end_);
}

Error WorkerSession::why_closed() const {
  if (!has_gone_) return {errc::cancelled, "the model was unloaded", ""};
  return {errc::worker_died, "scribed-worker has ended", "If it happens again, please report it."};
}

void WorkerSession::close() {
  end(why_closed());
  link_.close();
  process_.leave();
}

asio::awaitable<void> WorkerSession::stop(Self self) {
  self->end(self->why_closed());
  self->link_.close();
  co_await self->process_.exited_within(milliseconds{0});
}

}  // namespace server
