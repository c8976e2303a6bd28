#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/subtitles/rules.h"
#include "protocol/transcript.h"

namespace protocol::subtitles {

// A piece of text that a line may end after: a word, or some letters of a script without spaces.
struct Atom {
  std::string text{};      // without white space at its ends
  bool has_space = false;  // white space follows
  bool ends_word = true;   // false: a line had better not end here
  int columns = 0;         // width of the text
  double start = 0;
  double end = 0;

  friend bool operator==(const Atom&, const Atom&) = default;
};

// Returns the number of columns of a text: two for a wide character, none for marks that combine.
int columns_of(std::string_view text);

// Returns whether most columns of the text are of wide characters.
bool is_wide(std::string_view text);

// Cuts what one speaker says into atoms by Unicode's rules for line breaks (UAX #14, with ICU's
// dictionaries for scripts without spaces). A piece that is too wide for a line is cut between
// letters.
// Times come from the words, in proportion to letters within one. A segment without words shares
// its time among its letters. Words without a length share the time around them. Times are in
// order.
std::vector<Atom> atoms_of(std::span<const Segment> segments, const std::string& language,
                           const Rules& rules);

}  // namespace protocol::subtitles
