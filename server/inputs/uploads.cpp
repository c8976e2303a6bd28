#include "server/inputs/uploads.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/base/file_calls.h"
#include "server/base/file_error.h"
#include "server/base/random_id.h"
#include "server/inputs/name_search.h"
#include "server/inputs/upload_catalog.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view extension = ".json";
constexpr std::size_t most_removed_at_once = 50;

double system_now() {
  using seconds = std::chrono::duration<double>;
  return seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Adds an upload to a page that has room, and returns whether there is more than the page holds.
bool add_to_page(UploadPage& page, const Upload& upload, const UploadQuery& query,
                 const NameSearch& search) {
  if (!search.matches(upload.name)) return false;
  page.has_more = page.uploads.size() == query.limit;
  if (!page.has_more) page.uploads.push_back(upload);
  return page.has_more;
}

}  // namespace

Error no_room_for_uploads() {
  return {errc::out_of_disk, "there is no room for more uploads",
          "Remove uploads that are not needed, or try again when some have expired."};
}

Error too_many_bytes_of_uploads(std::uint64_t most) {
  return {errc::too_many_bytes,
          "your uploads would take more than the " + std::to_string(most) +
              " bytes that those of one key may take on this server",
          "Remove uploads that are not needed, or try again when some have expired."};
}

Error too_many_uploads(std::size_t most) {
  return {errc::too_many_uploads,
          "you have " + std::to_string(most) + " uploads already, and nobody may have more",
          "Remove uploads that are not needed, or try again when some have expired."};
}

std::string upload_id(const std::string& handle) {
  constexpr std::string_view scheme = "upload://";
  return handle.starts_with(scheme) ? handle.substr(scheme.size()) : handle;
}

Error no_such_upload() {
  return {errc::upload_not_found, "There is no such upload.",
          "It may have expired: send the file again."};
}

Error unfinished_upload(const Upload& upload) {
  return {errc::upload_unfinished,
          "The upload has " + std::to_string(upload.received) + " of its " +
              std::to_string(upload.bytes) + " bytes.",
          "Send the rest by PATCH to /v1/uploads first."};
}

Uploads::Uploads(Settings settings, Spool files)
    : settings_(std::move(settings)), files_(std::move(files)) {
  if (settings_.now == nullptr) settings_.now = system_now;
}

Result<Uploads> Uploads::open(Settings settings) {
  auto files = Spool::open(settings.folder, settings.spool);
  if (!files) return files.error();
  Uploads uploads(std::move(settings), *std::move(files));
  uploads.clean_up();
  return uploads;
}

// Removes bytes without a description, too, because they were never handed out.
void Uploads::clean_up() {
  std::vector<fs::path> used;
  for (const auto& name : files_.names()) {
    const auto upload = read(name);
    if (!upload) continue;
    used.insert(used.end(), {name, name + std::string(extension)});
    files_.adopt(name, upload->owner, upload->counted());
    files_.adopt(name + std::string(extension), upload->owner);
    remember(*upload);
  }
  files_.remove_orphans(used);
}

void Uploads::remember(const Upload& upload) {
  total_bytes_ += upload.counted();
  auto& own = by_owner_[upload.owner];
  own.places.insert({upload.expires, upload.id});
  own.unfinished += upload.is_whole() ? 0 : 1;
  own.bytes += upload.counted();
  known_[upload.id] = upload;
}

Result<void> Uploads::check_number(const std::string& owner) const {
  const auto own = by_owner_.find(owner);
  if (own == by_owner_.end() || own->second.places.size() < settings_.max_of_one) return {};
  return too_many_uploads(settings_.max_of_one);
}

Result<void> Uploads::check_bytes(const std::string& owner, std::uint64_t more) const {
  const auto fits = [more](std::uint64_t used, std::uint64_t most) {
    return more <= most && used <= most - more;
  };
  const auto own = by_owner_.find(owner);
  if (!fits(own == by_owner_.end() ? 0 : own->second.bytes, settings_.max_bytes_of_one)) {
    return too_many_bytes_of_uploads(settings_.max_bytes_of_one);
  }
  if (!fits(total_bytes_, settings_.max_total_bytes)) return no_room_for_uploads();
  return {};
}

