#pragma once

#include "platform/unique_fd.h"

namespace platform {

// A descriptor by which one thread wakes another that polls it. No call of it waits.
class WakeFd {
 public:
  WakeFd();  // throws std::system_error

  // Becomes readable with wake(), until quiet().
  int fd() const { return read_.get(); }
  void wake() const;
  void quiet() const;

 private:
  UniqueFd read_{};
  UniqueFd write_{};  // empty where one descriptor does both
};

}  // namespace platform
