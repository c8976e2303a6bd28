#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "server/jobs/job.h"
#include "server/mcp/tools/delivery.h"

// What a model reads about a job. What was spoken is always marked as data, in a content block of
// its own behind everything that scribed says: anybody may have said anything into a microphone, or
// given a file any name.
namespace server {

// As many of the segments, which begin at delivery.offset, as fit into one answer; and how to go
// on, for a job that has not ended or a text that is longer.
mcp::Outcome page_answer(const Job& job, const std::vector<protocol::Segment>& segments,
                         const Delivery& delivery, const ToolSettings& settings);

// How to get the file of a job that has not ended.
ToolAnswer file_later_answer(Job job, Delivery delivery, const ToolSettings& settings);

// A file of the transcript, srt and the like, as the answer itself.
mcp::Outcome file_answer(const Job& job, const std::string& format, const std::string& file);

mcp::Outcome written_answer(const Job& job, const protocol::Transcript& transcript,
                            const std::string& file, std::size_t bytes);

ToolAnswer failed_answer(Job job);

// transcript://ID or transcript://ID.srt; "txt" needs no ending.
std::string transcript_uri(const std::string& job, const std::string& format);

// Whole characters of UTF-8 only.
std::string cut_text(std::string text, std::size_t bytes);

}  // namespace server
