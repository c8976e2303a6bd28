#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/error.h"

namespace server {

// Keeps web pages away from a server that their reader can reach. A page may give its own name the
// address of this machine (DNS rebinding), or send requests to names of ours from its own origin;
// the browser tells both names, in Host and Origin.
class OriginGuard {
 public:
  struct Settings {
    std::vector<std::string> allowed_hosts{};    // "scribed.lan": on any port
    std::vector<std::string> allowed_origins{};  // "https://app.example"; "https://app.example:444"
    // We listen beyond loopback: an address (no name) is then a good Host too, since only names can
    // be rebound.
    bool is_public = false;
  };

  explicit OriginGuard(const Settings& settings);

  // Errors: forbidden.
  Result<void> check(const boost::beast::http::fields& headers) const;
  Result<void> check(std::string_view host, std::optional<std::string_view> origin) const;

 private:
  bool is_ours(const std::string& host) const;

  std::set<std::string> hosts_;
  std::set<std::string> origins_;
  bool is_public_;
};

}  // namespace server
