#pragma once

#include <string>
#include <variant>

#include "server/inputs/spool.h"

namespace server {

// Where the sound of a job comes from, as its client names or sends it.
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
  std::string name{};  // as its client calls it; may be empty
};
struct ReceivedSource {
  SpoolFile file;      // with all of the sound
  std::string name{};  // as its client calls it
};
using SoundSource = std::variant<PathSource, UrlSource, UploadSource, BytesSource, ReceivedSource>;

}  // namespace server
