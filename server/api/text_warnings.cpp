#include "server/api/text_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/error_text.h"
#include "server/api/api.h"

namespace server {
namespace {

constexpr std::size_t most_sentence_bytes = 400;
constexpr std::size_t most_sentences = 8;

// A quotation mark or a backslash would end the quoted text.
char printable(char c) {
  if (c == '"' || c == '\\') return '\'';
  return c < 0x20 || c > 0x7e ? '?' : c;
}

}  // namespace

std::string sentence_warning(std::string_view sentence) {
  auto text = protocol::whole_sentence(sentence.substr(0, most_sentence_bytes));
  std::ranges::transform(text, text.begin(), printable);
  return fmt::format("299 scribed \"{}\"", text);
}

void tell_of_warnings(const Api& api, Exchange& exchange,
                      const std::vector<std::string>& warnings) {
  if (warnings.empty()) return;
  Headers headers;
  for (const auto& warning : warnings) {
    if (headers.size() < most_sentences) headers.emplace_back("warning", sentence_warning(warning));
  }
  exchange.add_headers(std::move(headers));
  api.text_warnings(exchange, warnings);
}

}  // namespace server
