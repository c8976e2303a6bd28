#include "platform/probe/cache_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "platform/unique_fd.h"

namespace platform {
namespace {

namespace fs = std::filesystem;

constexpr int version = 1;

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

nlohmann::json read_cache(const fs::path& file) {
  std::ifstream stream(file);
  auto document = nlohmann::json::parse(stream, nullptr, /*allow_exceptions=*/false);
  const bool ours =
      document.is_object() && document.contains("version") && document["version"] == version;
  return ours ? document : nlohmann::json::object();
}

void write_cache(const fs::path& file, nlohmann::json document) {
  document["version"] = version;
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::string temporary = file.string() + ".XXXXXX";
  const UniqueFd fd(::mkostemp(temporary.data(), O_CLOEXEC));  // with mode 0600
  if (!fd) return;
  const std::string text = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!write_all(fd.get(), text) || ::rename(temporary.c_str(), file.c_str()) != 0) {
    ::unlink(temporary.c_str());
  }
}

}  // namespace platform
