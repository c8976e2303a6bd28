#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/jobs/text_edit.h"

// Texts in versions, as clients read them. Times of words are from the start of their segment.
namespace server::api {

// Returns the ETag of a version.
std::string text_tag(int version);

nlohmann::ordered_json text_segment_body(const TextSegment& segment);
std::string text_page_json(const TextPage& page);
std::string text_change_json(const TextChange& change);
nlohmann::ordered_json text_version_body(const TextVersion& version);
nlohmann::ordered_json text_match_body(const TextMatch& match);

}  // namespace server::api
