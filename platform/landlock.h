#pragma once

#include <filesystem>
#include <span>

#include "platform/shield.h"

namespace platform {

// What a process may still do at a path and below it.
enum class FileUse {
  read,
  device,  // read, write and ask by ioctl what is there
  spool,   // make, read, write and remove files
  write,   // the same, and cut them and make folders
};

struct PathRule {
  std::filesystem::path path;
  FileUse use = FileUse::read;
};

// Gives up, for this thread and all that it starts, whatever Landlock can forbid and no rule
// allows: files, and where the kernel knows of them TCP, abstract sockets and signals to others.
// Paths that are not there are passed over. What is open stays open; stat() and readlink() still
// work. It also keeps the thread from the memory and the environment of processes that have not
// given up as much (CAP_PERFMON reads the environment all the same). The process must have set
// PR_SET_NO_NEW_PRIVS.
Shield enter_landlock(std::span<const PathRule> rules = {});

}  // namespace platform
