#pragma once

#include <string_view>

// How a decoder gets more memory. It starts with a small limit (RLIMIT_DATA) below its real one. If
// that is too little, it writes this line to its report once, and waits until the daemon has raised
// the limit to the real one (prlimit). The line is a constant and no Message, because there is no
// memory to write a message with.
namespace protocol::decoder {

inline constexpr std::string_view memory_wanted = "{\"type\":\"memory_wanted\"}\n";

}  // namespace protocol::decoder
