#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/facts/facts.h"
#include "platform/probe/probe.h"

namespace platform::test {

// A folder that goes away, with the doubles of the vendors' libraries on LD_LIBRARY_PATH and their
// document in it. Changes this process's environment, for its children, and puts it back.
class FakeMachine {
 public:
  FakeMachine();
  FakeMachine(const FakeMachine&) = delete;
  ~FakeMachine();

  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

  void world(const nlohmann::json& document);  // what the doubles answer
  void library_path(const std::vector<std::filesystem::path>& folders);
  void variable(const std::string& name, const std::string& value);
  void write(const std::string& name, const std::string& text);

  // Returns settings for the program with `probe`, with enough time for a busy machine.
  ProbeSettings settings() const;

  // Returns "cuda" and so on, one for each child that was started, sorted; then forgets them.
  std::vector<std::string> asked();

 private:
  std::filesystem::path folder_{};
  std::map<std::string, std::optional<std::string>> before_{};
};

// <build>/tests/doubles/<name>
std::filesystem::path doubles(const std::string& name);

// The least that gives a reason to ask, and nothing else.
Facts facts_with_card(std::uint16_t vendor);

}  // namespace platform::test
