#include "server/mcp/tool_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace server {
namespace {

using nlohmann::json;
using Target = std::pair<const char*, std::string*>;

Error wrong(std::string message) {
  return {errc::usage, std::move(message), ""};
}

Result<void> read_texts(const json& arguments, const std::vector<Target>& targets) {
  std::vector<const char*> names;
  for (const auto& target : targets) names.push_back(target.first);
  for (const auto& [key, value] : arguments.items()) {
    const auto it = std::ranges::find_if(targets, [&](const Target& t) { return key == t.first; });
    if (it == targets.end()) {
      return wrong(fmt::format("There is no argument {}. Known are: {}.", key,
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    if (!value.is_string()) return wrong(fmt::format("The argument {} must be a string.", key));
    *it->second = value.get<std::string>();
  }
  return {};
}

}  // namespace

Result<TranscribeCall> read_transcribe_call(const json& arguments) {
  TranscribeCall call;
  const auto read = read_texts(arguments, {{"path", &call.path},
                                           {"model", &call.model},
                                           {"language", &call.language},
                                           {"task", &call.task},
                                           {"prompt", &call.prompt}});
  if (!read) return read.error();
  if (call.path.empty()) return wrong("The argument path is needed: the path of a file.");
  if (call.task != "transcribe" && call.task != "translate") {
    return wrong("The argument task must be transcribe or translate.");
  }
  return call;
}

Result<void> check_no_arguments(const json& arguments) {
  return read_texts(arguments, {});
}

}  // namespace server
