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

// A temporary folder with the doubles of the vendors' libraries on LD_LIBRARY_PATH, and their
// document. It changes this process's environment, for its children, and restores it.
class FakeMachine {
 public:
  FakeMachine();
  FakeMachine(const FakeMachine&) = delete;
  ~FakeMachine();

  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

  void world(const nlohmann::json& document);  // sets the answers of the doubles
  void library_path(const std::vector<std::filesystem::path>& folders);
  void variable(const std::string& name, const std::string& value);
  void write(const std::string& name, const std::string& text);

  // Returns settings for the program with `probe`, with enough time for a busy machine.
  ProbeSettings settings() const;

  // Returns "cuda" and so on, one for each child that was started, sorted, and clears the list.
  std::vector<std::string> asked();

 private:
  std::filesystem::path folder_{};
  std::map<std::string, std::optional<std::string>> before_{};
};

// Returns <build>/tests/doubles/<name>.
std::filesystem::path doubles(const std::string& name);

// Returns the least facts that give a reason to ask.
Facts facts_with_card(std::uint16_t vendor);

}  // namespace platform::test
