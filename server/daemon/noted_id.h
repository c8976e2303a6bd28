#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace server {

// Keeps an id in a set for as long as this object lives, also where its coroutine is cancelled. A
// coroutine that never ends goes with its executor, later than what it was called on: so the set is
// shared.
class NotedId {
 public:
  NotedId(std::shared_ptr<std::set<std::string>> ids, std::string id)
      : ids_(std::move(ids)), id_(std::move(id)) {
    ids_->insert(id_);
  }
  NotedId(const NotedId&) = delete;
  ~NotedId() { ids_->erase(id_); }

 private:
  const std::shared_ptr<std::set<std::string>> ids_;
  const std::string id_;
};

}  // namespace server
