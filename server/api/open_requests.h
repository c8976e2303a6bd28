#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace server {

// Counts as one open request of its owner for as long as it lives. It is used on one thread.
class OpenRequest {
 public:
  using Counts = std::map<std::string, std::size_t>;  // by owner; only owners with requests

  // `counts` must outlive this object.
  OpenRequest(Counts& counts, const std::string& owner)
      : counts_(counts), place_(counts.try_emplace(owner, 0).first) {
    ++place_->second;
  }
  OpenRequest(const OpenRequest&) = delete;
  ~OpenRequest() {
    if (--place_->second == 0) counts_.erase(place_);
  }

  // The number of the owner's requests, with this one.
  std::size_t number() const { return place_->second; }

 private:
  Counts& counts_;
  Counts::iterator place_;
};

}  // namespace server
