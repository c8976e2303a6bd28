#include "server/jobs/job_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "protocol/speaker_names.h"
#include "protocol/speakers.h"
#include "server/jobs/job_store.h"
#include "server/jobs/queue_places.h"

namespace server {

Result<std::optional<JobText>> find_text(JobStore& store, const std::string& id,
                                         const std::optional<std::string>& owner,
                                         const std::function<int(const Job&)>& first, int most) {
  auto job = store.find(id, owner);
  if (!job) return job.error();
  if (!*job) return std::optional<JobText>();
  add_places(store, {&**job, 1});
  if ((*job)->version > 0) return std::optional(JobText{.job = **std::move(job)});
  const int begin = first(**job);
  auto segments = store.segments(id, begin, std::clamp((*job)->segments - begin, 0, most));
  if (!segments) return segments.error();
  return std::optional(JobText{**std::move(job), *std::move(segments)});
}

namespace {

// A job, and whether a person has said by a version who speaks.
struct FoundVersion {
  Job job{};
  int version = 0;
  bool names_speakers = false;
};

Result<std::optional<FoundVersion>> find_version(JobStore& store, const std::string& id,
                                                 std::optional<int> version) {
  auto job = store.find(id, std::nullopt);
  if (!job) return job.error();
  if (!*job) return std::optional<FoundVersion>();
  const int wanted = version.value_or((*job)->version);
  if (wanted < 0 || wanted > (*job)->version) return no_such_version(wanted, (*job)->version);
  const auto versions = store.versions(id, wanted, wanted);
  if (!versions) return versions.error();
  const bool names_speakers =
      std::ranges::any_of(*versions, [](const auto& one) { return one.ops.contains("speaker"); });
  return std::optional(FoundVersion{**std::move(job), wanted, names_speakers});
}

// Those of an edited version get their numbers for ids.
std::vector<protocol::Segment> read_segments(const TextReader& reader, const FoundVersion& found) {
  std::vector<protocol::Segment> segments;
  for (double place = before_all_places;;) {
    const auto some = reader.slice(found.version, place);
    if (some.empty()) return segments;
    place = some.back().place;
    for (const auto& stored : some) {
      auto one = decoded(stored);
      if (!one) continue;
      if (found.version > 0) one->segment.id = static_cast<int>(segments.size());
      one->segment.speaker = protocol::called(found.job.speaker_names, one->segment.speaker);
      // The text of the whole is kept, too.
      const auto taken = reader.take(memory_of(one->segment) + one->segment.text.size());
      if (!taken) throw TextFailure{taken.error()};
      segments.push_back(std::move(one->segment));
    }
  }
}

}  // namespace

Result<std::optional<protocol::Transcript>> find_transcript(const OnStore& on_store,
                                                            const std::string& id,
                                                            std::optional<int> version,
                                                            TextBounds bounds) {
  using Found = Result<std::optional<FoundVersion>>;
  const auto look = [&] {
    Found found;
    on_store([&](JobStore& store) { found = find_version(store, id, version); });
    return found;
  };
  const TextReader reader(on_store, id, std::move(bounds));
  try {
    for (auto found = look();; found = look()) {
      if (!found) return found.error();
      if (!*found) return std::optional<protocol::Transcript>();
      auto segments = read_segments(reader, **found);
      // When a job ends, its speakers may cut what was read before.
      const auto now = has_ended((*found)->job.state) ? found : look();
      const bool is_whole = now && *now && (*now)->job.state == (*found)->job.state;
      if (!is_whole) continue;
      auto transcript = transcript_of((*found)->job, std::move(segments));
      if ((*found)->names_speakers) transcript.turns = protocol::turns_of(transcript.segments);
      return std::optional(std::move(transcript));
    }
  } catch (const TextFailure& failure) {
    return failure.error;
  }
}

Error no_such_version(int version, int newest) {
  return {errc::version_not_found,
          fmt::format("The text has no version {}: its versions are 0 to {}.", version, newest),
          "Ask for one of those."};
}

}  // namespace server
