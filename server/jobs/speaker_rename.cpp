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
            "Submit the recording with diarize to get them."};
  }
  return {errc::usage, fmt::format("There is no speaker {} in this job.", label),
          fmt::format("Its speakers are: {}.", fmt::join(labels, ", "))};
}

// Returns the labels of those who were told apart.
std::vector<std::string> heard_labels(const Job& job) {
  std::vector<std::string> labels;
  for (auto& [speaker, seconds] : protocol::speaker_times(job.summary.turns)) {
    labels.push_back(std::move(speaker));
  }
  return labels;
}

bool has(const std::vector<std::string>& labels, const std::string& label) {
  return std::ranges::find(labels, label) != labels.end();
}

// A label that a person gave is known by its name alone, so it has one: itself at first.
std::vector<std::string> all_labels(const Job& job, const protocol::SpeakerNames& names) {
  auto labels = heard_labels(job);
  for (const auto& [label, name] : names) {
    if (!has(labels, label)) labels.push_back(label);
  }
  return labels;
}

}  // namespace

std::vector<std::string> speaker_labels(const Job& job) {
  return all_labels(job, job.speaker_names);
}

Result<void> name_speaker(const Job& job, const std::string& label, const std::string& name,
                          protocol::SpeakerNames& names) {
  const auto labels = all_labels(job, names);
  if (!has(labels, label)) return no_such_speaker(label, labels);
  if (!name.empty() && name != label) {
    const auto fine = protocol::check_speaker_name(name);
    if (!fine) return fine;
    names[label] = name;
    return protocol::check_speaker_names(names);
  }
  if (has(heard_labels(job), label)) {
    names.erase(label);
  } else {
    names[label] = label;
  }
  return {};
}

Result<void> note_speaker(const Job& job, const std::string& label, protocol::SpeakerNames& names) {
  if (names.contains(label) || has(heard_labels(job), label)) return {};
  names.emplace(label, label);
  return protocol::check_speaker_names(names);
}

Result<protocol::SpeakerNames> changed_names(const Job& job,
                                             const protocol::SpeakerNames& changes) {
  if (!has_ended(job.state)) {
    return Error{errc::job_not_ended, "The job is not finished, so its speakers are not known yet.",
                 "Name them when the job is finished."};
  }
  auto names = job.speaker_names;
  for (const auto& [label, name] : changes) {
    const auto changed = name_speaker(job, label, name, names);
    if (!changed) return changed.error();
  }
  return names;
}

Result<Job> rename_speakers(JobStore& store, const std::string& id, const std::string& owner,
                            const protocol::SpeakerNames& changes) {
  auto found = store.find(id, owner);
  if (!found) return found.error();
  if (!*found) return job_not_found(id);
  Job job = **std::move(found);
  auto names = changed_names(job, changes);
  if (!names) return names.error();
  if (*names == job.speaker_names) return job;
  const auto stored = store.set_speaker_names(id, *names);
  if (!stored) return stored.error();
  job.speaker_names = *std::move(names);
  return job;
}

}  // namespace server
