#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job.h"

namespace server {

// Which of an owner's jobs are wanted; what is empty lets all of them through.
struct JobFilter {
  std::vector<JobState> states{};  // any of them; every state if there are none
  std::string model{};             // as the job has it: an installed model
  std::string language{};          // a code
  std::optional<bool> pinned{};
  // Each stands in the title, in the file's name, in a segment's text or in a speaker's name, in
  // any letter case.
  std::vector<std::string> texts{};

  friend bool operator==(const JobFilter&, const JobFilter&) = default;
};

// A place in the list of an owner's jobs: behind the job of that id, or behind the one that had the
// number, if it is still there or not; at the beginning if both are empty.
struct JobPlace {
  std::string id{};
  std::int64_t number = 0;
};

// What was found among some of an owner's jobs, the newest first.
struct JobSlice {
  std::vector<Job> jobs{};
  // The last job that was looked at, if it passes the filter but for its texts, which are long and
  // have to be read (text_scan.h).
  std::optional<Job> unread{};
  std::optional<JobPlace> end{};  // where to go on; nothing: there are no more jobs
};

}  // namespace server
