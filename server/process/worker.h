#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "platform/unique_fd.h"
#include "protocol/worker_messages.h"
#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

class WorkerSession;

// How long a worker may take. Time in which this process itself was stopped does not count.
struct WorkerLimits {
  std::chrono::milliseconds hello{60'000};         // a GPU's libraries are gigabytes to read
  std::chrono::milliseconds load{120'000};         // and for the size of the model:
  std::int64_t load_bytes_per_second = 5'000'000;  // a slow network disk
  std::chrono::milliseconds bench{3'600'000};      // all figures; Ctrl-C ends it too
  // Without an answer to a ping. Once it has loaded, a worker reads messages on a thread that does
  // nothing else: it answers while all others compute, unless the process is stopped or starved.
  std::chrono::milliseconds silence{10'000};
  std::chrono::milliseconds idle_ping{30'000};  // how often one that has no job is asked
  std::chrono::milliseconds stall{900'000};     // answers, but a job does not move on
  // For a cancelled job to end: a window of a large model on a slow CPU, for the neighbours' sake.
  std::chrono::milliseconds cancel{60'000};
  std::chrono::milliseconds tick{1'000};
};

// Who hears what a job tells.
struct JobListener {
  protocol::TranscriptSink sink{};
  // False while the input may pause for as long as it likes, as a pipe may: a job that waits for
  // sound is not stalled.
  std::function<bool()> must_move_on = [] { return true; };
};

// One scribed-worker process and the jobs that it runs beside each other. Destroying it kills the
// process, which holds nothing that would have to be saved, and tells its jobs. On the thread of
// the executor.
class Worker {
 public:
  static Result<std::unique_ptr<Worker>> spawn(asio::any_io_executor executor,
                                               const std::filesystem::path& program,
                                               WorkerLimits limits = {});
  Worker(const Worker&) = delete;
  ~Worker();

  // Greets, checks the version and loads. Once, and before all jobs; when it fails or is cancelled
  // the worker is of no use.
  asio::awaitable<Result<protocol::worker::Loaded>> load(protocol::worker::Load load,
                                                         std::int64_t model_bytes);

  // Greets, checks the version and measures, in place of load(): the worker is of no other use
  // then.
  asio::awaitable<Result<protocol::worker::BenchResult>> bench(protocol::worker::Bench bench);

  // Runs one job to its end. Takes the PCM's read end along, so that the decoder notices when the
  // worker goes away. When the call is cancelled it returns at once, and the worker ends the job in
  // its own time; if it does not, it counts as hung. Names of jobs are the caller's and may repeat.
  asio::awaitable<Result<protocol::worker::Done>> transcribe(protocol::worker::Transcribe job,
                                                             platform::UniqueFd pcm,
                                                             JobListener listener);

  // Is called once if the worker dies, hangs or says nonsense after it has loaded, as soon as that
  // is known; usable() is false by then.
  void on_death(std::function<void(const Error&)> told);

  // Ends the process; the destructor does the same, but waits for its end without letting others
  // work meanwhile.
  asio::awaitable<void> stop();
  void close();

  // The end of what it has said on its stderr, which also goes to ours.
  std::string last_words();

  bool usable() const;
  pid_t pid() const;

 private:
  explicit Worker(std::shared_ptr<WorkerSession> session);

  std::shared_ptr<WorkerSession> session_;  // shared with the coroutines that work for it
};

}  // namespace server
