#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/jobs/job_news.h"

namespace server::postgres {

// What a notification of PostgreSQL can hold is less than 8000 bytes.
inline constexpr std::size_t most_notification_bytes = 7900;

// Writes news as JSON, in as many texts as they need. A notice that does not fit in one is left
// out.
std::vector<std::string> encode_news(const HeardNews& news);
// Reads such a text. Notices of a kind that is not known are changes; nothing: it is no text of
// encode_news().
std::optional<HeardNews> decode_news(std::string_view text);

}  // namespace server::postgres
