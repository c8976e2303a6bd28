#include "server/daemon/database_uploads.h"

#include <algorithm>
#include <utility>

#include "server/daemon/noted_id.h"
#include "server/inputs/disk_room.h"
#include "server/submission/services.h"

namespace server {
namespace {

constexpr int most_expired = 1000;
constexpr std::size_t most_asked = 1000;

// Returns whether another attempt has no other end: it breaks the limits, or was removed.
bool is_final(const Error& error) {
  return error.code == errc::too_many_uploads || error.code == errc::too_many_bytes ||
         error.code == errc::out_of_disk || error.code == errc::upload_not_found;
}

}  // namespace

UploadTerms DatabaseUploads::terms_for(const std::string& owner) const {
  const auto& settings = here_.settings();
  return {.keep_s = settings.keep_s,
          .most_of_one = settings.max_of_one,
          .most_unfinished_of_one = settings.max_unfinished_of_one,
          .bytes_of_one = std::min(room_.most_of(owner), settings.max_bytes_of_one),
          .total_bytes = settings.max_total_bytes};
}

asio::awaitable<Result<EnteredUpload>> DatabaseUploads::enter(Upload upload) {
  std::function<Result<EnteredUpload>(UploadCatalog&)> question =
      [upload, terms = terms_for(upload.owner)](UploadCatalog& catalog) {
        return catalog.add(upload, terms);
      };
  return ask(std::move(question));
}

asio::awaitable<Result<Upload>> DatabaseUploads::publish(Upload upload) {
  auto waiting = wait_for_others(upload.id);
  const auto waited = co_await std::move(waiting);
  if (!waited) co_return waited.error();
  auto here = here_.find(upload.id, upload.owner);
  if (here && here->is_whole()) {
    auto publishing = publish_here(*std::move(here));
    co_return co_await std::move(publishing);
  }
  auto finding = find(upload.id, upload.owner);
  auto found = co_await std::move(finding);
  if (found && *found) co_return **std::move(found);
  co_return found ? no_such_upload() : found.error();
}

// The bytes come first: whoever finds the row finds them. The database may have entered an upload
// although it did not say so: then the next attempt finds it there.
asio::awaitable<Result<Upload>> DatabaseUploads::publish_here(Upload upload) {
  const NotedId noted(busy_, upload.id);
  auto putting = bytes_.put(upload.owner, upload.id, here_.path(upload));
  const auto put = co_await std::move(putting);
  if (!put) co_return put.error();
  auto entering = enter(upload);
  auto added = co_await std::move(entering);
  const bool is_refused = !added && is_final(added.error());
  Ids unused;
  if (added) unused = std::move(added->unused_parts);
  if (is_refused) unused.push_back(upload.id);
  auto removing = bytes_.remove(upload.owner, std::move(unused));
  co_await std::move(removing);
  // Its owner removed it, or its time came, before it could be found with the others.
  const bool was_removed = !here_.find(upload.id, upload.owner);
  if (was_removed) {
    auto removing_all = remove(upload.id, upload.owner);
    const auto removed = co_await std::move(removing_all);
    co_return removed ? no_such_upload() : removed.error();
  }
  if (added || is_refused) here_.remove(upload.id, upload.owner);
  if (!added) co_return added.error();
  co_return std::move(added->upload);
}

asio::awaitable<Result<std::optional<Upload>>> DatabaseUploads::find(std::string handle,
                                                                     std::string owner) {
  std::function<Result<std::optional<Upload>>(UploadCatalog&)> question =
      [id = upload_id(handle), owner = std::move(owner)](UploadCatalog& catalog) {
        return catalog.find(id, owner);
      };
  return ask(std::move(question));
}

asio::awaitable<Result<std::vector<Upload>>> DatabaseUploads::list(std::string owner) {
  std::function<Result<std::vector<Upload>>(UploadCatalog&)> question =
      [owner = std::move(owner)](UploadCatalog& catalog) { return catalog.list(owner); };
  return ask(std::move(question));
}

asio::awaitable<Result<bool>> DatabaseUploads::remove(std::string handle, std::string owner) {
  std::function<Result<Ids>(UploadCatalog&)> question =
      [id = upload_id(handle), owner](UploadCatalog& catalog) { return catalog.remove(id, owner); };
  auto asking = ask(std::move(question));
  auto gone = co_await std::move(asking);
  if (!gone) co_return gone.error();
  const bool was_there = !gone->empty();
  auto removing = bytes_.remove(std::move(owner), *std::move(gone));
  co_await std::move(removing);
  co_return was_there;
}

asio::awaitable<Result<UnclaimedFile>> DatabaseUploads::take(Upload upload, bool is_durable) {
  if (!upload.is_whole()) co_return unfinished_upload(upload);
  auto taking = bytes_.take(std::move(upload), is_durable);
  co_return co_await std::move(taking);
}

// The log hears of a bucket or a database that is away from others.
asio::awaitable<void> DatabaseUploads::tidy_up() {
  for (auto& upload : here_.all()) {
    if (!upload.is_whole() || busy_->contains(upload.id)) continue;
    auto publishing = publish(std::move(upload));
    const auto published = co_await std::move(publishing);
    if (!published && !is_final(published.error())) break;
  }
  auto keeping = keep_coming();
  co_await std::move(keeping);
  auto removing = remove_strays();
  co_await std::move(removing);
}

asio::awaitable<void> DatabaseUploads::remove_expired() {
  while (true) {
    std::function<Result<Ids>(UploadCatalog&)> question = [](UploadCatalog& catalog) {
      return catalog.take_expired(most_expired);
    };
    auto asking = ask(std::move(question));
    auto expired = co_await std::move(asking);
    if (!expired || expired->empty()) co_return;
    auto removing = bytes_.remove(own_work, *std::move(expired));
    co_await std::move(removing);
  }
}

asio::awaitable<int> DatabaseUploads::sweep(std::vector<std::string> objects) {
  auto looking = bytes_.old_ones(std::move(objects));
  const auto ids = co_await std::move(looking);
  int removed = 0;
  for (std::size_t begin = 0; begin < ids.size(); begin += most_asked) {
    const auto end = std::min(begin + most_asked, ids.size());
    Ids some(ids.begin() + static_cast<std::ptrdiff_t>(begin),
             ids.begin() + static_cast<std::ptrdiff_t>(end));
    std::function<Result<Ids>(UploadCatalog&)> question =
        [some = std::move(some)](UploadCatalog& catalog) { return catalog.missing(some); };
    auto asking = ask(std::move(question));
    auto missing = co_await std::move(asking);
    if (!missing) break;
    removed += static_cast<int>(missing->size());
    auto removing = bytes_.remove(own_work, *std::move(missing));
    co_await std::move(removing);
  }
  co_return removed;
}

}  // namespace server
