#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "platform/unique_fd.h"

namespace server::test {

// A server of HTTP that gives prepared answers, one a connection, and ends each connection behind
// its answer: for what a real server does seldom. It waits before each answer for as long as it is
// told.
class ScriptedServer {
 public:
  explicit ScriptedServer(std::vector<std::string> answers,
                          std::chrono::milliseconds wait = std::chrono::milliseconds(0));
  ScriptedServer(const ScriptedServer&) = delete;
  ~ScriptedServer();

  std::string address() const;
  // The heads of the requests so far.
  std::vector<std::string> heads() const;

 private:
  void serve();

  std::vector<std::string> answers_;
  std::chrono::milliseconds wait_;
  mutable std::mutex mutex_{};  // guards what follows
  std::vector<std::string> heads_{};
  platform::UniqueFd listener_{};
  std::atomic<bool> is_over_ = false;
  std::thread thread_{};
};

}  // namespace server::test
