#pragma once

#include <string_view>

#include "protocol/live/adapter.h"

namespace protocol::live {

// Returns the name of the file format that bytes begin with although they were declared as raw
// samples; empty: they may be samples. A WAV file of just these samples counts as samples, because
// many programs send its header first.
std::string_view container_of(std::string_view begin, const SoundFormat& declared);

}  // namespace protocol::live
