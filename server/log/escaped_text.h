#pragma once

#include <string>
#include <string_view>

namespace server {

// The content of a JSON string. Nothing in it can end a line, move a cursor or turn the direction
// of writing: controls (C0, DEL, C1), line separators, directions and invisible characters are
// written as \u…, what is no UTF-8 as \ufffd. At most about `max_bytes` long, and "…" at its end
// then.
std::string escaped_text(std::string_view text, std::size_t max_bytes);

// The text as it is, up to so many characters and "…" behind them; what escaped_text() would write
// as \u… is U+FFFD.
std::string visible_text(std::string_view text, std::size_t max_characters);

// For a terminal: a name or a foreign message as one line of text. Likewise, but quotes and
// backslashes stay as they are, and nothing is cut off.
std::string printable_line(std::string_view text);

// For a terminal: text that people read, such as a transcript. Controls alone are escaped, but for
// line feeds and tabs: some scripts need the invisible characters.
std::string printable_text(std::string_view text);

// Whether a logfmt value of this text has to be quoted.
bool needs_quotes(std::string_view text);

}  // namespace server
