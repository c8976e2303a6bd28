#pragma once

#include <string>

namespace server {

// The settings of a request over HTTP besides its address.
struct HttpAccess {
  std::string bearer{};  // an access token, may be empty
  // A file of CA certificates, as of a company's proxy; empty: the system's.
  std::string certificates{};
};

}  // namespace server
