#include "protocol/docx/paragraphs.h"

#include "protocol/sentence_end.h"
#include "protocol/speakers.h"
#include "protocol/text_rules.h"

namespace protocol::docx {
namespace {

constexpr double pause_s = 2;
// A paragraph ends with the next sentence from here on, and in any case there.
constexpr std::size_t long_bytes = 600;
constexpr std::size_t longest_bytes = 2'000;

bool is_full(const std::string& text) {
  if (text.size() < long_bytes) return false;
  return text.size() >= longest_bytes || ends_sentence(strip(text));
}

}  // namespace

std::vector<Paragraph> paragraphs_of(const Transcript& transcript,
                                     std::span<const std::string> channel_labels) {
  std::vector<Paragraph> paragraphs;
  double end = 0;  // of the segment before
  for (const auto& segment : transcript.segments) {
    if (strip(segment.text).empty()) continue;
    const std::string speaker = speaker_of(segment, channel_labels);
    const auto& language = segment.language.empty() ? transcript.language : segment.language;
    const bool is_new_speaker = paragraphs.empty() || paragraphs.back().speaker != speaker;
    const bool begins = is_new_speaker || paragraphs.back().language != language ||
                        segment.start - end >= pause_s || is_full(paragraphs.back().text);
    if (begins) {
      paragraphs.push_back({.start = segment.start,
                            .speaker = speaker,
                            .is_new_speaker = is_new_speaker,
                            .language = language});
    }
    paragraphs.back().text += segment.text;
    end = segment.end;
  }
  for (auto& paragraph : paragraphs) paragraph.text = std::string(strip(paragraph.text));
  return paragraphs;
}

}  // namespace protocol::docx
