#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "server/jobs/job_store.h"

namespace server {

namespace asio = boost::asio;

class JobWatch;

void remove_file(const std::string& file);

// The jobs that REST, MCP and their runners share: a store on a thread of its own, limits on what
// may wait, and news for whoever watches a job. On the thread of the executor.
class JobQueue {
 public:
  struct Settings {
    int max_waiting = 512;
    int max_waiting_per_owner = 128;
    // Removes the file of a job that has ended or was not taken. Called on the store's thread.
    std::function<void(const std::string&)> remove_input = remove_file;
  };

  // The store has been recovered, where it is that of an earlier process.
  JobQueue(asio::any_io_executor executor, std::unique_ptr<JobStore> store, Settings settings);
  ~JobQueue();

  // Whether submit() would take such a job now: asked before its recording is received. Errors:
  // queue_full, too_many_jobs, draining, and the store's.
  asio::awaitable<Result<void>> check(std::string owner, std::string idempotency_key);
  // The job is on the disk when this answers, unless its client waits. It is the one that an
  // idempotency key already has, where the request is the same. Errors: queue_full, too_many_jobs
  // (of this owner), key_reused (for another request), draining, and the store's.
  asio::awaitable<Result<Job>> submit(JobRequest request);

  asio::awaitable<Result<std::optional<Job>>> find(std::string id, std::string owner);
  asio::awaitable<Result<std::vector<Job>>> list(std::string owner, int limit, std::string before);
  asio::awaitable<Result<std::vector<protocol::Segment>>> segments(std::string id, int first,
                                                                   int limit);
  // What is decided by now of a job, as it was found.
  asio::awaitable<Result<protocol::Transcript>> transcript(Job job);
  // True: it was waiting or running; it has ended as cancelled when this answers.
  asio::awaitable<Result<bool>> cancel(std::string id);
  // The client leaves the job to itself: it goes on, or its result is kept. It is on the disk when
  // this answers.
  asio::awaitable<Result<void>> detach(std::string id);
  // Removes the job for ever, with its text; one that has not ended is cancelled before.
  asio::awaitable<Result<void>> remove(std::string id);
  // The same for a caller that is itself being cancelled. The queue sees to it.
  void cancel_later(std::string id);
  void detach_later(std::string id);
  void remove_later(std::string id);

  int waiting() const { return waiting_; }
  int running() const { return static_cast<int>(running_.size()); }

  // What the runners use --------------------------------------------------------------------

  // The next job, once there is one: of those for which a client waits, or of the others.
  asio::awaitable<Result<Job>> take(bool waited_for);
  // `stop` is called when the job is to be cancelled; until finish(), requeue() or leave(). False:
  // it was cancelled since take().
  bool on_cancel(const std::string& id, std::function<void()> stop);
  // The runner does no more for it, whatever the store says.
  void leave(const std::string& id);
  asio::awaitable<Result<void>> add_segments(std::string id, std::vector<protocol::Segment> some);
  // On the disk, and from then on told of the job.
  asio::awaitable<Result<void>> set_progress(std::string id, TranscriptionProgress progress,
                                             std::string language);
  // False: it had ended before.
  asio::awaitable<Result<bool>> finish(std::string id, JobEnd end);
  // Back to those that wait. `counts`: as one of the attempts that it has.
  asio::awaitable<Result<void>> requeue(std::string id, bool counts);

  // How many may run of one owner from now on: of those for which nobody waits, and of those for
  // which a client does.
  asio::awaitable<Result<void>> set_most_running(int most, int most_waited_for);

  // New jobs are refused, take() answers `draining`, and all watches are told.
  void drain();
  bool is_draining() const { return draining_; }

  asio::awaitable<Result<int>> remove_expired();
  asio::awaitable<Result<std::vector<Job>>> undelivered();
  asio::awaitable<Result<void>> set_delivered(std::string id);

  // Called with every job that has ended, and is on the disk as such.
  void on_end(std::function<void(const Job&)> told) { on_end_ = std::move(told); }

 private:
  friend class JobWatch;

  struct IdleRunner {
    asio::steady_timer* timer;  // it lives in its coroutine
    bool waited_for;
  };

  struct Running {
    std::function<void()> stop = [] {};
    std::optional<TranscriptionProgress> progress{};  // nothing: its runner has told none yet
  };

  // Runs the work on the store's thread. It is not interrupted by a cancellation.
  template <class Work>
  auto on_store(Work work) -> asio::awaitable<std::invoke_result_t<Work, JobStore&>>;
  // Fills in what is told of the job. At once after the store was asked: then no later figures are
  // here than those that it has.
  void add_progress(Job& job) const;
  void tell(const std::string& id);
  // A runner of this kind that has nothing to do.
  void wake_runner(bool waited_for);
  void wake_runners();

  asio::any_io_executor executor_;
  std::unique_ptr<JobStore> store_;
  Settings settings_;
  std::function<void(const Job&)> on_end_ = [](const Job&) {};
  std::list<IdleRunner> idle_runners_{};
  std::multimap<std::string, JobWatch*> watches_{};
  std::map<std::string, Running> running_{};
  std::uint64_t wakes_ = 0;
  int waiting_ = 0;
  bool draining_ = false;
  asio::thread_pool store_thread_{1};  // last: it ends before what its work uses
};

// Tells that something of a job has changed: state, segments or progress.
class JobWatch {
 public:
  JobWatch(JobQueue& queue, const std::string& id);
  JobWatch(const JobWatch&) = delete;
  ~JobWatch();

  // True: changed since this object was made, or since the last call that said so. False: not
  // before `deadline`.
  asio::awaitable<bool> changed(std::chrono::steady_clock::time_point deadline);

 private:
  friend class JobQueue;

  void tell();

  JobQueue& queue_;
  std::multimap<std::string, JobWatch*>::iterator place_;
  asio::steady_timer timer_;
  bool has_news_ = false;
};

}  // namespace server
