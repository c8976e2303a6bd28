#include "server/mcp/tools/file_page.h"

#include <string_view>
#include <utility>
#include <vector>

#include "server/mcp/tools/result.h"
#include "server/mcp/tools/result_page.h"

namespace server {
namespace {

std::vector<std::string_view> entries_of(std::string_view file, std::string_view format) {
  const bool has_lines = format == "tsv" || format == "rttm" || format == "ass";
  const std::string_view end_of_entry = has_lines ? "\n" : "\n\n";
  const bool has_heading = format == "tsv" || format == "vtt";
  std::vector<std::string_view> entries;
  bool is_heading = has_heading;
  std::size_t begin = 0, at = 0;
  while (at < file.size()) {
    const auto found = file.find(end_of_entry, at);
    at = found == file.npos ? file.size() : found + end_of_entry.size();
    if (std::exchange(is_heading, false) && at < file.size()) continue;
    entries.push_back(file.substr(begin, at - begin));
    begin = at;
  }
  return entries;
}

}  // namespace

bool has_entries(const std::string& format) {
  return format == "srt" || format == "vtt" || format == "ass" || format == "tsv" ||
         format == "rttm" || format == "ass";
}

FilePage fill_file_page(const std::string& file, const Delivery& delivery, std::size_t room) {
  const auto entries = entries_of(file, delivery.format);
  const int count = static_cast<int>(entries.size());
  FilePage page{.next = delivery.offset};
  std::size_t used = 0;
  while (page.next < count) {
    std::string entry(entries[static_cast<std::size_t>(page.next)]);
    const bool is_first = page.next == delivery.offset;
    while (is_first && 2 * text_size(entry) > room && !entry.empty()) {
      const std::size_t half = entry.size() / 2;
      entry = cut_text(std::move(entry), half);
    }
    used += 2 * text_size(entry);
    const bool is_full = delivery.limit > 0 && page.next - delivery.offset >= delivery.limit;
    if (is_full || (used > room && !is_first)) break;
    page.text += entry;
    ++page.next;
  }
  page.is_last = page.next >= count;
  return page;
}

}  // namespace server
