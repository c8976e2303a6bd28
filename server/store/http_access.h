#pragma once

#include <string>

namespace server {

// What a request over HTTP needs beside its address.
struct HttpAccess {
  std::string bearer{};        // an access token, may be empty
  std::string certificates{};  // the file of those of a company's proxy; empty: the system's
};

}  // namespace server
