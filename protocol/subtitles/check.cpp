#include "protocol/subtitles/check.h"

#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include "protocol/subtitles/atoms.h"
#include "protocol/subtitles/break_cost.h"
#include "protocol/subtitles/cue_pace.h"
#include "protocol/text_rules.h"

namespace protocol::subtitles {
namespace {

constexpr double written_s = 0.0015;  // files count milliseconds, of a start and of an end
constexpr double unrelated_s = 2;     // what is said after it belongs to another sentence

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::vector<std::string_view> lines_of_text(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(strip(text.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

// Returns whether a line has the dash of a cue in which two speak.
bool begins_another_voice(std::string_view line) {
  return line.starts_with('-') || line.starts_with("\u2013") || line.starts_with("\u2010");
}

// Returns whether lines of the text are joined without a space: Chinese and Japanese are, and
// Korean, which has wide letters, too, is not.
bool is_without_spaces(std::string_view text) {
  if (!is_wide(text)) return false;
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    UChar32 letter = 0;
    U8_NEXT(text.data(), at, size, letter);
    if (letter >= 0 && ::uscript_hasScript(letter, USCRIPT_HANGUL)) return false;
  }
  return true;
}

std::string without_spaces(std::string_view text) {
  return replace_space(text, "");
}

// Returns the cost of a break between two texts, by the same table as the layout's.
double cost_of_break(std::string_view before, std::string_view after, const std::string& language,
                     const Rules& rules) {
  const std::string joint = is_without_spaces(before) && is_without_spaces(after) ? "" : " ";
  Segment segment{.start = 0, .end = 1, .text = std::string(before) + joint + std::string(after)};
  const auto atoms = atoms_of(std::span(&segment, 1), language, rules);
  const auto costs = break_costs(atoms, language);
  const std::size_t wanted = without_spaces(before).size();
  std::size_t size = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    size += without_spaces(atoms[i].text).size();
    if (size >= wanted) return size == wanted ? costs[i].cost : bad_break;
  }
  return 0;
}

class CueCheck {
 public:
  CueCheck(const Cue& cue, const std::string& language) : cue_(cue), language_(language) {}

  void of_players(const Cue* before) {
    if (strip(cue_.text).empty()) add("empty", "it has no text");
    if (cue_.end < cue_.start) {
      add("length", "it ends before it starts");
    } else if (cue_.end == cue_.start) {
      add("length", "it has no length");
    }
    if (!before) return;
    if (cue_.start < before->start) {
      add("order", "it starts before the cue before it");
    } else if (cue_.start < before->end) {
      add("overlap",
          "it starts " + number(before->end - cue_.start, 3) + " s before the cue before it ends");
    }
  }

  void of_lines(const Rules& rules) {
    const auto lines = lines_of_text(cue_.text);
    if (lines.size() > most_lines) {
      add("lines", std::to_string(lines.size()) + " lines, at most " + std::to_string(most_lines));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const int most = is_wide(lines[i]) ? rules.wide_columns : rules.columns;
      const int columns = columns_of(lines[i]);
      if (columns <= most) continue;
      add("width", "line " + std::to_string(i + 1) + " has " + std::to_string(columns) +
                       (is_wide(lines[i]) ? " columns" : " characters") + ", at most " +
                       std::to_string(most));
    }
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      if (begins_another_voice(lines[i + 1])) continue;
      if (cost_of_break(lines[i], lines[i + 1], language_, rules) < bad_break) continue;
      add("break", "line " + std::to_string(i + 1) + " ends " + last_word(lines[i]));
    }
  }

  void of_times(const Cue* before, const Cue* after, const Rules& rules) {
    const double length = cue_.end - cue_.start;
    if (length <= 0) return;
    if (length < rules.shortest_s - written_s) {
      add("short", "it lasts " + number(length, 3) + " s, at least " + number(rules.shortest_s, 3));
    }
    if (length > rules.longest_s + written_s) {
      add("long", "it lasts " + number(length, 3) + " s, at most " + number(rules.longest_s, 3));
    }
    const double needed = reading_s(cue_.text, rules);
    if (needed > length + written_s) {
      const double most = is_wide(cue_.text) ? rules.wide_columns_per_s : rules.columns_per_s;
      add("speed",
          number(needed * most / length, 1) + " characters a second, at most " + number(most, 0));
    }
    if (before && cue_.start >= before->end && cue_.start - before->end < rules.gap_s - written_s) {
      add("gap", number(cue_.start - before->end, 3) + " s after the cue before it, at least " +
                     number(rules.gap_s, 3));
    }
    if (!after || after->start - cue_.end >= unrelated_s || cue_.speaker != after->speaker) return;
    const auto last = lines_of_text(cue_.text).back();
    const auto next = lines_of_text(after->text).front();
    if (last.empty() || next.empty()) return;
    if (begins_another_voice(last) || begins_another_voice(next)) return;
    if (cost_of_break(last, next, language_, rules) >= bad_break) {
      add("break", "it ends " + last_word(last));
    }
  }

  std::vector<Violation> take() { return std::move(found_); }

 private:
  void add(std::string rule, std::string what) {
    found_.push_back({std::move(rule), std::move(what)});
  }

  static std::string last_word(std::string_view line) {
    const auto space = line.find_last_of(' ');
    const auto word = space == line.npos ? line : line.substr(space + 1);
    return "within what belongs together, after \"" + std::string(word) + "\"";
  }

  const Cue& cue_;
  const std::string& language_;
  std::vector<Violation> found_{};
};

}  // namespace

std::optional<Violation> violation_of_writing(const ReadCue& cue) {
  switch (cue.wrong_sign) {
    case '.':
      return Violation{"times", "srt writes 00:00:01,500 and not 00:00:01.500"};
    case ',':
      return Violation{"times", "vtt writes 00:00:01.500 and not 00:00:01,500"};
    default:
      return std::nullopt;
  }
}

std::vector<Violation> violations_of(const Cue& cue, const Cue* before, const Cue* after,
                                     const std::string& language,
                                     const std::optional<Rules>& rules) {
  CueCheck check(cue, language);
  check.of_players(before);
  if (rules && !strip(cue.text).empty()) {
    check.of_lines(*rules);
    check.of_times(before, after, *rules);
  }
  return check.take();
}

}  // namespace protocol::subtitles
