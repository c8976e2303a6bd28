#pragma once

#include <string>
#include <string_view>

#include "platform/verdict/verdict.h"

namespace platform {

// The state of the checks of one pack on one device: they read the facts and add to the verdict.
struct Judgement {
  const Facts& facts;
  const Matrix& matrix;
  const DeviceRequirements& request;
  Verdict verdict{};

  // Adds a finding in the words of the matrix; the device, the pack and the wanted model are filled
  // in. FindingValues explains `value`.
  void add(const char* code, Severity severity, Evidence evidence, std::string value = {});

  // Returns the finished verdict, whose status is that of the worst finding.
  Verdict conclude() &&;
};

// Returns the value of a variable that is set, or nullptr.
const std::string* find_variable(const Facts& facts, std::string_view name);

std::string gib(std::int64_t bytes);  // "3.9 GiB"

// Returns where the child of a probe was: "cuInit of /usr/lib/…/libcuda.so.1", "dlopen
// libcuda.so.1". `library` is named where the probe does not know its path.
std::string call_of(const ProbeResult& probe, const std::string& library);

// Returns whether dlopen found a file and refused it, because it is empty, damaged, for another
// machine, or needs a missing library.
bool loader_refuses_file(const ProbeResult& probe);

template <class List>
std::string joined(const List& list) {
  std::string text;
  for (const auto& element : list) {
    if (!text.empty()) text += ", ";
    if constexpr (requires { element.text(); }) {
      text += element.text();
    } else {
      text += element;
    }
  }
  return text;
}

}  // namespace platform
