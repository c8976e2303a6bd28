#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace platform {

// Who is started.
enum class ChildKind {
  decoder,   // scribed-decode, which reads files from outside
  worker,    // scribed-worker and `scribed probe`: libtorch and the drivers of GPUs
  packages,  // Python's package client, which reads the network
};

// Whether a child may have a variable of this name. Names are allowed, not forbidden: an
// environment holds keys and tokens of which nobody here knows.
bool is_for_child(ChildKind kind, std::string_view name);

// The entries ("NAME=value") of this process's environment that such a child gets.
std::vector<std::string> child_environment(ChildKind kind);

}  // namespace platform
