#pragma once

#include <string>
#include <vector>

#include "protocol/speaker_names.h"
#include "server/base/error.h"
#include "server/jobs/job.h"

namespace server {

class JobStore;

// Returns the labels of the job's speakers in the order in which they begin to speak, and behind
// them those that people gave to segments; none until it has ended.
std::vector<std::string> speaker_labels(const Job& job);

// Gives a speaker a name in `names`, which were the job's; empty: the label. Errors: usage for a
// label that neither the job nor `names` has, and bad_speaker_name.
Result<void> name_speaker(const Job& job, const std::string& label, const std::string& name,
                          protocol::SpeakerNames& names);

// Enters a label that a person gave to a segment into `names`, unless it is one of the job's. The
// error is that of check_speaker_names().
Result<void> note_speaker(const Job& job, const std::string& label, protocol::SpeakerNames& names);

// Returns the job's names with these changes; the errors are those of rename_speakers().
Result<protocol::SpeakerNames> changed_names(const Job& job, const protocol::SpeakerNames& changes);

// Names speakers of a job that has ended, and returns it as it is then. An empty name gives a
// speaker the label back; speakers whom `changes` does not have keep their names. Two labels may
// have one name: whom the networks took for two was one person, and each can be named anew. It runs
// on the store's thread. Errors: job_not_found, job_not_ended, bad_speaker_name, usage for a label
// that the job does not have, and the store's; no name is changed then.
Result<Job> rename_speakers(JobStore& store, const std::string& id, const std::string& owner,
                            const protocol::SpeakerNames& changes);

}  // namespace server
