#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "server/base/error.h"
#include "server/jobs/job.h"
#include "server/jobs/store_calls.h"

namespace server {

// A job and its segments from one of them on, all of one text: when a job ends, its speakers may
// give it other segments.
struct JobText {
  Job job{};
  std::vector<protocol::Segment> segments{};
};

// Finds a job and reads its segments from `first(job)` on, `most` at most, if nobody has edited
// them; nothing if there is no such job, or if it is somebody else's. No owner stands for all of
// them. It runs on the store's thread.
Result<std::optional<JobText>> find_text(JobStore& store, const std::string& id,
                                         const std::optional<std::string>& owner,
                                         const std::function<int(const Job&)>& first,
                                         int most = std::numeric_limits<int>::max());

// Finds a job and returns a version of its text; none: the newest. Where a person has said who
// speaks, by then, the turns are those of the segments. Nothing if there is no such job. The text
// is read in slices, on a thread that is not the store's. Errors: version_not_found, the store's,
// those of TextMemory, and client_gone where a stop was requested.
Result<std::optional<protocol::Transcript>> find_transcript(const OnStore& on_store,
                                                            const std::string& id,
                                                            std::optional<int> version,
                                                            TextBounds bounds = {});

// A text that was read, and its share of the memory of texts: whoever writes an answer of it keeps
// that until the text is gone.
struct ReadTranscript {
  protocol::Transcript transcript{};
  std::shared_ptr<void> memory{};
};

// The error of a version that a text does not have.
Error no_such_version(int version, int newest);

}  // namespace server
