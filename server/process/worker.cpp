#include "server/process/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "server/process/race.h"

namespace server {
namespace {

namespace wire = protocol::worker;
using std::chrono::milliseconds;

constexpr milliseconds send_limit{10'000};
constexpr milliseconds exit_grace{2'000};

double seconds(milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

// The stream cannot be read on after it.
Error nonsense(Error error) {
  error.message = "scribed-worker sent something that is no message: " + error.message;
  return error;
}

Error unexpected(const char* what) {
  return {protocol::bad_message,
          fmt::format("scribed-worker sent an unexpected message instead of {}", what),
          "scribed and scribed-worker must come from the same installation."};
}

}  // namespace

Result<std::unique_ptr<Worker>> Worker::spawn(asio::any_io_executor executor,
                                              const std::filesystem::path& program,
                                              WorkerLimits limits) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{errc::internal, fmt::format("cannot make a socket: {}", std::strerror(errno)), ""};
  }
  platform::UniqueFd ours(ends[0]), theirs(ends[1]);
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{errc::internal, fmt::format("cannot make a pipe: {}", std::strerror(errno)), ""};
  }
  platform::UniqueFd stderr_read(ends[0]), stderr_write(ends[1]);
  auto process = ChildProcess::spawn(
      executor, {program,
                 {"--socket-fd", "3"},
                 {{.ours = stderr_write.get(), .childs = 2}, {.ours = theirs.get(), .childs = 3}}});
  if (!process) return process.error();
  return std::unique_ptr<Worker>(new Worker(std::move(executor), *std::move(process),
                                            std::move(ours), std::move(stderr_read), limits));
}

Worker::Worker(asio::any_io_executor executor, ChildProcess process, platform::UniqueFd socket,
               platform::UniqueFd stderr_pipe, WorkerLimits limits)
    : process_(std::move(process)),
      stderr_(executor, std::move(stderr_pipe)),
      link_(std::move(executor), std::move(socket)),
      limits_(limits),
      kills_before_(out_of_memory_kills()) {}

asio::awaitable<Error> Worker::death() {
  usable_ = false;
  const ExitStatus status = co_await process_.exited_within(exit_grace);
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

Error Worker::hung(std::string message) {
  usable_ = false;
  process_.kill();
  return {errc::worker_hung, std::move(message), "If it happens again, please report it."};
}

asio::awaitable<Result<void>> Worker::send(const wire::Message& message,
                                           std::span<const int> descriptors) {
  auto sent = co_await within(send_limit, link_.send(message, descriptors));
  if (!sent) co_return hung("scribed-worker does not read its messages");
  if (!*sent) co_return co_await death();
  co_return Result<void>{};
}

asio::awaitable<Result<wire::Message>> Worker::expect(milliseconds limit, const char* what) {
  auto received = co_await within(limit, link_.receive());
  if (!received) {
    co_return hung(
        fmt::format("scribed-worker did not send {} within {:.0f} s", what, seconds(limit)));
  }
  if (!*received) {
    usable_ = false;
    co_return nonsense(received->error());
  }
  if (!**received) co_return co_await death();
  co_return std::move(***received);
}

asio::awaitable<Result<wire::Loaded>> Worker::load(wire::Load load, std::int64_t model_bytes) {
  const auto greeting = co_await expect(limits_.hello, "its greeting");
  if (!greeting) co_return greeting.error();
  const auto* hello = std::get_if<wire::Hello>(&*greeting);
  if (!hello) co_return unexpected("its greeting");
  if (const auto same = wire::check_version(*hello); !same) co_return same.error();

  const wire::Message message = std::move(load);
  const auto sent = co_await send(message);
  if (!sent) co_return sent.error();
  const milliseconds by_size(model_bytes * 1000 / limits_.load_bytes_per_second);
  const auto answer = co_await expect(limits_.load + by_size, "the end of loading");
  if (!answer) co_return answer.error();
  if (const auto* failed = std::get_if<wire::Failed>(&*answer)) co_return failed->error;
  if (const auto* loaded = std::get_if<wire::Loaded>(&*answer)) co_return *loaded;
  co_return unexpected("the end of loading");
}

asio::awaitable<Result<wire::Done>> Worker::transcribe(wire::Transcribe job, platform::UniqueFd pcm,
                                                       JobEvents& events) {
  const wire::Message request = std::move(job);
  const int descriptors[] = {pcm.get()};
  const auto requested = co_await send(request, descriptors);
  if (!requested) co_return requested.error();
  pcm.reset();

  // Counted in ticks of this process, so that time in which it was stopped is nobody's silence.
  milliseconds silence{0}, stall{0};
  while (true) {
    auto next = co_await within(limits_.tick, link_.receive());
    if (!next) {
      silence += limits_.tick;
      stall = events.must_move_on() ? stall + limits_.tick : milliseconds{0};
      if (silence >= limits_.silence) {
        co_return hung(
            fmt::format("scribed-worker has not answered for {:.0f} s", seconds(silence)));
      }
      if (stall >= limits_.stall) {
        co_return hung(
            fmt::format("the transcription has not moved on for {:.0f} s", seconds(stall)));
      }
      const wire::Message ping = wire::Ping{++pings_};
      const auto sent = co_await send(ping);
      if (!sent) co_return sent.error();
      continue;
    }
    silence = milliseconds{0};
    if (!*next) {
      usable_ = false;
      co_return nonsense(next->error());
    }
    if (!**next) co_return co_await death();
    const wire::Message& message = ***next;
    if (!std::holds_alternative<wire::Pong>(message)) stall = milliseconds{0};

    if (const auto* segment = std::get_if<wire::SegmentDecided>(&message)) {
      events.on_segment(segment->segment);
    } else if (const auto* progress = std::get_if<wire::Progress>(&message)) {
      events.on_progress(*progress);
    } else if (const auto* language = std::get_if<wire::LanguageDetected>(&message)) {
      events.on_language(*language);
    } else if (const auto* failed = std::get_if<wire::Failed>(&message)) {
      // A device that failed once fails every later job of its process.
      if (!failed->job || failed->error.code == errc::device_unavailable) usable_ = false;
      co_return failed->error;
    } else if (const auto* done = std::get_if<wire::Done>(&message)) {
      co_return *done;
    }
  }
}

asio::awaitable<bool> Worker::cancel(std::string job) {
  const auto ended = [](const wire::Message& message, const std::string& id) {
    if (const auto* done = std::get_if<wire::Done>(&message)) return done->job == id;
    const auto* failed = std::get_if<wire::Failed>(&message);
    return failed && failed->job == id;
  };
  const wire::Message request = wire::Cancel{job};
  const auto sent = co_await send(request);
  if (!sent) co_return false;
  const auto until = std::chrono::steady_clock::now() + limits_.cancel;
  while (std::chrono::steady_clock::now() < until) {
    const auto message = co_await expect(limits_.cancel, "the end of a cancelled job");
    if (!message) co_return false;
    if (ended(*message, job)) co_return true;
  }
  usable_ = false;
  co_return false;
}

}  // namespace server
