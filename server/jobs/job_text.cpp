#include "server/jobs/job_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
  const int begin = first(**job);
  auto segments = store.segments(id, begin, std::clamp((*job)->segments - begin, 0, most));
  if (!segments) return segments.error();
  return std::optional(JobText{**std::move(job), *std::move(segments)});
}

Result<std::optional<protocol::Transcript>> find_transcript(JobStore& store, const std::string& id,
                                                            std::optional<int> version) {
  constexpr int all = -1;
  auto job = store.find(id, std::nullopt);
  if (!job) return job.error();
  if (!*job) return std::optional<protocol::Transcript>();
  const int wanted = version.value_or((*job)->version);
  if (wanted < 0 || wanted > (*job)->version) return no_such_version(wanted, (*job)->version);
  auto segments = store.segments(id, 0, all, wanted);
  if (!segments) return segments.error();
  const auto versions = store.versions(id, wanted, wanted);
  if (!versions) return versions.error();
  auto transcript = transcript_of(**job, *std::move(segments));
  const bool names_speakers =
      std::ranges::any_of(*versions, [](const auto& one) { return one.ops.contains("speaker"); });
  if (names_speakers) transcript.turns = protocol::turns_of(transcript.segments);
  return std::optional(std::move(transcript));
}

Error no_such_version(int version, int newest) {
  return {errc::version_not_found,
          fmt::format("The text has no version {}: its versions are 0 to {}.", version, newest),
          "Ask for one of those."};
}

}  // namespace server
