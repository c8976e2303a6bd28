#include "protocol/subtitles/read_cues.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "protocol/text_rules.h"

namespace protocol::subtitles {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Reads "01:02:03,004" or "02:03.004".
std::optional<double> clock_of(std::string_view text) {
  double seconds = 0;
  for (std::size_t part = 0; part < 3 && !text.empty(); ++part) {
    int value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || value < 0) return std::nullopt;
    seconds = seconds * 60 + value;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(',') || text.starts_with('.')) {
      int thousandths = 0;
      const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), thousandths);
      const bool is_whole = read.ptr == text.data() + text.size() && text.size() == 4;
      return is_whole ? std::optional(seconds + thousandths / 1000.0) : std::nullopt;
    }
    if (!text.starts_with(':')) return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

std::optional<Cue> times_of(std::string_view line) {
  const auto arrow = line.find("-->");
  if (arrow == line.npos) return std::nullopt;
  const auto start = clock_of(strip(line.substr(0, arrow)));
  const auto after = strip(line.substr(arrow + 3));
  const auto end = clock_of(after.substr(0, after.find_first_of(" \t")));
  if (!start || !end) return std::nullopt;
  return Cue{.start = *start, .end = *end};
}

// Finds a sign behind a place that only moves on, and looks at each letter once.
class NextSign {
 public:
  NextSign(std::string_view text, char sign)
      : text_(text), sign_(sign), at_(std::min(text.find(sign), text.size())) {}

  // Returns the size of the text if there is none.
  std::size_t behind(std::size_t place) {
    if (at_ < place) at_ = std::min(text_.find(sign_, place), text_.size());
    return at_;
  }

 private:
  std::string_view text_;
  char sign_;
  std::size_t at_;
};

// Takes tags out: <i>, <v Ann>, <00:01.000> and srt's {\an8}. What looks like one and is none
// stays.
std::string without_tags(std::string_view text, std::string& speaker) {
  std::string plain;
  NextSign angle(text, '>');
  NextSign brace(text, '}');
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = text.substr(at);
    const bool is_tag = rest.size() > 1 && rest[0] == '<' &&
                        std::string_view("/bciruv0123456789f").find(rest[1]) != rest.npos;
    const bool is_command = rest.starts_with("{\\");
    const auto end = is_tag ? angle.behind(at) : is_command ? brace.behind(at) : text.size();
    if (end == text.size()) {
      plain += text[at++];
      continue;
    }
    if (rest.starts_with("<v ")) speaker = rest.substr(3, end - at - 3);
    at = end + 1;
  }
  return plain;
}

std::string without_escapes(std::string text) {
  using Escape = std::array<std::string_view, 2>;
  constexpr std::array<Escape, 5> escapes{
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", " "}, {"&lrm;", ""}, {"&amp;", "&"}}};
  for (const auto& [name, sign] : escapes) text = replace_all(text, name, sign);
  return text;
}

// Returns the sign of a line of times that does not belong into the format; 0: there is none.
char wrong_sign_of(std::string_view line, bool is_vtt) {
  const char wrong = is_vtt ? ',' : '.';
  const auto arrow = line.find("-->");
  const auto after = strip(line.substr(arrow + 3));
  const bool has_some = line.substr(0, arrow).find(wrong) != line.npos ||
                        after.substr(0, after.find_first_of(" \t")).find(wrong) != line.npos;
  return has_some ? wrong : '\0';
}

std::optional<Error> unreadable(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return Error{not_subtitles, "it is in UTF-16", "Save it as UTF-8."};
  }
  if (strip(text).empty()) {
    return Error{not_subtitles, "it is empty", "Subtitles in srt and vtt are read."};
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<ReadCue>> read_cues(std::string_view text) {
  if (auto error = unreadable(text)) return *std::move(error);
  const auto lines = lines_of(text);
  const bool is_vtt = !lines.empty() && lines.front().starts_with("WEBVTT");
  std::vector<ReadCue> cues;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto cue = times_of(lines[i]);
    if (!cue) continue;
    ReadCue read{.number = static_cast<int>(cues.size()) + 1,
                 .line = static_cast<int>(i) + 1,
                 .wrong_sign = wrong_sign_of(lines[i], is_vtt)};
    std::string raw;
    for (; i + 1 < lines.size() && !strip(lines[i + 1]).empty(); ++i) {
      if (!raw.empty()) raw += '\n';
      raw += lines[i + 1];
    }
    cue->text = without_tags(raw, cue->speaker);
    if (is_vtt) cue->text = without_escapes(std::move(cue->text));
    read.cue = *std::move(cue);
    cues.push_back(std::move(read));
  }
  const bool is_empty_vtt = is_vtt && text.find("-->") == text.npos;
  if (cues.empty() && !is_empty_vtt) {
    return Error{not_subtitles, "it has no line of times such as 00:00:01,000 --> 00:00:02,500",
                 "Subtitles in srt and vtt are read."};
  }
  return cues;
}

}  // namespace protocol::subtitles
