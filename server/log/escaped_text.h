#pragma once

#include <string>
#include <string_view>

namespace server {

// Returns the content of a JSON string. Nothing in it can end a line, move a cursor or turn the
// direction of writing: controls (C0, DEL, C1), line separators, directions and invisible
// characters are written as \u…, what is no UTF-8 as \ufffd. The result has at most about
// `max_bytes` bytes, and ends with "…" where it was cut.
std::string escaped_text(std::string_view text, std::size_t max_bytes);

// Returns the text as it is, cut after `max_characters` and then ended with "…"; what
// escaped_text() would write as \u… becomes U+FFFD.
std::string visible_text(std::string_view text, std::size_t max_characters);

// Returns a name or a foreign message as one line of text for a terminal. It escapes what
// escaped_text() escapes, but quotes and backslashes stay as they are, and nothing is cut off.
std::string printable_line(std::string_view text);

// Returns text that people read, such as a transcript, for a terminal. Only controls are escaped,
// except line feeds and tabs: some scripts need the invisible characters.
std::string printable_text(std::string_view text);

// Returns whether this text has to be quoted as a logfmt value.
bool needs_quotes(std::string_view text);

}  // namespace server