Result<SpoolFile> Uploads::create(const std::string& owner, std::uint64_t expected) const {
  if (const auto fits = check_number(owner); !fits) return fits.error();
  if (const auto fits = check_bytes(owner, expected); !fits) return fits.error();
  return files_.create(owner, expected);
}

Result<Upload> Uploads::add(SpoolFile file, std::string owner, std::string name) {
  if (const auto fits = check_number(owner); !fits) return fits.error();
  if (const auto fits = check_bytes(owner, file.size()); !fits) return fits.error();
  if (name.size() > max_upload_name_bytes) name.resize(max_upload_name_bytes);
  Upload upload{.owner = std::move(owner),
                .name = std::move(name),
                .bytes = file.size(),
                .received = file.size(),
                .expires = settings_.now() + settings_.keep_s};
  const fs::path path = file.keep();
  upload.id = path.filename().string();
  if (const auto described = write_description(upload); !described) {
    files_.remove(path);
    return described.error();
  }
  remember(upload);
  return upload;
}

double Uploads::time_without_a_byte() const {
  return std::min(longest_without_a_byte_s, settings_.keep_s);
}

Result<void> Uploads::describe(const Upload& upload) const {
  const auto described = write_description(upload);
  if (!described) return described.error();
  return sync_file(*described);
}

