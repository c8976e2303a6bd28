#pragma once

#include <string>
#include <string_view>

namespace server {

// Returns a name, as of a file, without the characters that begin lines, steer terminals or turn
// the direction of writing: control characters (C0, DEL, C1), U+2028 to U+202E and U+2066 to
// U+2069. Every name that comes in from outside goes through here, so what shows it need not. Bytes
// that are no UTF-8 stay, but those that Latin-1 has as control characters.
std::string plain_name(std::string_view name);

}  // namespace server
