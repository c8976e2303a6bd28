#include "engine/whisper/text/split_pieces.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdint>

namespace engine {
namespace {

enum class Kind { letter, number, space, other, end };

Kind kind_of(UChar32 c) {
  const auto mask = U_GET_GC_MASK(c);
  if (mask & U_GC_L_MASK) return Kind::letter;
  if (mask & U_GC_N_MASK) return Kind::number;
  return u_isUWhiteSpace(c) ? Kind::space : Kind::other;
}

struct Position {
  Kind kind = Kind::end;
  size_t end = 0;  // where the next character starts
};

Position look_at(std::string_view text, size_t at) {
  if (at >= text.size()) return {Kind::end, at};
  UChar32 c = 0;
  U8_NEXT_OR_FFFD(text.data(), at, text.size(), c);
  return {kind_of(c), at};
}

size_t contraction_length(std::string_view text) {
  constexpr std::array<std::string_view, 7> contractions = {"'s", "'t",  "'re", "'ve",
                                                            "'m", "'ll", "'d"};
  for (const auto contraction : contractions) {
    if (text.starts_with(contraction)) return contraction.size();
  }
  return 0;
}

// Returns the end of a run of white space. What follows keeps the last character of it, which a
// word takes as its leading space, unless the run ends the text or is one character long.
size_t space_end(std::string_view text, size_t begin) {
  size_t last = begin;
  Position next = look_at(text, begin);
  size_t end = begin;
  while (next.kind == Kind::space) {
    last = end;
    end = next.end;
    next = look_at(text, end);
  }
  return next.kind == Kind::end || last == begin ? end : last;
}

size_t piece_end(std::string_view text, size_t begin) {
  if (const size_t length = contraction_length(text.substr(begin))) return begin + length;
  Position next = look_at(text, begin);
  if (text[begin] == ' ') {
    const Position after = look_at(text, begin + 1);
    if (after.kind != Kind::end && after.kind != Kind::space) next = after;
  }
  if (next.kind == Kind::space) return space_end(text, begin);
  const Kind kind = next.kind;
  size_t end = next.end;
  for (next = look_at(text, end); next.kind == kind; next = look_at(text, end)) end = next.end;
  return end;
}

}  // namespace

std::vector<std::string_view> split_pieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = piece_end(text, begin);
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

}  // namespace engine