Result<void> Uploads::sync_file(const fs::path& file) const {
  const platform::UniqueFd fd(::open(file.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return no_such_upload();
  if (sync_data(fd.get()) != 0) return files_.failure("write", file, errno);
  return {};
}

// A description that was written and not synced may be empty after a loss of power: then nobody has
// heard of the upload, and the next start removes it.
Result<void> Uploads::sync(const Upload& upload) const {
  const fs::path file = files_.folder() / upload.id;
  for (const fs::path& one : {file, fs::path(file.string() + std::string(extension))}) {
    if (const auto synced = sync_file(one); !synced) return synced;
  }
  return files_.sync_names();
}

// Writes the file completely or not at all; it is durable when it and its name were synced. The
// description has the time that holds once a byte has come, so that it need not be written anew
// then.
Result<fs::path> Uploads::write_description(const Upload& upload) const {
  const double expires =
      upload.expires + (upload.has_a_byte() ? 0 : settings_.keep_s - time_without_a_byte());
  const json description{{"owner", upload.owner},       {"name", upload.name},
                         {"bytes", upload.bytes},       {"expires", expires},
                         {"metadata", upload.metadata}, {"entered", upload.is_entered}};
  const fs::path path = files_.folder() / (upload.id + std::string(extension));
  auto file = files_.create(upload.owner, 0);
  if (!file) return file.error();
  const auto written = file->write(protocol::json::dump(description));
  if (!written) return written.error();
  const fs::path from = file->keep();
  if (::rename(from.c_str(), path.c_str()) == 0) return path;
  const int error_number = errno;
  files_.remove(from);
  return files_.failure("make", path, error_number);
}

std::optional<Upload> Uploads::read(const std::string& id) const {
  if (!is_id(id)) return std::nullopt;
  std::ifstream file(files_.folder() / (id + std::string(extension)), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto description = protocol::json::parse_object(text);
  if (!description) return std::nullopt;
  std::error_code missing;
  const auto received = fs::file_size(files_.folder() / id, missing);
  if (missing) return std::nullopt;
  try {
    Upload upload{.id = id,
                  .owner = description->at("owner"),
                  .name = description->at("name"),
                  .bytes = description->at("bytes"),
                  .received = received,
                  .expires = description->at("expires"),
                  .metadata = description->value("metadata", ""),
                  .is_entered = description->value("entered", false)};
    if (upload.received > upload.bytes) return std::nullopt;
    if (!upload.has_a_byte()) upload.expires -= settings_.keep_s - time_without_a_byte();
    return upload;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::optional<Upload> Uploads::find(const std::string& handle, const std::string& owner) const {
  const auto it = known_.find(upload_id(handle));
  if (it == known_.end() || it->second.owner != owner) return std::nullopt;
  return it->second;
}

Result<fs::path> Uploads::take(const Upload& upload, const Spool& spool) const {
  const fs::path file = files_.folder() / upload.id;
  if (!is_id(upload.id) || ::access(file.c_str(), F_OK) != 0) return no_such_upload();
  if (!upload.is_whole()) return unfinished_upload(upload);
  return spool.link(file);
}

asio::awaitable<Result<UnclaimedFile>> take_upload(FairCalls& disk, const Uploads& uploads,
                                                   Upload upload, const Spool& spool,
                                                   bool is_durable) {
  std::function<Result<UnclaimedFile>(std::stop_token)> work =
      [&uploads, &spool, upload, is_durable](std::stop_token) -> Result<UnclaimedFile> {
    auto taken = uploads.take(upload, spool);
    if (!taken) return taken.error();
    UnclaimedFile file(spool, *std::move(taken));
    const auto synced = is_durable ? spool.sync_names() : Result<void>();
    if (!synced) return synced.error();
    return file;
  };
  auto taking = disk.run(std::move(upload.owner), std::move(work));
  co_return co_await std::move(taking);
}

std::vector<Upload> Uploads::all() const {
  std::vector<Upload> found;
  for (const auto& [id, upload] : known_) found.push_back(upload);
  return found;
}

std::vector<Upload> Uploads::list(const std::string& owner) const {
  std::vector<Upload> all;
  const auto own = by_owner_.find(owner);
  if (own == by_owner_.end()) return all;
  for (const UploadPlace& place : own->second.places) all.push_back(known_.at(place.id));
  return all;
}

std::optional<UploadPage> Uploads::page(const std::string& owner, const UploadQuery& query) const {
  const auto own = by_owner_.find(owner);
  const auto before = query.after.empty() ? std::nullopt : find(query.after, owner);
  if (!query.after.empty() && !before) return std::nullopt;
  UploadPage page;
  if (own == by_owner_.end()) return page;
  const auto& places = own->second.places;
  auto next = before ? places.upper_bound({before->expires, before->id}) : places.begin();
  const NameSearch search(query.text);
  while (next != places.end() && !add_to_page(page, known_.at(next->id), query, search)) ++next;
  return page;
}

std::optional<UploadPage> page_of(const std::vector<Upload>& uploads, const UploadQuery& query) {
  auto next = uploads.begin();
  if (!query.after.empty()) {
    next = std::ranges::find(uploads, query.after, &Upload::id);
    if (next == uploads.end()) return std::nullopt;
    ++next;
  }
  UploadPage page;
  const NameSearch search(query.text);
  while (next != uploads.end() && !add_to_page(page, *next, query, search)) ++next;
  return page;
}

bool Uploads::remove(const std::string& handle, const std::string& owner) {
  const auto upload = find(handle, owner);
  if (upload) remove_files(*upload);
  return upload.has_value();
}

// The description is removed first: bytes alone are cleaned up at the next start.
void Uploads::remove_files(const Upload& upload) {
  files_.remove(upload.id + std::string(extension));
  files_.remove(upload.id);
  total_bytes_ -= upload.counted();
  const auto own = by_owner_.find(upload.owner);
  own->second.bytes -= upload.counted();
  own->second.unfinished -= upload.is_whole() ? 0 : 1;
  own->second.places.erase({upload.expires, upload.id});
  if (own->second.places.empty()) by_owner_.erase(own);
  known_.erase(upload.id);
}

int Uploads::remove_expired() {
  const double now = settings_.now();
  std::vector<Upload> expired;
  for (auto& [id, upload] : known_) {
    if (upload.expires <= now) {
      if (expired.size() < most_removed_at_once) expired.push_back(upload);
    } else if (upload.expires > now + settings_.keep_s) {
      set_expires(upload, now + settings_.keep_s);
      describe(upload);  // where this fails, the next start reads the wrong time again
    }
  }
  for (const Upload& upload : expired) remove_files(upload);
  return static_cast<int>(expired.size());
}

}  // namespace server
