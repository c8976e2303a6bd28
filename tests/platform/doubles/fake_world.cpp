#include "fake_world.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace fake {
namespace {

nlohmann::json read_document() {
  const char* path = std::getenv("SCRIBED_FAKE_GPU");
  std::ifstream file(path != nullptr ? path : "");
  auto json = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : nlohmann::json::object();
}

// Ends the process by the signal itself, whatever handler (a sanitizer's) is installed.
[[noreturn]] void die(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  ::_exit(99);
}

void behave(std::string_view behaviour) {
  constexpr std::string_view print = "print:";
  constexpr std::string_view say = "say:";
  if (behaviour == "hang") {
    for (;;) ::pause();
  }
  if (behaviour == "abort") die(SIGABRT);
  if (behaviour == "segfault") die(SIGSEGV);
  if (behaviour.starts_with(print)) {
    std::fprintf(stderr, "%s\n", std::string(behaviour.substr(print.size())).c_str());
    die(SIGABRT);
  }
  if (behaviour.starts_with(say)) {
    std::printf("%s\n", std::string(behaviour.substr(say.size())).c_str());
    std::fflush(stdout);
  }
}

bool is_it(const nlohmann::json& device, std::size_t index, const std::string& wanted) {
  if (wanted == std::to_string(index)) return true;
  return wanted.size() > 4 && device.value("uuid", "").starts_with(wanted);
}

// Returns the devices that `wanted` lists, up to the first entry that is none.
std::vector<nlohmann::json> select(const std::vector<nlohmann::json>& devices,
                                   const std::string& wanted) {
  std::vector<nlohmann::json> chosen;
  std::istringstream parts(wanted);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto before = chosen.size();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (is_it(devices[i], i, part)) chosen.push_back(devices[i]);
    }
    if (chosen.size() == before) break;
  }
  return chosen;
}

}  // namespace

const nlohmann::json& section(const char* library) {
  static const nlohmann::json document = read_document();
  static const nlohmann::json nothing = nlohmann::json::object();
  const auto found = document.find(library);
  return found != document.end() && found->is_object() ? *found : nothing;
}

int enter(const char* library, const char* function) {
  const auto& part = section(library);
  const auto nothing = nlohmann::json::object();
  behave(part.value("behaviour", nothing).value(function, ""));
  return part.value("results", nothing).value(function, 0);
}

std::vector<nlohmann::json> visible_devices(const char* library,
                                            const std::vector<const char*>& variables) {
  auto devices = section(library).value("devices", std::vector<nlohmann::json>());
  for (const char* name : variables) {
    const char* value = std::getenv(name);
    if (value != nullptr) devices = select(devices, value);
  }
  return devices;
}

void copy_text(const std::string& text, char* out, std::size_t size) {
  if (size > 0) std::snprintf(out, size, "%s", text.c_str());
}

}  // namespace fake
