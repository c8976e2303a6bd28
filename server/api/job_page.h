#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/json_pieces.h"
#include "server/jobs/job.h"
#include "server/jobs/text_edit.h"

namespace server::api {

// A job of a list, and where the text that is looked for is in its transcript.
struct ListedJob {
  Job job{};
  std::vector<TextMatch> matches{};
};

// The text of a page of a list of jobs, which is written job by job: each once, and never all of
// them as JSON. It is used by one thread at a time.
class JobPage {
 public:
  // A page ends after so many bytes, however many jobs it may have.
  static constexpr std::size_t most_bytes = 256 << 10;

  // `reader` is who reads the page; `with_matches` says that a text is looked for.
  JobPage(std::string reader, std::size_t most_jobs, bool with_matches);

  // Adds jobs until the page is full, and returns how many it has taken.
  std::size_t add(const std::vector<ListedJob>& jobs);

  std::size_t jobs() const { return jobs_; }
  bool is_full() const { return jobs_ == most_jobs_ || text_.size() > most_bytes; }
  // Ends the page and returns its text.
  std::string take(bool has_more);

 private:
  std::string reader_;
  std::size_t most_jobs_;
  bool with_matches_;
  std::size_t jobs_ = 0;
  protocol::json::ObjectText text_{protocol::json::compact_style};
};

// Returns whether these jobs are so long that they are written on another thread than that of all
// requests. Short ones never wait for it.
bool is_long(const std::vector<ListedJob>& jobs);

}  // namespace server::api
