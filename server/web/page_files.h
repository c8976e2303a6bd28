#pragma once

#include <span>
#include <string_view>

namespace server::web {

// One file of the page, as gzip.
struct PageFile {
  std::string_view name;  // "index.html", "style.css", "en/main.js"
  std::string_view content_type;
  std::string_view gzip;
};

struct PageFiles {
  std::string_view hash;  // of all of them; files other than index.html lie in /app/{hash}/
  std::span<const PageFile> files;
};

// Returns the page that is part of this program, or nothing where it was built without one. The
// definition is made by web/pack.mjs; without Node it is no_page.cpp.
PageFiles page_files();

}  // namespace server::web
