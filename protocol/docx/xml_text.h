#pragma once

#include <string>
#include <string_view>

namespace protocol::docx {

// Returns the text as XML has it, in elements and attributes: marked characters are escaped, bytes
// that are no UTF-8 and characters that XML cannot hold are U+FFFD, and lines are one.
std::string xml_text(std::string_view text);

}  // namespace protocol::docx
