#include "server/daemon/upload_bytes.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/base/random_id.h"
#include "server/inputs/file_ranges.h"
#include "server/submission/services.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view upload_prefix = "uploads/";

std::string upload_object(const std::string& id) {
  return std::string(upload_prefix) + id;
}

}  // namespace

asio::awaitable<Result<void>> UploadBytes::put(std::string owner, std::string id, fs::path file) {
  if (!place_.folder) {
    auto putting = place_.bucket->put(upload_object(id), std::move(file));
    co_return co_await std::move(putting);
  }
  std::function<Result<void>(std::stop_token)> work =
      [&folder = *place_.folder, id = std::move(id),
       file = std::move(file)](std::stop_token) -> Result<void> {
    if (!sync_bytes(file)) return folder.failure("write", file, errno);
    if (const auto linked = folder.link_as(file, id); !linked) return linked;
    return folder.sync_names();
  };
  auto linking = place_.disk.run(std::move(owner), std::move(work));
  co_return co_await std::move(linking);
}

asio::awaitable<Result<void>> UploadBytes::put(std::string owner, std::string id, fs::path file,
                                               FileRange range) {
  if (!place_.folder) {
    auto putting = place_.bucket->put(upload_object(id), std::move(file), range);
    co_return co_await std::move(putting);
  }
  std::function<Result<void>(std::stop_token)> work =
      [&folder = *place_.folder, id = std::move(id), file = std::move(file),
       range](const std::stop_token& stop) -> Result<void> {
    const fs::path copy = folder.folder() / id;
    if (copy_range(file, range, copy, stop)) return folder.sync_names();
    const int error_number = errno;
    folder.remove(copy);
    return folder.failure("write", copy, error_number);
  };
  auto copying = place_.disk.run(std::move(owner), std::move(work));
  co_return co_await std::move(copying);
}

asio::awaitable<Result<std::string>> UploadBytes::read(std::string owner, std::string id,
                                                       std::uint64_t from, std::uint64_t most) {
  if (!place_.folder) {
    auto reading = place_.bucket->read(upload_object(id), from, most);
    auto read = co_await std::move(reading);
    if (!read && read.error().code == errc::input_lost) co_return no_such_upload();
    co_return read;
  }
  std::function<Result<std::string>(std::stop_token)> work =
      [&folder = *place_.folder, id = std::move(id), from,
       most](std::stop_token) -> Result<std::string> {
    const fs::path file = folder.folder() / id;
    auto bytes = read_range(file, {from, most});
    if (bytes) return *std::move(bytes);
    if (errno == ENOENT) return no_such_upload();
    return folder.failure("read", file, errno);
  };
  auto reading = place_.disk.run(std::move(owner), std::move(work));
  co_return co_await std::move(reading);
}

asio::awaitable<void> UploadBytes::remove(std::string owner, std::vector<std::string> ids) {
  std::erase_if(ids, [](const std::string& id) { return !is_id(id); });
  if (ids.empty()) co_return;
  if (!place_.folder) {
    for (const auto& id : ids) place_.bucket->remove_file(upload_object(id));
    co_return;
  }
  std::function<Result<void>(std::stop_token)> work =
      [&folder = *place_.folder, ids = std::move(ids)](const std::stop_token& stop) {
        for (auto id = ids.begin(); id != ids.end() && !stop.stop_requested(); ++id) {
          folder.remove(*id);
        }
        return Result<void>();
      };
  auto removing = place_.disk.run(std::move(owner), std::move(work));
  co_await std::move(removing);
}

asio::awaitable<Result<UnclaimedFile>> UploadBytes::take(Upload upload, bool is_durable) {
  if (!place_.folder) {
    auto fetching = fetch(std::move(upload), is_durable);
    co_return co_await std::move(fetching);
  }
  std::function<Result<UnclaimedFile>(std::stop_token)> work =
      [&spool = place_.spool, file = place_.folder->folder() / upload.id,
       is_durable](std::stop_token) -> Result<UnclaimedFile> {
    std::error_code failure;
    if (!fs::exists(file, failure)) return no_such_upload();
    auto linked = spool.link(file);
    if (!linked) return linked.error();
    UnclaimedFile taken(spool, *std::move(linked));
    const auto synced = is_durable ? spool.sync_names() : Result<void>();
    if (!synced) return synced.error();
    return taken;
  };
  auto taking = place_.disk.run(std::move(upload.owner), std::move(work));
  co_return co_await std::move(taking);
}

asio::awaitable<Result<UnclaimedFile>> UploadBytes::fetch(Upload upload, bool is_durable) {
  auto made = place_.spool.create(upload.owner, upload.bytes);
  if (!made) co_return made.error();
  const auto file = std::make_shared<SpoolFile>(*std::move(made));
  auto fetching = place_.bucket->fetch(upload_object(upload.id), file);
  const auto fetched = co_await std::move(fetching);
  if (!fetched && fetched.error().code == errc::input_lost) co_return no_such_upload();
  if (!fetched) co_return fetched.error();
  if (is_durable) {
    std::function<Result<void>(std::stop_token)> work = [file](std::stop_token) {
      return file->sync();
    };
    auto syncing = place_.disk.run(std::move(upload.owner), std::move(work));
    const auto synced = co_await std::move(syncing);
    if (!synced) co_return synced.error();
  }
  co_return UnclaimedFile(place_.spool, file->keep());
}

asio::awaitable<std::vector<std::string>> UploadBytes::old_ones(std::vector<std::string> objects) {
  if (!place_.folder) {
    std::vector<std::string> ids;
    for (const auto& object : objects) {
      if (!object.starts_with(upload_prefix)) continue;
      std::string id = object.substr(upload_prefix.size());
      if (is_id(id)) ids.push_back(std::move(id));
    }
    co_return ids;
  }
  std::function<Result<std::vector<std::string>>(std::stop_token)> work =
      [&folder = *place_.folder, age = place_.orphan_age](std::stop_token) {
        return Result<std::vector<std::string>>(folder.names_unchanged_for(age));
      };
  auto finding = place_.disk.run(own_work, std::move(work));
  auto found = co_await std::move(finding);
  co_return found ? *std::move(found) : std::vector<std::string>();
}

}  // namespace server
