#include "server/daemon/database_uploads.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/base/race.h"
#include "server/base/random_id.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view upload_prefix = "uploads/";
constexpr int most_expired = 1000;
constexpr std::size_t most_asked = 1000;
constexpr std::chrono::milliseconds look_again{20};

std::string upload_object(const std::string& id) {
  return std::string(upload_prefix) + id;
}

bool breaks_limits(const Error& error) {
  return error.code == errc::too_many_uploads || error.code == errc::too_many_bytes ||
         error.code == errc::out_of_disk;
}

// Keeps an id in a set for as long as this object lives, also where its coroutine is cancelled. A
// coroutine that never ends goes with its executor, later than what it was called on.
class Noted {
 public:
  Noted(std::shared_ptr<std::set<std::string>> ids, std::string id)
      : ids_(std::move(ids)), id_(std::move(id)) {
    ids_->insert(id_);
  }
  Noted(const Noted&) = delete;
  ~Noted() { ids_->erase(id_); }

 private:
  const std::shared_ptr<std::set<std::string>> ids_;
  const std::string id_;
};

}  // namespace

template <class T>
asio::awaitable<Result<T>> DatabaseUploads::ask(std::function<Result<T>(UploadCatalog&)> question) {
  std::function<Result<T>(std::stop_token)> work =
      [&catalog = *parts_.catalog, question = std::move(question)](std::stop_token) {
        return question(catalog);
      };
  auto answer = co_await calls_.run<T>(std::move(work));
  co_return answer;
}

// The bytes come first: whoever finds the row finds them. The database may have entered an upload
// although it did not say so: then the next attempt finds it there.
asio::awaitable<Result<Upload>> DatabaseUploads::publish(Upload upload) {
  while (publishing_->contains(upload.id)) co_await sleep_for(look_again);
  const bool is_here = parts_.here.find(upload.id, upload.owner).has_value();
  if (!is_here) {
    auto finding = find(upload.id, upload.owner);
    auto found = co_await std::move(finding);
    if (found && *found) co_return **std::move(found);
    co_return found ? no_such_upload() : found.error();
  }
  const Noted noted(publishing_, upload.id);
  const auto put = co_await put_bytes(upload);
  if (!put) co_return put.error();
  const auto& settings = parts_.here.settings();
  const UploadTerms terms{.keep_s = settings.keep_s,
                          .most_of_one = settings.max_of_one,
                          .bytes_of_one = parts_.spool.room().most_of(upload.owner),
                          .total_bytes = settings.max_total_bytes};
  std::function<Result<Upload>(UploadCatalog&)> question = [upload, terms](UploadCatalog& catalog) {
    return catalog.add(upload, terms);
  };
  auto added = co_await ask(std::move(question));
  const bool is_refused = !added && breaks_limits(added.error());
  if (is_refused) {
    std::vector<std::string> refused{upload.id};
    auto removing = remove_bytes(std::move(refused));
    co_await std::move(removing);
  }
  // Its owner removed it, or its time came, before it could be found with the others.
  const bool was_removed = !parts_.here.find(upload.id, upload.owner);
  if (was_removed) {
    auto removing = remove(upload.id, upload.owner);
    const auto removed = co_await std::move(removing);
    co_return removed ? no_such_upload() : removed.error();
  }
  if (added || is_refused) parts_.here.remove(upload.id, upload.owner);
  co_return added;
}

asio::awaitable<Result<void>> DatabaseUploads::put_bytes(Upload upload) {
  const fs::path file = parts_.here.path(upload);
  if (!parts_.folder) {
    auto putting = parts_.bucket->put(upload_object(upload.id), file);
    co_return co_await std::move(putting);
  }
  std::function<Result<bool>(std::stop_token)> work = [&folder = *parts_.folder,
                                                       file](std::stop_token) -> Result<bool> {
    const auto linked = folder.link_as(file, file.filename());
    if (!linked) return linked.error();
    const auto synced = folder.sync_names();
    if (!synced) return synced.error();
    return true;
  };
  const auto linked = co_await parts_.disk.run<bool>(std::move(work));
  if (!linked) co_return linked.error();
  co_return Result<void>();
}

// Bytes that stay, because the disk is too busy or this daemon ends, are swept up later.
asio::awaitable<void> DatabaseUploads::remove_bytes(std::vector<std::string> ids) {
  std::erase_if(ids, [](const std::string& id) { return !is_id(id); });
  if (!parts_.folder) {
    for (const auto& id : ids) parts_.bucket->remove_file(upload_object(id));
    co_return;
  }
  std::function<Result<bool>(std::stop_token)> work =
      [&folder = *parts_.folder, ids = std::move(ids)](const std::stop_token& stop) {
        for (auto id = ids.begin(); id != ids.end() && !stop.stop_requested(); ++id) {
          folder.remove(*id);
        }
        return Result<bool>(true);
      };
  co_await parts_.disk.run<bool>(std::move(work));
}

