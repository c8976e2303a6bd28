#include "platform/verdict/diagnose.h"

#include <algorithm>

#include "platform/verdict/make_finding.h"

namespace platform {
namespace {

bool is_of_another_maker(const FindingRow& row, Backend backend) {
  if (row.vendor == "nvidia") return backend != Backend::cuda;
  if (row.vendor == "amd") return backend != Backend::rocm;
  return row.vendor == "apple" && backend != Backend::mps;
}

bool has_all(std::string_view line, const std::vector<std::string>& parts) {
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return line.find(part) != std::string_view::npos;
  });
}

// Returns the first line that has a signature of the row, which serves as evidence.
std::optional<std::string_view> find_line(const FindingRow& row, std::string_view text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    for (const auto& parts : row.match) {
      if (has_all(line, parts)) return line;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Finding> diagnose(std::string_view failure, const Matrix& matrix,
                                const FailedDevice& device) {
  for (const auto& row : matrix.findings) {
    if (is_of_another_maker(row, device.backend)) continue;
    const auto line = find_line(row, failure);
    if (!line) continue;
    // A headline has a place for a version or a list that was found, not for a whole line.
    const FindingValues values{.card = device.card, .pack = pack_in_words(device.pack)};
    Finding finding = make_finding(matrix, row.code, Severity::blocked, values, device.read_from);
    finding.evidence.found = *line;
    return finding;
  }
  return std::nullopt;
}

}  // namespace platform
