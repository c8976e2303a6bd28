#include "platform/probe/caller.h"

namespace platform {

std::optional<Library> open_for(Report& report, ProbeResult& probe,
                                const std::vector<std::string>& names) {
  for (const auto& name : names) {
    report.at("dlopen " + name);
    auto library = Library::open(name);
    if (library) {
      probe = {.library = library->path()};
      return std::move(*library);
    }
    // The first name's error is kept, because it is the preferred library.
    if (probe.outcome == ProbeOutcome::library_missing) continue;
    probe.outcome = ProbeOutcome::library_missing;
    probe.library = name;
    probe.text = library.error().message;
  }
  return {};
}

bool Caller::lacks(const char* name) {
  if (probe_.outcome == ProbeOutcome::failed) return false;
  probe_.outcome = ProbeOutcome::failed;
  probe_.function = name;
  probe_.text = library_.path() + " has no function " + name;
  return false;
}

bool Caller::failed(const char* name, int code) {
  if (probe_.outcome == ProbeOutcome::failed) return false;
  const CodeWords words = explain_(library_, code);
  probe_.outcome = ProbeOutcome::failed;
  probe_.function = name;
  probe_.code = code;
  probe_.code_name = words.name;
  probe_.text = words.text;
  return false;
}

}  // namespace platform