asio::awaitable<Result<std::optional<Upload>>> DatabaseUploads::find(std::string handle,
                                                                     std::string owner) {
  std::function<Result<std::optional<Upload>>(UploadCatalog&)> question =
      [id = upload_id(handle), owner = std::move(owner)](UploadCatalog& catalog) {
        return catalog.find(id, owner);
      };
  auto found = co_await ask(std::move(question));
  co_return found;
}

asio::awaitable<Result<std::vector<Upload>>> DatabaseUploads::list(std::string owner) {
  std::function<Result<std::vector<Upload>>(UploadCatalog&)> question =
      [owner = std::move(owner)](UploadCatalog& catalog) { return catalog.list(owner); };
  auto found = co_await ask(std::move(question));
  co_return found;
}

asio::awaitable<Result<bool>> DatabaseUploads::remove(std::string handle, std::string owner) {
  const std::string id = upload_id(handle);
  std::function<Result<bool>(UploadCatalog&)> question =
      [id, owner = std::move(owner)](UploadCatalog& catalog) { return catalog.remove(id, owner); };
  auto removed = co_await ask(std::move(question));
  if (!removed || !*removed) co_return removed;
  std::vector<std::string> gone{id};
  auto removing = remove_bytes(std::move(gone));
  co_await std::move(removing);
  co_return removed;
}

asio::awaitable<Result<UnclaimedFile>> DatabaseUploads::take(Upload upload, bool is_durable) {
  if (!parts_.folder) {
    auto fetching = fetch(std::move(upload), is_durable);
    co_return co_await std::move(fetching);
  }
  std::function<Result<UnclaimedFile>(std::stop_token)> work =
      [&spool = parts_.spool, file = parts_.folder->folder() / upload.id,
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
  auto taken = co_await parts_.disk.run<UnclaimedFile>(std::move(work));
  co_return taken;
}

asio::awaitable<Result<UnclaimedFile>> DatabaseUploads::fetch(Upload upload, bool is_durable) {
  auto made = parts_.spool.create(upload.owner, upload.bytes);
  if (!made) co_return made.error();
  const auto file = std::make_shared<SpoolFile>(*std::move(made));
  auto fetching = parts_.bucket->fetch(upload_object(upload.id), file);
  const auto fetched = co_await std::move(fetching);
  if (!fetched && fetched.error().code == errc::input_lost) co_return no_such_upload();
  if (!fetched) co_return fetched.error();
  if (is_durable) {
    std::function<Result<bool>(std::stop_token)> work = [file](std::stop_token) -> Result<bool> {
      const auto synced = file->sync();
      if (!synced) return synced.error();
      return true;
    };
    const auto synced = co_await parts_.disk.run<bool>(std::move(work));
    if (!synced) co_return synced.error();
  }
  co_return UnclaimedFile(parts_.spool, file->keep());
}

// The log hears of a bucket or a database that is away from others.
asio::awaitable<void> DatabaseUploads::publish_the_rest() {
  for (auto& upload : parts_.here.whole()) {
    auto publishing = publish(std::move(upload));
    const auto published = co_await std::move(publishing);
    if (!published && !breaks_limits(published.error())) co_return;
  }
}

asio::awaitable<void> DatabaseUploads::remove_expired() {
  while (true) {
    std::function<Result<std::vector<std::string>>(UploadCatalog&)> question =
        [](UploadCatalog& catalog) { return catalog.take_expired(most_expired); };
    auto expired = co_await ask(std::move(question));
    if (!expired || expired->empty()) co_return;
    auto removing = remove_bytes(*std::move(expired));
    co_await std::move(removing);
  }
}

asio::awaitable<std::vector<std::string>> DatabaseUploads::old_files() {
  const auto before = std::chrono::system_clock::now() - parts_.orphan_age;
  std::function<Result<std::vector<std::string>>(std::stop_token)> work =
      [&folder = *parts_.folder, before](std::stop_token) {
        return Result<std::vector<std::string>>(folder.names_before(before));
      };
  auto found = co_await parts_.disk.run<std::vector<std::string>>(std::move(work));
  co_return found ? *std::move(found) : std::vector<std::string>();
}

asio::awaitable<int> DatabaseUploads::sweep(std::vector<std::string> objects) {
  std::vector<std::string> ids;
  for (const auto& object : objects) {
    if (!object.starts_with(upload_prefix)) continue;
    std::string id = object.substr(upload_prefix.size());
    if (is_id(id)) ids.push_back(std::move(id));
  }
  if (parts_.folder) ids = co_await old_files();
  int removed = 0;
  for (std::size_t begin = 0; begin < ids.size(); begin += most_asked) {
    const auto end = std::min(begin + most_asked, ids.size());
    std::vector<std::string> some(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                  ids.begin() + static_cast<std::ptrdiff_t>(end));
    std::function<Result<std::vector<std::string>>(UploadCatalog&)> question =
        [some = std::move(some)](UploadCatalog& catalog) { return catalog.missing(some); };
    auto missing = co_await ask(std::move(question));
    if (!missing) break;
    removed += static_cast<int>(missing->size());
    auto removing = remove_bytes(*std::move(missing));
    co_await std::move(removing);
  }
  co_return removed;
}

}  // namespace server
