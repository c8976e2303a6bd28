#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platform/landlock.h"

namespace engine {

// The things that a worker is about to work with. Paths may be empty.
struct Reach {
  std::filesystem::path model{};
  std::vector<std::filesystem::path> auxiliary{};  // models of the store
  std::string device = "cpu";
};

// "auto" is decided before a worker is started: it computes on the processor alone.
bool is_gpu(std::string_view device);

// Returns the files that it may touch from then on, each with its use: the model, the libraries it
// runs on, what the C library and the drivers of the device look at, and where it writes.
std::vector<platform::PathRule> reachable_paths(const Reach& reach);

}  // namespace engine
