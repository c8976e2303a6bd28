#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "server/mcp/tools/delivery.h"

namespace server {

// As much of a transcript as fits into one result, from delivery.offset on.
struct ResultPage {
  std::string text{};
  Json segments = Json::array();  // those of the text, where they are wanted
  int next = 0;                   // the first segment that is not on the page
};

// Fills a page whose text stands twice in a result of JSON, in `content` and in
// `structuredContent`.
//   segments: begin at delivery.offset
//   labels: the speakers of channels whose segments name none
//   room: bytes for text and segments; the first segment stands there whatever room there is, but
//     without its words, and cut, where it is longer
ResultPage fill_page(const std::vector<protocol::Segment>& segments, const Delivery& delivery,
                     const std::vector<std::string>& labels, std::size_t room);

// Returns whole characters of UTF-8, of that many bytes at most.
std::string cut_text(std::string text, std::size_t bytes);

// Returns the text without blanks and line feeds before it.
std::string trimmed(const std::string& text);

// Returns the schema of one of the segments.
Json segment_schema();

}  // namespace server
