#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/jobs/job_limits.h"
#include "server/jobs/job_notice.h"
#include "server/jobs/job_queue_settings.h"
#include "server/jobs/job_store.h"
#include "server/jobs/job_text.h"
#include "server/jobs/owner_line.h"
#include "server/jobs/run_writes.h"
#include "server/jobs/store_copy.h"

namespace server {

namespace asio = boost::asio;

class JobWatch;

// The jobs that REST, MCP and their runners share: a store on a thread of its own, limits on how
// many wait, and news for whoever watches a job. All calls are on the executor's thread.
class JobQueue {
 public:
  using Settings = JobQueueSettings;

  // A store of an earlier process must have been recovered before.
  JobQueue(asio::any_io_executor executor, std::unique_ptr<JobStore> store, Settings settings);
  ~JobQueue();

  // Succeeds if submit() would take such a job now; it is asked before the job's recording is
  // received. Errors: queue_full, too_many_jobs, too_much_sound, draining, and the store's.
  asio::awaitable<Result<void>> check(std::string owner, std::string idempotency_key);
  // Accepts a job, which is on the disk when this returns, unless its client waits. Returns the job
  // that an idempotency key already has if the request is the same. Errors: queue_full,
  // too_many_jobs and too_much_sound (of this owner), key_reused (for another request), draining,
  // and the store's. A live job runs at once, and its caller is its runner.
  asio::awaitable<Result<Job>> submit(JobRequest request);

  // In these functions no owner stands for all of them.
  asio::awaitable<Result<std::optional<Job>>> find(std::string id,
                                                   std::optional<std::string> owner);
  asio::awaitable<Result<std::vector<Job>>> list(std::optional<std::string> owner, int limit,
                                                 std::string before);
  // search_jobs() puts slices together.
  asio::awaitable<Result<JobSlice>> slice(std::optional<std::string> owner, JobFilter filter,
                                          JobPlace behind, int size);
  asio::awaitable<Result<std::vector<protocol::Segment>>> segments(std::string id, int first,
                                                                   int limit);
  // See server::find_text(); it reads edited segments, too. `first` is called on any thread.
  asio::awaitable<Result<std::optional<JobText>>> find_text(
      std::string id, std::optional<std::string> owner, std::function<int(const Job&)> first,
      int most = std::numeric_limits<int>::max());
  // Returns what is decided by now of a job that was found, as a version of its text has it; none:
  // the newest. A reader has one long text at a time: the next one is read when the first and its
  // memory are gone. `reader` is who has that turn; empty: the owner. Errors: job_not_found, where
  // it was removed meanwhile, version_not_found, those of TextMemory, and the store's.
  asio::awaitable<Result<ReadTranscript>> transcript(Job job, std::optional<int> version = {},
                                                     std::string reader = {});
  // Waits for the owner's turn to have a short change made, which ends when the token is released:
  // each is a write to the disk, and many of one owner would keep others waiting.
  asio::awaitable<std::shared_ptr<void>> turn_to_change(std::string owner);
  // See server::rename_speakers(). It waits for its turn, as the next does.
  asio::awaitable<Result<Job>> rename_speakers(std::string id, std::string owner,
                                               protocol::SpeakerNames changes);
  // See JobStore for this. Whoever watches the job is told of a change, also in the next two.
  asio::awaitable<Result<Job>> change(std::string id, std::string owner, JobChange change);
  // Makes a new version of the text, by all edits or none of them. Errors: as of
  // JobStore::begin_edit(); bad_edit, edit_too_large, overloaded. A caller that is cancelled ends
  // it.
  asio::awaitable<EditResult> edit(TextTarget target, std::vector<TextEdit> edits);
  // Makes a new version that is equal to an earlier one. Errors: as of edit(); version_not_found.
  asio::awaitable<EditResult> restore(TextTarget target, int version);
  asio::awaitable<Result<TextPage>> text_page(std::string id, std::optional<int> version,
                                              std::optional<std::int64_t> behind, int limit);
  asio::awaitable<Result<std::vector<TextVersion>>> versions(std::string id, int from, int limit);
  // Returns the first places, at most so many, where a text stands in each of these jobs.
  asio::awaitable<Result<std::vector<std::vector<TextMatch>>>> matches(std::vector<std::string> ids,
                                                                       std::string text, int most);
  // Returns whether each of these texts stands in a job whose text has to be read for that; `owner`
  // is who searches.
  asio::awaitable<Result<bool>> texts_stand_in(Job job, std::vector<std::string> texts,
                                               std::string owner);
  asio::awaitable<Result<bool>> index_next();
  // Returns true if the job was waiting or running; it has ended as cancelled when this returns,
  // and its runner has stopped.
  asio::awaitable<Result<bool>> cancel(std::string id, std::optional<std::string> owner = {});
  // The client no longer waits: the job goes on, or its result is kept. It is on the disk when this
  // returns.
  asio::awaitable<Result<void>> detach(std::string id);
  // Removes the job for ever, with its text; a job that has not ended is cancelled before.
  asio::awaitable<Result<void>> remove(std::string id);
  // Cancels the job for a caller that is itself being cancelled and cannot wait.
  void cancel_later(std::string id);
  void detach_later(std::string id);
  void remove_later(std::string id);

