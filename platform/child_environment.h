#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace platform {

// The kind of child that is started.
enum class ChildKind {
  decoder,   // scribed-decode, which reads files from outside
  worker,    // scribed-worker and `scribed probe`: libtorch and the drivers of GPUs
  packages,  // Python's package client, which reads the network
};

// The variable in which a daemon tells its workers how many bytes of the disk their spool files
// leave free.
inline constexpr char spool_min_free[] = "SCRIBED_SPOOL_MIN_FREE";
// The variable in which it tells them, as "1", that several owners share that room: none of them
// may take more than half of it.
inline constexpr char spool_is_shared[] = "SCRIBED_SPOOL_IS_SHARED";

// Returns whether a child may have a variable of this name. The list says what is allowed, not what
// is forbidden, because an environment may hold unknown keys and tokens.
bool is_for_child(ChildKind kind, std::string_view name);

// Returns the entries ("NAME=value") of this process's environment that such a child gets.
std::vector<std::string> child_environment(ChildKind kind);

// Returns the environment of a worker, or of a child that loads its libraries. The folders of
// `library_path` ("/a:/b", may be empty) stand before those of LD_LIBRARY_PATH.
std::vector<std::string> worker_environment(const std::string& library_path);

}  // namespace platform
