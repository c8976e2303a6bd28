#pragma once

#include <string>
#include <string_view>

namespace server::postgres {

// Returns the text as PostgreSQL can hold it: a NUL, and bytes that are no UTF-8, become U+FFFD.
std::string database_text(std::string_view text);

// Returns the same for a text that is a key: two that differ stay two. What database_text() would
// change is written in hexadecimal digits behind a U+FFFD.
std::string database_key(std::string_view key);

}  // namespace server::postgres
