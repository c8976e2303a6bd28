#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "protocol/known_speaker.h"
#include "protocol/transcript.h"
#include "server/base/error.h"
#include "server/process/decoders.h"

namespace server {

// Decodes the clip of a speaker's voice, in a process of its own as all sound. Errors:
// unusable_clip where it is no sound or too long a one, else the decoder's.
asio::awaitable<Result<protocol::KnownSpeaker>> read_known_speaker(Decoders& decoders,
                                                                   std::string name,
                                                                   platform::UniqueFd file);

// Returns a sentence about those who are known and were not heard; empty: all were.
std::string warning_of_unheard(const std::vector<protocol::KnownSpeaker>& known,
                               const protocol::Transcript& transcript);

}  // namespace server
