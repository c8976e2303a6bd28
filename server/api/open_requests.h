#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace server {

// One request more of that owner, while it lives. On one thread.
class OpenRequest {
 public:
  using Counts = std::map<std::string, std::size_t>;  // by owner; those with requests

  // `counts` outlives it.
  OpenRequest(Counts& counts, const std::string& owner)
      : counts_(counts), place_(counts.try_emplace(owner, 0).first) {
    ++place_->second;
  }
  OpenRequest(const OpenRequest&) = delete;
  ~OpenRequest() {
    if (--place_->second == 0) counts_.erase(place_);
  }

  // How many the owner has, with this one.
  std::size_t number() const { return place_->second; }

 private:
  Counts& counts_;
  Counts::iterator place_;
};

}  // namespace server
