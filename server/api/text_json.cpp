#include "server/api/text_json.h"

#include <string>
#include <vector>

#include "protocol/json_numbers.h"

namespace server::api {
namespace {

using TextBody = nlohmann::ordered_json;
using protocol::json::score;
using protocol::json::seconds;

TextBody words_body(const protocol::Segment& segment) {
  TextBody words = TextBody::array();
  for (const auto& word : segment.words) {
    words.push_back(TextBody::array({word.word, seconds(word.start - segment.start),
                                     seconds(word.end - word.start), score(word.probability)}));
  }
  return words;
}

TextBody segments_body(const std::vector<TextSegment>& segments) {
  TextBody list = TextBody::array();
  for (const auto& segment : segments) list.push_back(text_segment_body(segment));
  return list;
}

}  // namespace

std::string text_tag(int version) {
  return "\"" + std::to_string(version) + "\"";
}

TextBody text_segment_body(const TextSegment& one) {
  const protocol::Segment& segment = one.segment;
  TextBody body{{"id", std::to_string(one.id)},
                {"start", seconds(segment.start)},
                {"end", seconds(segment.end)},
                {"text", segment.text},
                {"confidence", score(protocol::confidence(segment))},
                {"speaker", nullptr}};
  if (!segment.speaker.empty()) body["speaker"] = segment.speaker;
  if (!segment.language.empty()) body["language"] = segment.language;
  if (segment.channel) body["channel"] = *segment.channel;
  body["words"] = words_body(segment);
  return body;
}

TextBody text_page_body(const TextPage& page) {
  return {{"object", "list"},
          {"data", segments_body(page.segments)},
          {"has_more", page.has_more},
          {"version", page.version}};
}

TextBody text_change_body(const TextChange& change) {
  TextBody removed = TextBody::array();
  for (const auto id : change.removed) removed.push_back(std::to_string(id));
  return {{"version", change.version},
          {"changed", segments_body(change.changed)},
          {"removed", std::move(removed)},
          {"segments", change.segments},
          {"speaker_names", change.speaker_names},
          {"replaced", change.replaced}};
}

TextBody text_version_body(const TextVersion& version) {
  TextBody body{{"version", version.version},
                {"created_at", nullptr},
                {"ops", version.ops},
                {"restored", nullptr}};
  if (version.created > 0) body["created_at"] = seconds(version.created);
  if (version.restored) body["restored"] = *version.restored;
  return body;
}

TextBody text_match_body(const TextMatch& match) {
  TextBody spans = TextBody::array();
  for (const auto& span : match.spans) spans.push_back(TextBody::array({span.begin, span.end}));
  return {{"segment", std::to_string(match.segment)},
          {"start", seconds(match.start)},
          {"text", match.text},
          {"spans", std::move(spans)}};
}

}  // namespace server::api
