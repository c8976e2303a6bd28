#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "server/client/api_client.h"
#include "server/commands/interruption.h"
#include "server/commands/progress_line.h"
#include "server/commands/transcript_output.h"

namespace server {

// What a command asks of a job that it follows.
struct FollowedOutput {
  const ApiClient& client;
  Interruption& interruption;
  ProgressLine& progress;
  std::string format = "txt";
  protocol::WriterOptions writer{};
  bool with_words = false;  // the job finds the times of words
  bool diarized = false;    // the job tells speakers apart, who are known at its end
};

// Follows a job and writes its text to `sink`: formats that need no more than a segment's times and
// text as it comes, others, and what names speakers, when it has ended. Returns the job as it was
// then. Errors: the job's own, cancelled (a signal came), those of the server and of the sink; what
// was decided until then is written.
Result<nlohmann::json> write_followed_job(const FollowedOutput& wanted, const std::string& job,
                                          std::unique_ptr<OutputSink> sink);

}  // namespace server
