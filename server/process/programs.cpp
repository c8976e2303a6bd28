#include "server/process/programs.h"

#include "platform/runtime_pack.h"

namespace server {
namespace {

Error missing(const char* program, const std::filesystem::path& folder) {
  return {errc::program_missing, std::string(program) + " is not in " + folder.string(),
          "The installation is incomplete: build or install scribed again, or set SCRIBED_LIBEXEC "
          "to the folder with its programs."};
}

}  // namespace

Result<Programs> find_programs() {
  const auto folder = platform::helper_folder(platform::program_folder());
  const auto decoder = folder / "scribed-decode";
  std::error_code ignored;
  if (!std::filesystem::exists(decoder, ignored)) return missing("scribed-decode", folder);
  if (platform::find_runtime_packs(platform::program_folder()).empty()) {
    return missing("scribed-worker", folder);
  }
  return Programs{decoder};
}

}  // namespace server
