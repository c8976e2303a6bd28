#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

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
  protocol::WriterOptions writer{};
  bool with_words = false;  // the job finds the times of words
  bool diarized = false;    // the job tells speakers apart, who are known at its end
};

struct FormatSink {
  std::string format = "txt";
  std::unique_ptr<OutputSink> sink{};
};

// Follows a job and writes its text to `sinks`: formats that need no more than a segment's times
// and text as it comes, others, and what names speakers, when it has ended. With one of those all
// are written then. Returns the job as it was then. Errors: the job's own, cancelled (a signal
// came), those of the server and of the sinks; what was decided until then is written where partial
// transcripts are kept.
Result<nlohmann::json> write_followed_job(const FollowedOutput& wanted, const std::string& job,
                                          std::vector<FormatSink> sinks);

}  // namespace server
