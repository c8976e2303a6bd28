#pragma once

#include <optional>
#include <string>
#include <string_view>

// Edits of a JSON text that leave every other byte as it is. The text must have been parsed: what
// is no JSON gives any result.
namespace server {

// A part of a text: [begin, end).
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Returns where the object of the whole text stands, from { to }.
TextSpan root_object(std::string_view json);

// Returns where the value of a member of `object` stands; empty if there is no such member.
std::optional<TextSpan> member_value(std::string_view json, TextSpan object, std::string_view key);

// Returns the text with a member added at the end of `object`, indented as the other members are.
// `value` is indented by two spaces for each level of its own.
std::string with_member(std::string_view json, TextSpan object, std::string_view key,
                        std::string_view value);

// Returns the text with another value in the place of the one at `place`.
std::string with_value(std::string_view json, TextSpan place, std::string_view value);

}  // namespace server
