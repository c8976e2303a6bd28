#include "server/api/text_json.h"

#include <string>
#include <vector>

#include "protocol/json_numbers.h"
#include "protocol/json_pieces.h"

namespace server::api {
namespace {

using TextBody = nlohmann::ordered_json;
using protocol::json::ObjectText;
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

void add_segments(ObjectText& body, const char* key, const std::vector<TextSegment>& segments) {
  body.begin_list(key);
  for (const auto& segment : segments) body.add_item(text_segment_body(segment));
  body.end_list();
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

std::string text_page_json(const TextPage& page) {
  ObjectText body(protocol::json::compact_style);
  body.add("object", "list");
  add_segments(body, "data", page.segments);
  body.add("has_more", page.has_more);
  body.add("version", page.version);
  return body.take();
}

std::string text_change_json(const TextChange& change) {
  ObjectText body(protocol::json::compact_style);
  body.add("version", change.version);
  add_segments(body, "changed", change.changed);
  body.begin_list("removed");
  for (const auto id : change.removed) body.add_item(std::to_string(id));
  body.end_list();
  body.add("segments", change.segments);
  body.add("speaker_names", change.speaker_names);
  body.add("replaced", change.replaced);
  return body.take();
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
