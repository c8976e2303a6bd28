#include "server/jobs/speaker_rename.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "protocol/speakers.h"
#include "server/jobs/job_store.h"

namespace server {
namespace {

Error no_such_speaker(const std::string& label, const std::vector<std::string>& labels) {
  if (labels.empty()) {
    return {errc::usage, "The job has no speakers to name.",
            "They are told apart where a recording is submitted with diarize."};
  }
  return {errc::usage, fmt::format("There is no speaker {} in this job.", label),
          fmt::format("Its speakers are: {}.", fmt::join(labels, ", "))};
}

Result<void> change_name(const std::vector<std::string>& labels, const std::string& label,
                         const std::string& name, protocol::SpeakerNames& names) {
  if (std::ranges::find(labels, label) == labels.end()) return no_such_speaker(label, labels);
  if (name.empty() || name == label) {
    names.erase(label);
    return {};
  }
  const auto fine = protocol::check_speaker_name(name);
  if (fine) names[label] = name;
  return fine;
}

}  // namespace

std::vector<std::string> speaker_labels(const Job& job) {
  std::vector<std::string> labels;
  for (auto& [speaker, seconds] : protocol::speaker_times(job.summary.turns)) {
    labels.push_back(std::move(speaker));
  }
  return labels;
}

Result<Job> rename_speakers(JobStore& store, const std::string& id, const std::string& owner,
                            const protocol::SpeakerNames& changes) {
  auto found = store.find(id, owner);
  if (!found) return found.error();
  if (!*found) return job_not_found(id);
  Job job = **std::move(found);
  if (!has_ended(job.state)) {
    return Error{errc::job_not_ended, "The job has not ended, so its speakers are not known yet.",
                 "Name them when it has ended."};
  }
  const auto labels = speaker_labels(job);
  auto names = job.speaker_names;
  for (const auto& [label, name] : changes) {
    const auto changed = change_name(labels, label, name, names);
    if (!changed) return changed.error();
  }
  if (names == job.speaker_names) return job;
  const auto stored = store.set_speaker_names(id, names);
  if (!stored) return stored.error();
  job.speaker_names = std::move(names);
  return job;
}

}  // namespace server
