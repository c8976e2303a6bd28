#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "protocol/worker_messages.h"
#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

class WorkerSession;

// The times that a worker may take. Time in which this process itself was stopped does not count.
struct WorkerLimits {
  std::chrono::milliseconds hello{60'000};         // a GPU's libraries are gigabytes to read
  std::chrono::milliseconds load{120'000};         // and more by the size of the model:
  std::int64_t load_bytes_per_second = 5'000'000;  // a slow network disk
  std::chrono::milliseconds bench{3'600'000};      // for all figures; Ctrl-C ends it too
  // The time without an answer to a ping. Once it has loaded, a worker reads messages on a thread
  // that does nothing else: it answers while all others compute, unless the process is stopped or
  // starved.
  std::chrono::milliseconds silence{10'000};
  std::chrono::milliseconds idle_ping{30'000};  // how often a worker without a job gets a ping
  std::chrono::milliseconds stall{900'000};     // the worker answers, but a job makes no progress
  // The time for a cancelled job to end: a window of a large model on a slow CPU. It is long
  // because killing the worker would end its other jobs, too.
  std::chrono::milliseconds cancel{60'000};
  std::chrono::milliseconds tick{1'000};
};

// A worker's program, and how it is started.
struct WorkerProgram {
  std::filesystem::path file{};
  std::string library_path{};  // folders that come before LD_LIBRARY_PATH: "/a:/b"
  std::vector<int> cpus{};     // the CPUs that it may run on; empty: those of this process
  // The bytes of the disk that its spool files leave free (engine/audio/spool_file.h); 0: no limit.
  std::int64_t spool_min_free = 0;
  bool spool_is_shared = false;  // by several owners: one of them may take half of the room
};

// Sends what a client wants of a live job to its worker, which is told the job's name here. It does
// nothing once the job has ended.
using SendWish = std::function<void(protocol::worker::Live)>;

// The receiver of a job's events.
struct JobListener {
  protocol::TranscriptSink sink{};
  // Returns false while the input may pause for as long as it likes, as a pipe may: a job that
  // waits for sound is not stalled.
  std::function<bool()> must_move_on = [] { return true; };
  // Called once, when the job was handed to the worker.
  std::function<void(SendWish)> begun = [](const SendWish&) {};
};

// One scribed-worker process and the jobs that it runs beside each other. Destroying it kills the
// process, which holds nothing that would have to be saved, and ends its jobs with an error. It is
// used on the executor's thread.
class Worker {
 public:
  static Result<std::unique_ptr<Worker>> spawn(asio::any_io_executor executor,
                                               const WorkerProgram& program,
                                               WorkerLimits limits = {});
  Worker(const Worker&) = delete;
  ~Worker();

  // Greets the worker, checks its version and has it load a model. Call it once, and before all
  // jobs; when it fails or is cancelled the worker cannot be used.
  asio::awaitable<Result<protocol::worker::Loaded>> load(protocol::worker::Load load,
                                                         std::int64_t model_bytes);

  // Greets the worker, checks its version and has it measure, instead of load(). The worker cannot
  // be used for anything else then.
  asio::awaitable<Result<protocol::worker::BenchResult>> bench(protocol::worker::Bench bench);

  // Runs one job to its end. Takes ownership of the PCM's read end, so that the decoder notices
  // when the worker ends. When the call is cancelled it returns at once, and the worker ends the
  // job in its own time; if it does not, it counts as hung. Names of jobs are the caller's and may
  // repeat.
  asio::awaitable<Result<protocol::worker::Done>> transcribe(protocol::worker::Transcribe job,
                                                             platform::UniqueFd pcm,
                                                             JobListener listener);

  // `told` is called once if the worker dies, hangs or sends nonsense after it has loaded, as soon
  // as that is known; usable() is false by then.
  void on_death(std::function<void(const Error&)> callback);

  // Kill the process. stop() returns when it has ended and its memory is free; close() and the
  // destructor do not wait for that.
  asio::awaitable<void> stop();
  void close();

  // Returns the end of what the worker has written to its stderr, which is also passed on to ours.
  std::string last_words();

  // Returns what the worker told last of its device's memory, with its latest job or answer.
  const protocol::DeviceUse& use() const;

  bool usable() const;
  pid_t pid() const;

 private:
  explicit Worker(std::shared_ptr<WorkerSession> session);

  std::shared_ptr<WorkerSession> session_;  // shared with the coroutines that work for it
};

}  // namespace server
