#pragma once

#include <string>

namespace server {

// Something of a job has changed, for those who tell others of all jobs.
struct JobNotice {
  enum class Kind {
    created,
    changed,  // its progress, its text, its names
    ended,
    removed
  };

  std::string id{};
  std::string owner{};  // empty where whoever changed it does not know
  Kind kind = Kind::changed;
};

}  // namespace server
