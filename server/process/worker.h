#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "platform/unique_fd.h"
#include "protocol/worker_messages.h"
#include "server/error.h"
#include "server/process/child_process.h"
#include "server/process/stderr_tail.h"
#include "server/process/worker_link.h"

namespace server {

// How long a worker may take. Time in which this process itself was stopped does not count.
struct WorkerLimits {
  std::chrono::milliseconds hello{60'000};         // a GPU's libraries are gigabytes to read
  std::chrono::milliseconds load{120'000};         // and for the size of the model:
  std::int64_t load_bytes_per_second = 5'000'000;  // a slow network disk
  std::chrono::milliseconds silence{60'000};       // not even an answer to a ping
  std::chrono::milliseconds stall{900'000};        // answers, but the job does not move on
  std::chrono::milliseconds cancel{5'000};
  std::chrono::milliseconds tick{1'000};
};

// What a job tells while it runs.
class JobEvents {
 public:
  virtual ~JobEvents() = default;
  virtual void on_progress(const protocol::worker::Progress& progress) = 0;
  virtual void on_language(const protocol::worker::LanguageDetected& language) = 0;
  virtual void on_segment(const protocol::Segment& segment) = 0;
  // False while the input may pause for as long as it likes, as a pipe may: a job that waits for
  // sound is not stalled.
  virtual bool must_move_on() const = 0;
};

// One scribed-worker process. After an error other than a failed job it is of no further use.
// Destroying it kills the process, which holds nothing that would have to be saved.
class Worker {
 public:
  static Result<std::unique_ptr<Worker>> spawn(asio::any_io_executor executor,
                                               const std::filesystem::path& program,
                                               WorkerLimits limits = {});

  // Greets, checks the version and loads.
  asio::awaitable<Result<protocol::worker::Loaded>> load(protocol::worker::Load load,
                                                         std::int64_t model_bytes);

  // Runs one job to its end. Takes the PCM's read end along, so that the decoder notices when the
  // worker goes away.
  asio::awaitable<Result<protocol::worker::Done>> transcribe(protocol::worker::Transcribe job,
                                                             platform::UniqueFd pcm,
                                                             JobEvents& events);

  // Ends a job whose transcribe() was cancelled. False: it did not end in time.
  asio::awaitable<bool> cancel(std::string job);

  // The end of what it has said on its stderr, which also goes to ours.
  std::string last_words() { return stderr_.text(); }

  bool usable() const { return usable_; }
  pid_t pid() const { return process_.pid(); }

 private:
  Worker(asio::any_io_executor executor, ChildProcess process, platform::UniqueFd socket,
         platform::UniqueFd stderr_pipe, WorkerLimits limits);

  // The next message within `limit`; answers for a worker that is gone or says nonsense.
  asio::awaitable<Result<protocol::worker::Message>> expect(std::chrono::milliseconds limit,
                                                            const char* what);
  asio::awaitable<Result<void>> send(const protocol::worker::Message& message,
                                     std::span<const int> descriptors = {});
  asio::awaitable<Error> death();  // why it is gone
  Error hung(std::string message);

  ChildProcess process_;
  StderrTail stderr_;
  WorkerLink link_;
  WorkerLimits limits_;
  long long kills_before_;  // out_of_memory_kills() when it started
  std::uint64_t pings_ = 0;
  bool usable_ = true;
};

}  // namespace server
