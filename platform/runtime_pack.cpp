#include "platform/runtime_pack.h"

#if defined(__APPLE__)
#include <limits.h>
#include <mach-o/dyld.h>

#include <array>
#include <cstdint>
#endif

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <utility>

#include "platform/pack_list.h"

namespace platform {
namespace {

namespace fs = std::filesystem;

std::optional<RuntimePack> read_pack(const fs::path& folder, std::string name,
                                     const std::vector<fs::path>& fetched) {
  std::error_code ignored;
  RuntimePack pack{std::move(name), folder / "scribed-worker"};
  if (!fs::exists(pack.worker, ignored)) return std::nullopt;
  std::ifstream file(folder / "build-info.json");
  pack.build = parse_build_info(nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false));
  const auto wanted = read_pack_list(folder / pack_list_file);
  if (!wanted) return pack;
  pack.fetched_as = wanted->name;
  for (const auto& root : fetched) {
    pack.library_path = library_path(*wanted, root / wanted->name);
    if (pack.library_path.empty()) continue;
    pack.fetched_to = root / wanted->name;
    break;
  }
  return pack;
}

}  // namespace

#if defined(__APPLE__)
fs::path program_file() {
  std::array<char, PATH_MAX> path{};
  auto size = static_cast<std::uint32_t>(path.size());
  if (::_NSGetExecutablePath(path.data(), &size) != 0) return {};
  std::error_code error;
  return fs::canonical(path.data(), error);
}

fs::path program_folder() {
  return program_file().parent_path();
}
#else
fs::path program_file() {
  const fs::path link = "/proc/self/exe";
  std::error_code error;
  fs::path program = fs::read_symlink(link, error);
  // The link reads "/usr/bin/scribed (deleted)" where a newer file has replaced the program. It
  // still leads to the running one.
  return fs::exists(program, error) ? program : link;
}

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}
#endif

fs::path helper_folder(const fs::path& program_folder) {
  const char* wanted = std::getenv("SCRIBED_LIBEXEC");
  if (wanted != nullptr && *wanted != '\0') return wanted;
  const fs::path installed = program_folder.parent_path() / "lib" / "scribed";
  std::error_code ignored;
  const bool beside = fs::exists(program_folder / "scribed-decode", ignored);
  return beside || !fs::is_directory(installed, ignored) ? program_folder : installed;
}

std::vector<RuntimePack> find_runtime_packs(const fs::path& program_folder,
                                            const std::vector<fs::path>& fetched) {
  const fs::path root = helper_folder(program_folder);
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "runtimes", error)) {
    folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  std::vector<RuntimePack> packs;
  if (auto pack = read_pack(root, "cpu", fetched)) packs.push_back(*std::move(pack));
  for (const auto& candidate : folders) {
    if (auto pack = read_pack(candidate, candidate.filename(), fetched)) {
      packs.push_back(*std::move(pack));
    }
  }
  return packs;
}

}  // namespace platform
