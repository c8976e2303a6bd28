#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "server/jobs/edited_text.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/long_work.h"
#include "server/jobs/on_store.h"
#include "server/jobs/page_reader.h"
#include "server/jobs/speaker_rename.h"
#include "server/jobs/text_scan.h"

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
  auto reading = find_text(
      std::move(id), std::nullopt, [first](const Job&) { return first; }, limit);
  auto found = co_await std::move(reading);
  if (!found) co_return found.error();
  if (!*found) co_return std::vector<protocol::Segment>();
  co_return std::move((*found)->segments);
}

// Others are answered between two slices. When the job ends meanwhile its speakers may cut what was
// read, and all is read again.
asio::awaitable<Result<std::optional<JobText>>> JobQueue::find_text(
    std::string id, std::optional<std::string> owner, std::function<int(const Job&)> first,
    int most) {
  Result<std::optional<JobText>> found;
  while (true) {
    const auto work = [=](JobStore& store) {
      return server::find_text(store, id, owner, first, std::min(most, most_read_at_once));
    };
    found = co_await on_store(work);
    if (!found || !*found) co_return found;
    auto reading = read_on(**found, first, most);
    const auto read = co_await std::move(reading);
    if (!read) co_return read.error();
    if (*read) break;
  }
  add_progress((*found)->job);
  co_return found;
}

asio::awaitable<Result<bool>> JobQueue::read_on(JobText& text, std::function<int(const Job&)> first,
                                                int most) {
  const Job job = text.job;
  const int begin = first(job);
  if (job.version > 0) {
    auto reading = read_edited(text, begin, most);
    co_return co_await std::move(reading);
  }
  const int end = begin + std::clamp(job.segments - begin, 0, most);
  for (int at = begin + most_read_at_once; at < end; at += most_read_at_once) {
    const int size = std::min(most_read_at_once, end - at);
    const auto work = [id = job.id, at, size](JobStore& store) {
      return store.segments(id, at, size);
    };
    auto some = co_await on_store(work);
    if (!some) co_return some.error();
    std::ranges::move(*some, std::back_inserter(text.segments));
  }
  if (has_ended(job.state)) co_return true;
  const auto now = co_await find(job.id, std::nullopt);
  if (!now) co_return now.error();
  co_return !*now || (*now)->state == job.state;
}

asio::awaitable<Result<bool>> JobQueue::read_edited(JobText& text, int skipped, int most) {
  const Job job = text.job;
  int number = 0;
  for (std::optional<double> from = before_all_places;
       from && std::ssize(text.segments) < std::int64_t{most};) {
    const auto work = [=](JobStore& store) -> Result<TextSlice> {
      TextSlice slice;
      const auto read = store.read_text(job.id, [&](const TextRows& rows) {
        slice = rows.read(job.version, *from, text_slice_rows, text_slice_bytes);
      });
      if (!read) return read.error();
      return slice;
    };
    const auto slice = co_await on_store(work);
    if (!slice) co_return slice.error();
    for (const auto& stored : slice->segments) {
      const int id = number++;
      if (id < skipped || std::ssize(text.segments) >= std::int64_t{most}) continue;
      auto one = decoded(stored);
      if (!one) continue;
      one->segment.id = id;
      one->segment.speaker = protocol::called(job.speaker_names, one->segment.speaker);
      text.segments.push_back(std::move(one->segment));
    }
    from = slice->next;
  }
  co_return true;
}

// A short text without a history is read in one call of the store. Readers take turns also there,
// but wait for no long text of theirs, whose memory has its turn.
asio::awaitable<Result<ReadTranscript>> JobQueue::transcript(Job job, std::optional<int> version,
                                                             std::string reader) {
  if (reader.empty()) reader = job.request.owner;
  if (job.version > 0 || job.segments > most_read_at_once) {
    auto reading = long_transcript(std::move(job), version, std::move(reader));
    co_return co_await std::move(reading);
  }
  auto entering = owners_line_.enter(reader + " reads a short text");
  const auto turn = co_await std::move(entering);
  const auto work = [id = job.id, version](JobStore& store) {
    return find_transcript(directly(store), id, version);
  };
  auto found = co_await on_store(work);
  if (!found) co_return found.error();
  if (!*found) co_return job_not_found(job.id);
  co_return ReadTranscript{.transcript = **std::move(found)};
}

// The memory has the reader's turn, too.
asio::awaitable<Result<ReadTranscript>> JobQueue::long_transcript(Job job,
                                                                  std::optional<int> version,
                                                                  std::string reader) {
  using Found = std::optional<protocol::Transcript>;
  struct Reading {
    std::shared_ptr<void> turn;
    std::shared_ptr<TextMemory::Share> memory;
  };
  // Readers wait in no line of edits. No owner has a name with a space.
  auto entering = owners_line_.enter(reader + " reads");
  auto turn = co_await std::move(entering);
  const auto reading = std::make_shared<Reading>(
      std::move(turn), std::make_shared<TextMemory::Share>(text_memory_, std::move(reader)));
  LongWork<Found> work = [id = job.id, version, memory = reading->memory](const OnStore& on_store,
                                                                          std::stop_token stop) {
    return find_transcript(on_store, id, version, {std::move(stop), memory});
  };
  auto running = long_work_in<Found>(reading, std::move(work));
  auto found = co_await std::move(running);
  if (!found) co_return found.error();
  if (!*found) co_return job_not_found(job.id);
  co_return ReadTranscript{**std::move(found), reading};
}

asio::awaitable<std::shared_ptr<void>> JobQueue::turn_to_change(std::string owner) {
  return owners_line_.enter(owner + " changes");
}

