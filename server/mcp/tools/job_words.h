#pragma once

#include <string>
#include <vector>

#include "server/jobs/job.h"
#include "server/mcp/tools/delivery.h"
#include "server/mcp/tools/tool.h"

// What scribed says to a model about a job, in sentences without any name of a file.
namespace server {

// Returns "0:30, language en".
std::string about_recording(const Job& job);

// Returns what has to be known of a job that is done: that the CPU was used for want of a card, and
// the decoder's warnings.
std::vector<std::string> notes_of(const protocol::Transcript& summary);

// Returns likewise what a file of the transcript needs to be read rightly.
std::vector<std::string> notes_of_file(const protocol::Transcript& transcript,
                                       const Delivery& delivery);

// Returns the call that gives what follows the segment `next`, and for a job that is read to its
// end those that give the same recording in other forms.
std::string next_page(const Job& job, int next, const ToolSettings& settings);

// Returns the call that gives what follows the entry `next` of a file of the transcript.
std::string next_file_page(const Job& job, const Delivery& delivery, int next);

// Returns the call that gives the file of a job that has not ended.
std::string next_look(const Job& job, const Delivery& delivery, const ToolSettings& settings);

}  // namespace server