  // See JobStore::inputs().
  asio::awaitable<Result<std::vector<KeptInput>>> inputs();
  // See copy_store().
  asio::awaitable<Result<StoreCopy>> copy(std::filesystem::path file, std::filesystem::path inputs);
  asio::awaitable<Result<OwnerUse>> use_of(std::string owner);
  // The function tells, on the executor's thread, how many live sessions of an owner go on here.
  // They count as jobs that run.
  void count_live_by(std::function<std::size_t(const std::string& owner)> count) {
    live_sessions_ = std::move(count);
  }
  // Succeeds if a live session of the owner, which is counted already, may go on, and returns how
  // many seconds of sound the owner may still have today. Errors: too_many_jobs, too_much_sound,
  // and the store's.
  asio::awaitable<Result<double>> check_live(std::string owner);
  // See server::check_begin(). Errors: too_much_sound, and the store's.
  asio::awaitable<Result<bool>> check_begin(std::string owner, std::int64_t job);
  // Counts sound of the owner's live sessions, and returns how much is left.
  asio::awaitable<Result<double>> add_live_sound(std::string owner, double seconds);
  // Returns how many seconds of sound the owner may have in a day; nothing: there is no limit.
  std::optional<std::int64_t> sound_limit_of(const std::string& owner) const;
  // See JobStore.
  asio::awaitable<Result<std::map<std::string, double>>> sound_to_do();
  // Sets the limits for jobs that come from now on.
  void set_limits(JobLimits limits) { settings_.limits = std::move(limits); }

  // See JobStore::is_shared().
  bool is_shared() const { return store_->is_shared(); }
  // Looks at what other processes do to the jobs that are watched or run here, until
  // stop_following(). It returns at once where there are no others.
  asio::awaitable<void> follow_others();
  void stop_following();
  // Returns whether other daemons tell of what they do (JobNews).
  bool hears_others() const { return news_ && news_->arrive(); }
  // Returns whether the store has answered its last call, and no call has waited for an answer for
  // too long.
  bool store_answers() const;
  // Returns how many jobs wait; of a shared store, how many did about a second ago.
  int waiting() const { return waiting_; }
  int running() const { return static_cast<int>(running_.size()); }

  // For the runners -------------------------------------------------------------------------

  // Waits for the next job and returns it: one for which a client waits, or one of the others. A
  // spare runner gets those of owners alone who have none running. Its runner writes it by
  // claim_of() it; the error of a write is claim_lost once the job is no longer the runner's.
  asio::awaitable<Result<Job>> claim(bool waited_for, bool is_spare = false);
  // `stop` is called when the job is cancelled, until finish(), requeue() or leave(). Returns false
  // if it was cancelled since claim().
  bool on_cancel(const Claim& claim, std::function<void()> stop);
  // The runner gives the job up, whatever the store says.
  void leave(const Claim& claim);
  // Expires with the queue. Coroutines that nobody waits for are destroyed with the executor's
  // context, which may be later.
  std::weak_ptr<const void> life() const { return life_; }
  asio::awaitable<Result<void>> add_segments(Claim claim, std::vector<protocol::Segment> some);
  // Writes the progress to the disk; clients see it from then on.
  asio::awaitable<Result<void>> set_progress(Claim claim, TranscriptionProgress progress,
                                             std::string language);
  asio::awaitable<Result<void>> finish(Claim claim, JobEnd end);
  // Puts the job back among those that wait. `counts`: the run was one of the job's attempts, and
  // the job waits for a while (JobStore::requeue()).
  asio::awaitable<Result<void>> requeue(Claim claim, bool counts);

