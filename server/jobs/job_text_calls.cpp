#include <utility>

#include "server/jobs/job_queue.h"
#include "server/jobs/on_store.h"
#include "server/jobs/speaker_rename.h"

// What JobQueue is asked of the texts of jobs, and what people change in them.
namespace server {
namespace {

std::uint64_t bytes_of(const protocol::SpeakerNames& names) {
  std::uint64_t bytes = 0;
  for (const auto& [label, name] : names) bytes += name.size();
  return bytes;
}

std::uint64_t bytes_of(const JobChange& change) {
  return change.title.value_or("").size() +
         bytes_of(change.speaker_names.value_or(protocol::SpeakerNames())) +
         (change.pinned.value_or(false) ? 1 : 0);
}

}  // namespace

asio::awaitable<Result<std::vector<protocol::Segment>>> JobQueue::segments(std::string id,
                                                                           int first, int limit) {
  const auto work = [id = std::move(id), first, limit](JobStore& store) {
    return store.segments(id, first, limit);
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<std::optional<JobText>>> JobQueue::find_text(
    std::string id, std::optional<std::string> owner, std::function<int(const Job&)> first,
    int most) {
  const auto work = [=](JobStore& store) {
    return server::find_text(store, id, owner, first, most);
  };
  auto found = co_await on_store(work);
  if (found && *found) add_progress((*found)->job);
  co_return found;
}

asio::awaitable<Result<protocol::Transcript>> JobQueue::transcript(Job job,
                                                                   std::optional<int> version) {
  const auto work = [id = job.id, version](JobStore& store) {
    return find_transcript(store, id, version);
  };
  auto found = co_await on_store(work);
  if (!found) co_return found.error();
  if (!*found) co_return job_not_found(job.id);
  co_return **std::move(found);
}

asio::awaitable<Result<Job>> JobQueue::rename_speakers(std::string id, std::string owner,
                                                       protocol::SpeakerNames changes) {
  const auto room = check_growth(owner, bytes_of(changes));
  if (!room) co_return room.error();
  const auto work = [=](JobStore& store) {
    return server::rename_speakers(store, id, owner, changes);
  };
  auto job = co_await on_store(work);
  if (job) add_progress(*job);
  if (job) tell(*job, JobNotice::Kind::changed);
  co_return job;
}

asio::awaitable<Result<Job>> JobQueue::change(std::string id, std::string owner, JobChange change) {
  const auto room = check_growth(owner, bytes_of(change));
  if (!room) co_return room.error();
  const auto work = [=](JobStore& store) { return store.change(id, owner, change); };
  auto job = co_await on_store(work);
  if (!job) co_return job;
  add_progress(*job);
  tell(*job, JobNotice::Kind::changed);
  // One whose client waits is among the others from now on.
  if (job->state == JobState::queued) {
    wake_runners();
    tell_others_of_work(false);
  }
  co_return job;
}

// What makes nothing longer is done on a full disk, too.
Result<void> JobQueue::check_growth(const std::string& owner, std::uint64_t bytes) const {
  if (bytes == 0) return {};
  const auto room = settings_.check_stored(owner, bytes);
  return room ? Result<void>() : room.error();
}

asio::awaitable<EditResult> JobQueue::edit(TextTarget target, std::vector<TextEdit> edits) {
  const auto room = settings_.check_stored(target.owner, 0);
  if (!room) co_return EditRefusal{.error = room.error()};
  target.most_growth = *room;
  const auto work = [target, edits = std::move(edits)](JobStore& store) {
    return store.edit(target, edits);
  };
  auto change = co_await on_store(work);
  if (change) tell(JobNotice{.id = target.id, .owner = target.owner});
  co_return change;
}

asio::awaitable<EditResult> JobQueue::restore(TextTarget target, int version) {
  const auto room = settings_.check_stored(target.owner, 0);
  if (!room) co_return EditRefusal{.error = room.error()};
  target.most_growth = *room;
  const auto work = [target, version](JobStore& store) { return store.restore(target, version); };
  auto change = co_await on_store(work);
  if (change) tell(JobNotice{.id = target.id, .owner = target.owner});
  co_return change;
}

asio::awaitable<Result<TextPage>> JobQueue::text_page(std::string id, std::optional<int> version,
                                                      std::optional<std::int64_t> behind,
                                                      int limit) {
  const auto work = [=](JobStore& store) { return store.text_page(id, version, behind, limit); };
  co_return co_await on_store(work);
}

asio::awaitable<Result<std::vector<TextVersion>>> JobQueue::versions(std::string id, int from,
                                                                     int limit) {
  const auto work = [=](JobStore& store) { return store.versions(id, from, limit); };
  co_return co_await on_store(work);
}

asio::awaitable<Result<std::vector<std::vector<TextMatch>>>> JobQueue::matches(
    std::vector<std::string> ids, std::string text, int most) {
  using Matches = std::vector<std::vector<TextMatch>>;
  const auto work = [=](JobStore& store) -> Result<Matches> {
    Matches all;
    for (const auto& id : ids) {
      auto found = store.matches(id, text, most);
      if (!found) return found.error();
      all.push_back(*std::move(found));
    }
    return all;
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<bool>> JobQueue::index_next() {
  const auto work = [](JobStore& store) { return store.index_next(); };
  co_return co_await on_store(work);
}

}  // namespace server
