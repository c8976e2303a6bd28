#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/error.h"

namespace server {

// Returns whether server.allowed_origins can contain this text: "https://app.example:444" as
// browsers send it, "app://obsidian.md" of an app with a web view, "vscode-webview://*" for every
// host of a scheme, or "null".
bool is_origin(std::string_view text);
// Returns whether the text allows every page of the web: "*", "https://*".
bool is_any_page(std::string_view text);

// Keeps web pages away from a server that their reader can reach. A page may give its own name the
// address of this machine (DNS rebinding), or send requests to our names from its own origin; the
// browser sends both names, in Host and Origin.
class OriginGuard {
 public:
  struct Settings {
    std::vector<std::string> allowed_hosts{};  // "scribed.lan" stands for any port
    std::vector<std::string> own_names{};      // by which we listen: as if they were allowed, too
    // Each is an origin as is_origin() knows them, or "*" for every page.
    std::vector<std::string> allowed_origins{};
    // True if the server listens beyond loopback. An address (no name) is then a good Host too,
    // since only names can be rebound.
    bool is_public = false;
    // True if clients need a key. A page whose name points to our address has none, and can do no
    // more than any other program that reaches the server, so any Host is good unless allowed_hosts
    // names some, and any Origin is good. check_page_origin() checks requests with a cookie.
    bool has_keys = false;
  };

  explicit OriginGuard(const Settings& settings);

  // Errors: forbidden.
  Result<void> check(const boost::beast::http::fields& headers) const;
  Result<void> check(std::string_view host, std::optional<std::string_view> origin) const;

  // Returns whether that page may read answers that need no key: allowed_origins lists it, or it
  // is a page of this machine (localhost, any port), whose programs can reach the server anyway.
  bool lists(std::string_view origin) const;
  // Returns the error for a page that lists() does not have. The code is forbidden.
  static Error unlisted(std::string_view origin);
  bool has_keys() const { return has_keys_; }

 private:
  bool is_ours(const std::string& host) const;

  std::set<std::string> hosts_;
  std::set<std::string> origins_;
  std::set<std::string> schemes_;  // with every host allowed
  bool is_public_;
  bool has_keys_;
  bool any_host_;
  bool any_page_ = false;
};

}  // namespace server
