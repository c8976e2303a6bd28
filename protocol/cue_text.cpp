#include "protocol/cue_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/text_direction.h"
#include "protocol/text_rules.h"

namespace protocol {
namespace {

constexpr char dash[] = "- ";

using CueEscape = std::string (*)(std::string_view);

// Makes "->" of all dashes before a '>', which are an arrow if they are two or more.
std::string without_arrows(std::string_view text) {
  std::string plain;
  std::size_t dashes = 0;  // at the end of `plain`
  for (const char c : text) {
    if (c == '>' && dashes > 1) plain.resize(plain.size() - (dashes - 1));
    dashes = c == '-' ? dashes + 1 : 0;
    plain += c;
  }
  return plain;
}

std::string vtt_escaped(std::string_view text) {
  std::string escaped = replace_all(text, "&", "&amp;");
  escaped = replace_all(escaped, "<", "&lt;");
  return replace_all(escaped, ">", "&gt;");
}

// The format has no escapes: braces hold commands, and a backslash before a letter is one.
std::string ass_escaped(std::string_view text) {
  std::string escaped = replace_all(text, "\\", "\\\u2060");
  escaped = replace_all(replace_all(escaped, "{", "("), "}", ")");
  return replace_all(escaped, "\n", "\\N");
}

std::string name_in_line(std::string_view name) {
  std::string line(name);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\r', ' ');
  return line;
}

// Keeps the length of the text, so that places in it stay the same.
void replace_line_ends(std::string& text) {
  std::ranges::replace(text, '\r', '\n');
  const auto is_control = [](char c) {
    return c == '\0' || c == '\v' || c == '\f' || (c >= '\x1c' && c <= '\x1e');
  };
  std::ranges::replace_if(text, is_control, ' ');
  for (const std::string_view sign : {"\u0085", "\u2028", "\u2029"}) {
    for (auto at = text.find(sign); at != text.npos; at = text.find(sign, at)) {
      text.replace(at, sign.size(), sign.size(), ' ');
    }
  }
}

// Puts a mark before each line of a right-to-left cue that looks as if it was from left to right.
//   label: comes before the first line, and has a mark of its own
Cue with_direction(Cue cue, std::string& label) {
  if (!cue.is_right_to_left) return cue;
  if (looks_left_to_right(label)) label.insert(0, right_to_left_mark);
  const auto insert = [&](std::size_t at) {
    cue.text.insert(at, right_to_left_mark);
    const auto move = [&](std::size_t& place, bool begins) {
      if (place > at || (begins && place == at)) place += right_to_left_mark.size();
    };
    if (cue.underlined) {
      move(cue.underlined->begin, true);
      move(cue.underlined->end, false);
    }
    for (CueWord& word : cue.words) move(word.begin, true);
  };
  for (std::size_t at = 0; at < cue.text.size();) {
    const std::size_t end = std::min(cue.text.find('\n', at), cue.text.size());
    const auto line = std::string_view(cue.text).substr(at, end - at);
    const bool is_labeled = at == 0 && !label.empty();
    const bool is_marked = !is_labeled && looks_left_to_right(line);
    if (is_marked) insert(at);
    at = end + 1 + (is_marked ? right_to_left_mark.size() : 0);
  }
  return cue;
}

std::string with_mark(const Cue& plain, std::string label, CueEscape escape) {
  const Cue cue = with_direction(plain, label);
  const std::string_view text = cue.text;
  if (!cue.underlined) return escape(label += text);
  const auto [begin, end] = *cue.underlined;
  return escape(label += text.substr(0, begin)) + "<u>" + escape(text.substr(begin, end - begin)) +
         "</u>" + escape(text.substr(end));
}

std::string cue_label(const Cue& cue, bool tells_speaker) {
  return tells_speaker && !cue.speaker.empty() ? name_in_line(cue.speaker) + ": " : std::string();
}

// Returns the two speakers of a cue with a reply as cues of one line.
std::array<Cue, 2> voices_of(const Cue& cue) {
  Cue first = cue;
  first.reply.reset();
  return {std::move(first), Cue{.start = cue.start,
                                .end = cue.end,
                                .text = cue.reply->text,
                                .speaker = cue.reply->speaker,
                                .is_channel = cue.reply->is_channel,
                                .is_right_to_left = cue.is_right_to_left}};
}

// Returns a line of a cue in which two speak. Its voice needs an end, since another one follows.
std::string vtt_line(const Cue& voice) {
  Cue dashed = voice;
  dashed.text = dash + (voice.is_channel ? cue_label(voice, true) : "") + voice.text;
  dashed.is_channel = false;
  if (voice.is_channel) dashed.speaker.clear();
  return vtt_text(dashed, false) + (dashed.speaker.empty() ? "" : "</v>");
}

}  // namespace

void remove_blank_lines(Cue& cue) {
  replace_line_ends(cue.text);
  std::string kept;
  std::optional<CueMark> mark;
  std::vector<CueWord> words;
  auto word = cue.words.begin();
  for (std::size_t at = 0; at <= cue.text.size();) {
    const std::size_t end = std::min(cue.text.find('\n', at), cue.text.size());
    const auto line = std::string_view(cue.text).substr(at, end - at);
    if (!strip(line).empty()) {
      if (!kept.empty()) kept += '\n';
      if (cue.underlined && cue.underlined->begin >= at && cue.underlined->end <= end) {
        mark = {kept.size() + cue.underlined->begin - at, kept.size() + cue.underlined->end - at};
      }
      for (; word != cue.words.end() && word->begin < end; ++word) {
        if (word->begin >= at) words.push_back({kept.size() + word->begin - at, word->start});
      }
      kept += line;
    }
    at = end + 1;
  }
  cue.text = std::move(kept);
  cue.underlined = mark;
  cue.words = std::move(words);
}

std::string shown_lines(const Cue& cue) {
  return cue.reply ? dash + cue.text + '\n' + dash + cue.reply->text : cue.text;
}

std::string ass_text(const Cue& plain, bool tells_speaker) {
  if (plain.reply) {
    const auto [first, second] = voices_of(plain);
    return dash + ass_text(first, true) + "\\N" + dash + ass_text(second, true);
  }
  std::string label = cue_label(plain, tells_speaker);
  const Cue cue = with_direction(plain, label);
  label = ass_escaped(label);
  if (cue.words.empty()) return label + ass_escaped(cue.text);
  const auto centiseconds = [](double s) { return to_milliseconds(s) / 10; };
  const auto last = std::max(centiseconds(cue.start), centiseconds(cue.end));
  auto said = centiseconds(cue.start);
  // Words may be said after a cue had to make room for another one.
  const auto command_until = [&](double s) {
    const auto until = std::clamp(centiseconds(s), said, last);
    return "{\\k" + std::to_string(until - std::exchange(said, until)) + "}";
  };
  const auto text_of = [&](std::size_t begin, std::size_t end) {
    return ass_escaped(std::string_view(cue.text).substr(begin, end - begin));
  };
  std::string text = label;
  if (centiseconds(cue.words.front().start) > said) text += command_until(cue.words.front().start);
  text += text_of(0, cue.words.front().begin);
  for (std::size_t i = 0; i < cue.words.size(); ++i) {
    const bool is_last = i + 1 == cue.words.size();
    text += command_until(is_last ? cue.end : cue.words[i + 1].start);
    text += text_of(cue.words[i].begin, is_last ? cue.text.size() : cue.words[i + 1].begin);
  }
  return text;
}

std::string srt_text(const Cue& cue, bool tells_speaker) {
  if (cue.reply) {
    const auto [first, second] = voices_of(cue);
    return dash + srt_text(first, true) + '\n' + dash + srt_text(second, true);
  }
  return with_mark(cue, cue_label(cue, tells_speaker), without_arrows);
}

std::string vtt_text(const Cue& cue, bool tells_speaker) {
  if (cue.reply) {
    const auto [first, second] = voices_of(cue);
    return vtt_line(first) + '\n' + vtt_line(second);
  }
  if (cue.is_channel) return with_mark(cue, cue_label(cue, tells_speaker), vtt_escaped);
  const std::string text = with_mark(cue, "", vtt_escaped);
  if (cue.speaker.empty()) return text;
  return "<v " + vtt_escaped(name_in_line(cue.speaker)) + ">" + text;
}

}  // namespace protocol
