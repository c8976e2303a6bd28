#pragma once

#include <string>
#include <vector>

#include "protocol/speaker_names.h"
#include "server/base/error.h"
#include "server/jobs/job.h"

namespace server {

class JobStore;

// Returns the labels of the job's speakers in the order in which they begin to speak; none until it
// has ended.
std::vector<std::string> speaker_labels(const Job& job);

// Names speakers of a job that has ended, and returns it as it is then. An empty name gives a
// speaker the label back; speakers whom `changes` does not have keep their names. Two labels may
// have one name: whom the networks took for two was one person, and each can be named anew. It runs
// on the store's thread. Errors: job_not_found, job_not_ended, bad_speaker_name, usage for a label
// that the job does not have, and the store's; no name is changed then.
Result<Job> rename_speakers(JobStore& store, const std::string& id, const std::string& owner,
                            const protocol::SpeakerNames& changes);

}  // namespace server
