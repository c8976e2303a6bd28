#include "server/mcp/tools/result_page.h"

#include <fmt/format.h>

#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/speakers.h"
#include "server/mcp/tools/result.h"
#include "server/mcp/tools/schema.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

using protocol::json::score;
using protocol::json::seconds;

// What one segment adds to a page.
struct Part {
  std::string text{};
  Json segment{};  // null: it is not wanted

  std::size_t size() const {
    return 2 * text_size(text) + (segment.is_null() ? 0 : result_size(segment) + 1);
  }
};

// Text that runs on; or a line of its own, with times or with who speaks.
std::string text_of(const protocol::Segment& segment, const std::string& speaker, bool with_times) {
  if (!with_times && speaker.empty()) return segment.text;
  std::string line = trimmed(segment.text) + "\n";
  if (!speaker.empty()) line.insert(0, speaker + ": ");
  if (!with_times) return line;
  return fmt::format("[{} - {}] {}", clock_text(segment.start), clock_text(segment.end), line);
}

Json words_of(const protocol::Segment& segment) {
  Json words = Json::array();
  for (const auto& word : segment.words) {
    words.push_back({{"start", seconds(word.start)},
                     {"end", seconds(word.end)},
                     {"word", trimmed(word.word)},
                     {"probability", score(word.probability)}});
  }
  return words;
}

Json json_of(const protocol::Segment& segment, const std::string& speaker, bool with_words) {
  Json json{{"start", seconds(segment.start)},
            {"end", seconds(segment.end)},
            {"text", trimmed(segment.text)},
            {"confidence", score(protocol::confidence(segment))},
            {"avg_logprob", score(segment.avg_logprob)},
            {"no_speech_prob", score(segment.no_speech_prob)},
            {"compression_ratio", score(segment.compression_ratio)},
            {"temperature", score(segment.temperature)}};
  if (!segment.language.empty()) json["language"] = segment.language;
  if (segment.channel) json["channel"] = *segment.channel;
  if (!speaker.empty()) json["speaker"] = speaker;
  if (with_words && !segment.words.empty()) json["words"] = words_of(segment);
  return json;
}

Part part_of(const protocol::Segment& segment, const Delivery& delivery,
             const std::vector<std::string>& labels) {
  const std::string speaker = protocol::speaker_of(segment, labels);
  Part part{.text = text_of(segment, speaker, delivery.with_times)};
  if (delivery.with_segments) part.segment = json_of(segment, speaker, delivery.with_words);
  return part;
}

void shorten(Part& part, std::size_t room) {
  if (part.size() > room && part.segment.is_object()) part.segment.erase("words");
  while (part.size() > room && !part.text.empty()) {
    part.text = cut_text(part.text, part.text.size() / 2);
    if (part.segment.is_object()) part.segment["text"] = trimmed(part.text);
  }
}

}  // namespace

ResultPage fill_page(const std::vector<protocol::Segment>& segments, const Delivery& delivery,
                     const std::vector<std::string>& labels, std::size_t room) {
  ResultPage page{.next = delivery.offset};
  std::size_t used = 0;
  for (const auto& segment : segments) {
    Part part = part_of(segment, delivery, labels);
    const bool is_first = page.next == delivery.offset;
    if (is_first) shorten(part, room);
    used += part.size();
    if (used > room && !is_first) break;
    page.text += part.text;
    if (!part.segment.is_null()) page.segments.push_back(std::move(part.segment));
    ++page.next;
  }
  page.text = trimmed(page.text);
  return page;
}

std::string cut_text(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  text.resize(bytes);
  return text;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \n");
  return begin == std::string::npos ? "" : text.substr(begin);
}

Json segment_schema() {
  const Json number{{"type", "number"}}, string{{"type", "string"}}, integer{{"type", "integer"}};
  Json word = schema::object(
      {{"start", number}, {"end", number}, {"word", string}, {"probability", number}},
      {"start", "end", "word"});
  return schema::object({{"start", number},
                         {"end", number},
                         {"text", string},
                         {"speaker", string},
                         {"confidence", number},
                         {"avg_logprob", number},
                         {"no_speech_prob", number},
                         {"compression_ratio", number},
                         {"temperature", number},
                         {"language", string},
                         {"channel", integer},
                         {"words", schema::list(std::move(word))}},
                        {"start", "end", "text"});
}

}  // namespace server
