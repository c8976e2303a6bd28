#include "server/inputs/uploads.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/inputs/file_error.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view scheme = "upload://";
constexpr std::string_view extension = ".json";
constexpr std::size_t max_name_bytes = 255;

double system_now() {
  using seconds = std::chrono::duration<double>;
  return seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Ids become paths, so nothing else may pass.
bool is_id(std::string_view text) {
  return text.size() == 26 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
         });
}

std::string id_of(const std::string& handle) {
  return handle.starts_with(scheme) ? handle.substr(scheme.size()) : handle;
}

// Whole or not at all, also after a loss of power.
Result<void> write_whole(const Spool& folder, const fs::path& path, const std::string& text) {
  auto file = folder.create();
  if (!file) return file.error();
  if (const auto written = file->write(text); !written) return written.error();
  if (const auto synced = file->sync(); !synced) return synced.error();
  const auto from = file->keep(false);
  if (!from) return from.error();
  if (::rename(from->c_str(), path.c_str()) != 0) {
    const int error_number = errno;
    ::unlink(from->c_str());
    return file_error("make", path, error_number);
  }
  return sync_folder(path.parent_path());
}

}  // namespace

Uploads::Uploads(Settings settings, Spool files)
    : settings_(std::move(settings)), files_(std::move(files)) {
  if (settings_.now == nullptr) settings_.now = system_now;
}

Result<Uploads> Uploads::open(Settings settings) {
  auto files = Spool::open(settings.folder);
  if (!files) return files.error();
  Uploads uploads(std::move(settings), *std::move(files));
  uploads.clean_up();
  return uploads;
}

// Bytes without a description were never handed out; they are removed too.
void Uploads::clean_up() {
  std::vector<std::string> used;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(files_.folder(), failure)) {
    const auto upload = entry.path().extension() == extension ? read(entry.path().stem().string())
                                                              : std::optional<Upload>();
    if (!upload || upload->expires <= settings_.now()) continue;
    used.push_back(entry.path().string());
    used.push_back((files_.folder() / upload->id).string());
    total_bytes_ += upload->bytes;
  }
  files_.remove_orphans(used);
}

Result<SpoolFile> Uploads::create() const {
  return files_.create();
}

Result<Upload> Uploads::add(SpoolFile file, std::string owner, std::string name) {
  if (file.size() > settings_.max_total_bytes ||
      total_bytes_ > settings_.max_total_bytes - file.size()) {
    return Error{errc::out_of_disk, "there is no room for more uploads",
                 "Remove uploads that are not needed, or try again when some have expired."};
  }
  if (name.size() > max_name_bytes) name.resize(max_name_bytes);
  Upload upload{.owner = std::move(owner),
                .name = std::move(name),
                .bytes = file.size(),
                .expires = settings_.now() + settings_.keep_s};
  const auto path = file.keep(true);
  if (!path) return path.error();
  upload.id = path->filename().string();
  const json description{{"owner", upload.owner},
                         {"name", upload.name},
                         {"bytes", upload.bytes},
                         {"expires", upload.expires}};
  const auto text = protocol::json::dump(description);
  const auto written = write_whole(files_, path->string() + std::string(extension), text);
  if (!written) {
    ::unlink(path->c_str());
    return written.error();
  }
  total_bytes_ += upload.bytes;
  return upload;
}

std::optional<Upload> Uploads::read(const std::string& id) const {
  if (!is_id(id)) return std::nullopt;
  std::ifstream file(files_.folder() / (id + std::string(extension)), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto description = protocol::json::parse_object(text);
  if (!description) return std::nullopt;
  try {
    return Upload{.id = id,
                  .owner = description->at("owner"),
                  .name = description->at("name"),
                  .bytes = description->at("bytes"),
                  .expires = description->at("expires")};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::optional<Upload> Uploads::find(const std::string& handle, const std::string& owner) const {
  auto upload = read(id_of(handle));
  if (!upload || upload->owner != owner || upload->expires <= settings_.now()) return std::nullopt;
  return upload;
}

Result<fs::path> Uploads::take(const Upload& upload, const Spool& spool) const {
  const fs::path file = files_.folder() / upload.id;
  if (!is_id(upload.id) || ::access(file.c_str(), F_OK) != 0) {
    return Error{errc::upload_not_found, "there is no such upload", "Upload the file again."};
  }
  return spool.link(file);
}

bool Uploads::remove(const std::string& handle, const std::string& owner) {
  const auto upload = find(handle, owner);
  if (upload) remove_files(*upload);
  return upload.has_value();
}

// The description first: bytes alone are cleaned up at the next start.
void Uploads::remove_files(const Upload& upload) {
  const fs::path file = files_.folder() / upload.id;
  ::unlink((file.string() + std::string(extension)).c_str());
  ::unlink(file.c_str());
  total_bytes_ -= std::min(total_bytes_, upload.bytes);
}

// Only what is described: other files are being written.
int Uploads::remove_expired() {
  std::vector<Upload> expired;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(files_.folder(), failure)) {
    if (entry.path().extension() != extension) continue;
    const auto upload = read(entry.path().stem().string());
    if (upload && upload->expires <= settings_.now()) expired.push_back(*upload);
  }
  for (const auto& upload : expired) remove_files(upload);
  return static_cast<int>(expired.size());
}

}  // namespace server
