#pragma once

#include <optional>
#include <string_view>

#include "server/http/static_content.h"
#include "server/web/page_files.h"

namespace server::web {

// What browsers get: the page at /, and its files at /app/{hash}/{name}. They lie here as gzip, and
// are inflated for clients that do not take that.
class Page {
 public:
  explicit Page(PageFiles files);

  // The page itself. Browsers ask each time whether it is still the same. Without files it says
  // that this program was built without its page.
  Response front(const http::fields& request) const;

  // The file of `path`, which is what stands behind /app/. Under its address it never changes, so
  // browsers keep it for ever. nullopt: there is none, as after an update of this program.
  std::optional<Response> file(std::string_view path, const http::fields& request) const;

 private:
  PageFiles files_;
  StaticContent packed_;
  StaticContent plain_;
};

}  // namespace server::web
