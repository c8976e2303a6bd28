#pragma once

#include <cstddef>
#include <string>

#include "server/mcp/tools/delivery.h"

namespace server {

// A page is as much of a transcript's file as fits into one result, from delivery.offset on. Pages
// joined are the file.
struct FilePage {
  std::string text{};
  int next = 0;  // the first entry that is not on the page
  bool is_last = true;
};

// Returns whether files of that format have entries, between which a page may end: those of
// subtitles and tables do, JSON is one piece.
bool has_entries(const std::string& format);

// Fills a page with entries of a file, each with what ends it; a heading belongs to the first one.
// The page's text stands twice in a result.
//   delivery: format, offset and limit count
//   room: bytes for the text; the first entry stands there whatever room there is, but cut where it
//     is longer
FilePage fill_file_page(const std::string& file, const Delivery& delivery, std::size_t room);

}  // namespace server
