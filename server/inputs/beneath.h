#pragma once

#include <cstdint>
#include <filesystem>

// Opens what lies below a folder, so that no link leads out of it, also while links are being
// changed. The calls return a descriptor that no child inherits, or -1 with errno: EXDEV or ELOOP
// where the path leads out, which on macOS is taken of every link.
namespace server {

// Opens a folder to be held; its absolute path may have no links.
int open_held_folder(const std::filesystem::path& folder);

// `path` is relative and has no "..". `flags` are open()'s.
int open_beneath(int folder, const std::filesystem::path& path, std::uint64_t flags);

// Returns whether a file system other than that of `held` was mounted at `fd`.
bool is_another_mount(int fd, int held);

}  // namespace server
