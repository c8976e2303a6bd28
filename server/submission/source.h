#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "server/inputs/spool.h"

namespace server {

// The kinds of sources that a job's sound may have; its client names or sends one of them.
struct PathSource {
  std::string path{};
};
struct UrlSource {
  std::string url{};
};
struct UploadSource {
  std::string handle{};  // with or without "upload://"
};
struct BytesSource {
  std::string bytes{};
  std::string name{};  // the client's name for the file; may be empty
};
struct ReceivedSource {
  SpoolFile file;      // has all of the sound
  std::string name{};  // the client's name for the file
};
// What an earlier job of the same owner has heard.
struct HeardSource {
  std::string job{};
  std::string title{};      // of that job's file
  std::uint64_t bytes = 0;  // of the sound, where it is not in the store of this daemon
};
using SoundSource =
    std::variant<PathSource, UrlSource, UploadSource, BytesSource, ReceivedSource, HeardSource>;

// A speaker who is known by name, with the sound of a clip.
struct NamedClip {
  std::string name{};
  SoundSource clip{};
};

}  // namespace server
