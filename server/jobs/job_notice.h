#pragma once

#include <string>

namespace server {

// Something of a job has changed, for those who tell others of all jobs.
struct JobNotice {
  // In the order of their weight: of several changes, readers are told the one that weighs most.
  enum class Kind {
    changed,  // its progress, its text, its names
    created,
    ended,
    removed
  };

  std::string id{};
  std::string owner{};  // empty where whoever changed it does not know
  Kind kind = Kind::changed;
};

}  // namespace server
