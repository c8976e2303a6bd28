#include "fake_machine.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace platform::test {

namespace fs = std::filesystem;

FakeMachine::FakeMachine() {
  std::string pattern = (fs::temp_directory_path() / "scribed-probe-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  folder_ = fs::canonical(pattern);
  library_path({doubles("cuda"), doubles("nvml"), doubles("hip")});
  variable("SCRIBED_PROBE_LOG", folder_ / "asked");
  world(nlohmann::json::object());
}

FakeMachine::~FakeMachine() {
  for (const auto& [name, value] : before_) {
    value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void FakeMachine::world(const nlohmann::json& document) {
  write("world.json", document.dump());
  variable("SCRIBED_FAKE_GPU", folder_ / "world.json");
}

void FakeMachine::library_path(const std::vector<fs::path>& folders) {
  std::string text;
  for (const auto& folder : folders) text += (text.empty() ? "" : ":") + folder.string();
  variable("LD_LIBRARY_PATH", text);
}

void FakeMachine::variable(const std::string& name, const std::string& value) {
  const char* now = std::getenv(name.c_str());
  before_.try_emplace(name, now != nullptr ? std::optional<std::string>(now) : std::nullopt);
  ::setenv(name.c_str(), value.c_str(), 1);
}

void FakeMachine::write(const std::string& name, const std::string& text) {
  fs::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name) << text;
}

ProbeSettings FakeMachine::settings() const {
  return {.program = SCRIBED_PROBE_TEST_PATH, .limit = std::chrono::seconds(60)};
}

std::vector<std::string> FakeMachine::asked() {
  std::vector<std::string> kinds;
  std::ifstream log(folder_ / "asked");
  for (std::string line; std::getline(log, line);) kinds.push_back(line);
  fs::remove(folder_ / "asked");
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

fs::path doubles(const std::string& name) {
  return fs::path(SCRIBED_DOUBLES_PATH) / name;
}

Facts facts_with_card(std::uint16_t vendor) {
  Facts facts;
  facts.pci = {{.address = "0000:01:00.0", .vendor = vendor}};
  return facts;
}

}  // namespace platform::test
