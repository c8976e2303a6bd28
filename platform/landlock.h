#pragma once

#include <filesystem>
#include <span>

#include "platform/shield.h"

namespace platform {

// The use of a path, and of everything below it, that a process keeps.
enum class FileUse {
  read,
  device,  // read, write and ioctl existing devices
  spool,   // make, read, write and remove files
  write,   // as spool, and also truncate files and make folders
};

struct PathRule {
  std::filesystem::path path;
  FileUse use = FileUse::read;
};

// Gives up, for this thread and all that it starts, whatever Landlock can forbid and no rule
// allows: files, and where the kernel supports it TCP, abstract sockets and signals to others.
// Missing paths are skipped. Open files stay open; stat() and readlink() still work. It also keeps
// the thread from the memory and the environment of processes that have not given up as much
// (CAP_PERFMON reads the environment all the same). The process must have set PR_SET_NO_NEW_PRIVS.
Shield enter_landlock(std::span<const PathRule> rules = {});

}  // namespace platform