  // The function tells, on the executor's thread, which models need not be loaded: their jobs are
  // preferred (turn_rules.h).
  void prefer_models(std::function<std::vector<std::string>()> loaded) {
    loaded_models_ = std::move(loaded);
  }
  // Sets how many jobs of one owner may run from now on. Jobs that run go on.
  void set_shares(RunningShares shares);

  // New jobs are refused, claim() returns `draining`, and all watches are told.
  void drain();
  bool is_draining() const { return draining_; }

  asio::awaitable<Result<int>> remove_expired();
  // Gives the space of removed jobs back to the disk, piece by piece, soon.
  void tidy_up_later();
  // Removes the kept sound of those of these jobs that are no more.
  asio::awaitable<Result<void>> remove_sounds_without_job(std::vector<std::string> ids);
  // Where the store is shared: see JobStore.
  asio::awaitable<Result<bool>> set_sound(std::string id, std::uint64_t bytes);
  asio::awaitable<Result<std::vector<std::string>>> sounds_left(int most);
  asio::awaitable<Result<std::vector<Job>>> undelivered();
  asio::awaitable<Result<void>> set_delivered(std::string id);

  // The function is called with every job that has ended, after its end is on the disk.
  void on_end(std::function<void(const Job&)> callback) { on_end_ = std::move(callback); }
  // The function is called after every change of a job, but for jobs that expire: several changes
  // may be told one by one, or twice.
  void on_change(std::function<void(const JobNotice&)> callback) {
    on_change_ = std::move(callback);
  }

 private:
  friend class JobWatch;

  struct IdleRunner {
    asio::steady_timer* timer;  // owned by its coroutine
    bool waited_for;
    bool looks;  // wakes by itself, to look for jobs that came elsewhere
    bool is_spare;
  };

  // A job that a runner of this process has claimed.
  struct Running {
    std::string id{};
    std::string owner{};
    std::int64_t epoch = 0;
    bool waited_for = false;  // it was begun by a runner of such jobs
    std::function<void()> stop = [] {};
    std::optional<TranscriptionProgress> progress{};  // nothing: its runner has reported none yet

    JobNotice change() const { return {.id = id, .owner = owner}; }
  };

  using Clock = std::chrono::steady_clock;

