#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/http/exchange.h"

namespace server {

struct Api;

// Returns a value of the header Warning (RFC 7234, 5.5) that has the sentence in printable ASCII,
// at most 400 bytes of it.
std::string sentence_warning(std::string_view sentence);

// Tells the warnings of a transcript, such as a prompt that was cut: the client by a header
// Warning for each of the first eight, or a trailer if the head of the answer was sent already, and
// the log by a line.
void tell_of_warnings(const Api& api, Exchange& exchange, const std::vector<std::string>& warnings);

}  // namespace server
