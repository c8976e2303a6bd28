#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace protocol::openai::realtime {

// An event of a client with its sound apart: 20 MB of base64 take a parser of JSON a good part of
// a second, in which the thread of all others is held.
struct LongAppend {
  std::string rest{};                  // the event, whose "audio" is empty now
  std::optional<std::string> audio{};  // its escapes decoded; nothing: it cannot be base64
};

// Takes the sound out of a long event; nothing, where there is none to be taken: then the event is
// short, or has no string "audio". What is no JSON remains none.
std::optional<LongAppend> split_append(std::string_view event);

}  // namespace protocol::openai::realtime
