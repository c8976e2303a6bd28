#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/facts/native_facts.h"
#include "platform/probe/library.h"
#include "platform/probe/report.h"

namespace platform {

// Loads the first of `names` that can be loaded, and records it in `probe`. Where none can, it
// returns nothing, and the outcome is library_missing.
std::optional<Library> open_for(Report& report, ProbeResult& probe,
                                const std::vector<std::string>& names);

// A library's name and text for one of its error codes.
struct CodeWords {
  std::string name{};  // "CUDA_ERROR_NO_DEVICE"
  std::string text{};
};

// Calls functions of one vendor library by name. Each call is reported before it is made, and the
// first failure of a required one goes into the probe's result. All of these libraries return 0 for
// success.
class Caller {
 public:
  using Explain = std::function<CodeWords(const Library&, int code)>;

  // `report` and `probe` must outlive it.
  Caller(Report& report, ProbeResult& probe, Library library, Explain explain)
      : report_(report),
        probe_(probe),
        library_(std::move(library)),
        explain_(std::move(explain)) {}

  // Calls the first of `names` that the library has. Returns false if it has none of them, or
  // the call failed; the probe's result says which.
  template <class Function, class... Arguments>
  bool require(std::initializer_list<const char*> names, Arguments... arguments) {
    const auto [name, function] = find<Function>(names);
    if (function == nullptr) return lacks(name);
    report_.at(name);
    const int code = function(arguments...);
    return code == 0 || failed(name, code);
  }

  // Does the same for an optional function, whose failure is not recorded.
  template <class Function, class... Arguments>
  bool ask(std::initializer_list<const char*> names, Arguments... arguments) {
    const auto [name, function] = find<Function>(names);
    if (function == nullptr) return false;
    report_.at(name);
    return function(arguments...) == 0;
  }

  bool has(const char* name) const { return library_.function<void()>(name) != nullptr; }

 private:
  template <class Function>
  std::pair<const char*, Function*> find(std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      if (auto* function = library_.function<Function>(name)) return {name, function};
    }
    return {*names.begin(), nullptr};
  }
  bool lacks(const char* name);
  bool failed(const char* name, int code);

  Report& report_;
  ProbeResult& probe_;
  Library library_;
  Explain explain_;
};

}  // namespace platform