asio::awaitable<Result<Job>> JobQueue::rename_speakers(std::string id, std::string owner,
                                                       protocol::SpeakerNames changes) {
  auto entering = turn_to_change(owner);
  const auto turn = co_await std::move(entering);
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
  auto entering = turn_to_change(owner);
  const auto turn = co_await std::move(entering);
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

void JobQueue::note_stored(JobStore& store) const {
  if (auto stored = store.stored_bytes(); stored && *stored) {
    settings_.note_stored(**std::move(stored));
  }
}

// The room is asked for when the edits before it in the owner's line have taken theirs. A caller
// that is cancelled may still have made the version, and who watches is told.
asio::awaitable<EditResult> JobQueue::long_edit(TextTarget target, EditWork edit) {
  struct Edited {
    EditResult result{};
  };
  auto entering = owners_line_.enter(target.owner);
  auto turn = co_await std::move(entering);
  const auto room = settings_.check_stored(target.owner, 0);
  if (!room) co_return EditRefusal{.error = room.error()};
  target.most_growth = *room;
  const auto memory = std::make_shared<TextMemory::Share>(text_memory_, target.owner);
  LongWork<Edited> work = [this, life = life(), target, memory, edit = std::move(edit)](
                              const OnStore& on_store, std::stop_token stop) -> Result<Edited> {
    Edited edited{edit(target, on_store, {std::move(stop), memory})};
    if (!edited.result) return edited;
    edited.result->memory = memory;
    on_store([this](JobStore& store) { note_stored(store); });
    asio::post(executor_, [this, life, target] {
      if (!life.expired()) tell(JobNotice{.id = target.id, .owner = target.owner});
    });
    return edited;
  };
  const std::string owner = target.owner;
  auto editing = long_work_in<Edited>(std::move(turn), std::move(work));
  auto edited = co_await std::move(editing);
  if (!edited) co_return EditRefusal{.error = edited.error()};
  auto result = std::move(edited->result);
  if (!result && result.error().error.code == "too_many_bytes") {
    // Says which limit is in the way: the owner's or that of the disk.
    const auto why = settings_.check_stored(owner, *room + 1);
    if (!why && why.error().code != "too_many_bytes") co_return EditRefusal{.error = why.error()};
  }
  co_return result;
}

asio::awaitable<EditResult> JobQueue::edit(TextTarget target, std::vector<TextEdit> edits) {
  EditWork work = [edits = std::move(edits)](const TextTarget& whose, const OnStore& on_store,
                                             TextBounds bounds) {
    return edit_text(on_store, whose, edits, std::move(bounds));
  };
  auto editing = long_edit(std::move(target), std::move(work));
  co_return co_await std::move(editing);
}

asio::awaitable<EditResult> JobQueue::restore(TextTarget target, int version) {
  EditWork work = [version](const TextTarget& whose, const OnStore& on_store, TextBounds bounds) {
    return restore_text(on_store, whose, version, std::move(bounds));
  };
  auto restoring = long_edit(std::move(target), std::move(work));
  co_return co_await std::move(restoring);
}

asio::awaitable<Result<TextPage>> JobQueue::text_page(std::string id, std::optional<int> version,
                                                      std::optional<std::int64_t> behind,
                                                      int limit) {
  const auto reader = std::make_shared<PageReader>(std::move(id), version, behind, limit);
  while (true) {
    const auto work = [reader](JobStore& store) { return reader->read_on(store); };
    const auto is_whole = co_await on_store(work);
    if (!is_whole) co_return is_whole.error();
    if (*is_whole) co_return reader->take();
  }
}

asio::awaitable<Result<std::vector<TextVersion>>> JobQueue::versions(std::string id, int from,
                                                                     int limit) {
  const auto work = [=](JobStore& store) { return store.versions(id, from, limit); };
  co_return co_await on_store(work);
}

asio::awaitable<Result<std::vector<std::vector<TextMatch>>>> JobQueue::matches(
    std::vector<std::string> ids, std::string text, int most) {
  using Matches = std::vector<TextMatch>;
  std::vector<Matches> all;
  for (const auto& id : ids) {
    const auto work = [id, text, most](JobStore& store) { return store.matches(id, text, most); };
    auto found = co_await on_store(work);
    if (!found) co_return found.error();
    if (*found) {
      all.push_back(**std::move(found));
      continue;
    }
    const auto job = co_await find(id, std::nullopt);
    if (!job) co_return job.error();
    if (!*job) {
      all.emplace_back();
      continue;
    }
    LongWork<Matches> scan = [job = **job, text, most](const OnStore& on_store,
                                                       std::stop_token stop) {
      return scan_for_matches(on_store, job, text, most, std::move(stop));
    };
    auto scanning = long_work<Matches>((*job)->request.owner, std::move(scan));
    auto scanned = co_await std::move(scanning);
    // It was removed meanwhile.
    const bool is_gone = !scanned && scanned.error().code == errc::job_not_found;
    if (!scanned && !is_gone) co_return scanned.error();
    all.push_back(is_gone ? Matches() : *std::move(scanned));
  }
  co_return all;
}

asio::awaitable<Result<bool>> JobQueue::texts_stand_in(Job job, std::vector<std::string> texts,
                                                       std::string owner) {
  LongWork<bool> work = [job = std::move(job), texts = std::move(texts)](const OnStore& on_store,
                                                                         std::stop_token stop) {
    return server::texts_stand_in(on_store, job, texts, std::move(stop));
  };
  auto looking = long_work<bool>(std::move(owner), std::move(work));
  auto found = co_await std::move(looking);
  // It was removed meanwhile.
  if (!found && found.error().code == errc::job_not_found) co_return false;
  co_return found;
}

asio::awaitable<Result<bool>> JobQueue::index_next() {
  const auto work = [](JobStore& store) { return store.index_next(); };
  co_return co_await on_store(work);
}

}  // namespace server
