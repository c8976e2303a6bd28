#pragma once

#include <string_view>

namespace engine {

// Returns the bytes of the text over its bytes when deflated (zlib, default level): above 2.4 it
// repeats itself. openai/whisper utils.py `compression_ratio`.
double compression_ratio(std::string_view text);

}  // namespace engine