  // Notes whether the store has answered. One that has not is asked again, also where nobody else
  // asks it: a daemon that is not ready gets no requests.
  void note_answer(bool answers);
  asio::awaitable<void> ask_again();
  // Says, on the store's thread, whether the jobs that wait are to be counted after this call.
  bool has_to_count();
  // Runs the work on the store's thread. A cancellation does not interrupt it.
  template <class Work>
  auto on_store(Work work) -> asio::awaitable<std::invoke_result_t<Work, JobStore&>>;
  template <class T>
  using LongWork = std::function<Result<T>(const OnStore& on_store, std::stop_token stop)>;
  // Runs work that reads or writes long texts beside the store's thread (long_work.h), one piece of
  // each owner at a time; the second one for an owner who has entered owners_line_.
  template <class T>
  asio::awaitable<Result<T>> long_work(std::string owner, LongWork<T> work);
  template <class T>
  asio::awaitable<Result<T>> long_work_in(std::shared_ptr<void> turn, LongWork<T> work);
  asio::awaitable<Result<ReadTranscript>> long_transcript(Job job, std::optional<int> version,
                                                          std::string reader);
  // Reads the rest of a text of which find_text() has read the beginning; returns false if that is
  // another text by now.
  asio::awaitable<Result<bool>> read_on(JobText& text, std::function<int(const Job&)> first,
                                        int most);
  // Reads up to `most` segments of an edited text behind so many of them, with numbers for ids.
  asio::awaitable<Result<bool>> read_edited(JobText& text, int skipped, int most);
  using EditWork =
      std::function<EditResult(const TextTarget&, const OnStore& on_store, TextBounds bounds)>;
  // Changes a text by as much as its owner may store, and tells whoever watches the job.
  asio::awaitable<EditResult> long_edit(TextTarget target, EditWork work);
  // Tells what each owner has stored, on the store's thread, if that may have changed.
  void note_stored(JobStore& store) const;
  // Fills in the progress that clients see. It must be called at once after the store was asked, so
  // that no later figures are here than those of the store.
  void add_progress(Job& job) const;
  // Returns the limits for what this owner wants to begin.
  JobLimits limits_for(const std::string& owner) const;
  // Returns the limits for this job, with the reason why it cannot be stored now.
  JobLimits limits_for(const JobRequest& request) const;
  Result<void> check_growth(const std::string& owner, std::uint64_t bytes) const;
  asio::awaitable<void> tidy_up();
  // Returns the run that writes by this claim; nullptr: it is none of this process, or none any
  // more.
  Running* running(const Claim& claim);
  // Counts a job's sound and removes its input, on the store's thread.
  static void clean_up(JobStore& store, const Job& ended, const Settings& settings);
  // Tells of a job that has just ended.
  void tell_end(Job ended);
  // Tells whoever watches the job here, and other daemons.
  void tell(const JobNotice& notice);
  void tell(const Job& job, JobNotice::Kind kind) {
    tell(JobNotice{job.id, job.request.owner, kind});
  }
  void tell_here(const JobNotice& notice);
  void tell_others_of_work(bool waited_for);
  void hear(const HeardNews& heard);
  // A job is watched from now on: others may change it soon, if it is short.
  void look_soon();
  asio::awaitable<void> look_at_watched();
  asio::awaitable<void> stop_lost_runs();
  // Returns how long an idle runner of this kind waits until it looks for jobs of others.
  std::chrono::milliseconds time_to_look(bool waited_for) const;
  // Returns whether an idle runner of this kind has to look for jobs from time to time, since other
  // processes add some and no other runner looks.
  bool has_to_look(bool waited_for, bool is_spare) const;
  bool has_unheard_jobs() const;
  // Wakes a runner of this kind that has nothing to do, or a spare one.
  void wake_runner(bool waited_for);
  void wake_spare_runner(bool waited_for);
  // The job's owner may have another one begun. One that was waited for may have been detached
  // since, and then runners of both kinds have passed its owner over.
  void note_place_of(const Running& ended);
  void wake_runners();

  asio::awaitable<std::vector<Result<void>>> write_runs(std::vector<RunWrite> writes);

  asio::any_io_executor executor_;
  std::unique_ptr<JobStore> store_;
  Settings settings_;
  RunWrites run_writes_;
  std::function<void(const Job&)> on_end_ = [](const Job&) {};
  std::function<void(const JobNotice&)> on_change_ = [](const JobNotice&) {};
  std::function<std::vector<std::string>()> loaded_models_ = [] {
    return std::vector<std::string>();
  };
  std::function<std::size_t(const std::string&)> live_sessions_ = [](const std::string&) {
    return std::size_t{0};
  };
  std::list<IdleRunner> idle_runners_{};
  std::multimap<std::string, JobWatch*> watches_{};
  std::map<std::int64_t, Running> running_{};  // by the job's number
  std::shared_ptr<const void> life_ = std::make_shared<char>();
  std::map<std::string, std::string> marks_{};  // of jobs that are watched, as they were last seen
  asio::steady_timer follow_timer_;
  std::chrono::milliseconds look_after_{1000};  // the time between two looks at them
  Clock::time_point next_look_{};
  bool follows_ = true;
  bool has_to_tidy_up_ = false;
  bool tidies_up_ = false;
  bool has_lost_runs_ = false;  // perhaps: it is looked at the next time
  std::uint64_t wakes_ = 0;
  int waiting_ = 0;
  bool store_answers_ = true;
  bool asks_again_ = false;
  bool draining_ = false;
  Clock::time_point looks_until_{};  // jobs that were put back may have to be begun by then
  std::atomic<Clock::time_point> call_began_{};  // of the store; the epoch: there is none
  Clock::time_point next_count_{};               // the store's thread has it
  asio::thread_pool store_thread_{1};            // it ends before what its work uses
  OwnerLine owners_line_{executor_};
  std::shared_ptr<TextMemory> text_memory_ = std::make_shared<TextMemory>();
  std::optional<BlockingCalls> long_calls_;  // they end before the store's thread, which they call
  std::unique_ptr<JobNews> news_{};          // last: it calls this object
};

}  // namespace server
