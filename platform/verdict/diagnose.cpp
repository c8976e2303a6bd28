#include "platform/verdict/diagnose.h"

#include <algorithm>

#include "platform/verdict/make_finding.h"

namespace platform {
namespace {

// The first line in which a signature shows: what to give as evidence.
std::string line_with(std::string_view text, std::string_view part) {
  const auto at = text.find(part);
  if (at == std::string_view::npos) return std::string(part);
  const auto newline = text.rfind('\n', at);
  const auto begin = newline == std::string_view::npos ? 0 : newline + 1;
  return std::string(text.substr(begin, text.find('\n', at) - begin));
}

const std::vector<std::string>* find_match(const FindingRow& row, std::string_view text) {
  const auto it =
      std::find_if(row.match.begin(), row.match.end(), [&](const std::vector<std::string>& parts) {
        return !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
          return text.find(part) != std::string_view::npos;
        });
      });
  return it == row.match.end() ? nullptr : &*it;
}

}  // namespace

std::optional<Finding> diagnose(std::string_view failure, const Matrix& matrix,
                                std::string_view card, std::string_view pack) {
  for (const auto& row : matrix.findings) {
    const auto* parts = find_match(row, failure);
    if (!parts) continue;
    const FindingValues values{.card = std::string(card),
                               .found = line_with(failure, parts->front()),
                               .pack = pack_in_words(pack)};
    return make_finding(matrix, row.code, Severity::blocked, values, "what the worker said");
  }
  return std::nullopt;
}

}  // namespace platform
