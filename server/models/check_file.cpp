#include "server/models/check_file.h"

#include <string>

#include "server/models/digest.h"

namespace server {

namespace fs = std::filesystem;

StoreResult<InstalledFile> check_file(const fs::path& file, const KnownFile& expected,
                                      const Observer& observer) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) return system_error("cannot read " + file.string(), error.value());
  const auto wrong = [&](const std::string& wanted, const std::string& found) {
    return StoreError{
        StoreErrc::wrong_content,
        file.filename().string() + ": expected " + wanted + ", got " + found,
        "Try again. If it fails again, the source has another file than this version of scribed "
        "expects, or the file is changed on the way: use another --source."};
  };
  if (expected.size && size != *expected.size) {
    return wrong(std::to_string(*expected.size) + " bytes", std::to_string(size));
  }
  const auto hash = [&](Digest::Kind kind) {
    return hash_file(file, kind, observer.stop, [&](std::uint64_t done) {
      observer.progress({PullProgress::Phase::verifying, expected.name, done, size});
    });
  };
  const auto sha256 = hash(Digest::Kind::sha256);
  if (!sha256) return sha256.error();
  if (expected.digest && expected.digest->kind == Digest::Kind::git_blob_sha1) {
    const auto git = hash(Digest::Kind::git_blob_sha1);
    if (!git) return git.error();
    if (*git != expected.digest->hex) {
      return wrong("git hash " + expected.digest->hex, "git hash " + *git);
    }
  } else if (expected.digest && *sha256 != expected.digest->hex) {
    return wrong("sha256 " + expected.digest->hex, "sha256 " + *sha256);
  }
  return InstalledFile{expected.name, size, *sha256};
}

}  // namespace server
