#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <vector>

#include "server/api/form_values.h"
#include "server/jobs/text_edit.h"

namespace server {

// Reads the body of an edit: {"ops": [{"op": "text", "segment": "12", "text": "…"}, …]}. An error
// names the place in it, as ops[3].word.
boost::system::result<std::vector<TextEdit>, FormError> read_text_ops(const std::string& body);

// Reads the id of a segment; nothing: the text is none.
std::optional<std::int64_t> segment_id(std::string_view text);

}  // namespace server
