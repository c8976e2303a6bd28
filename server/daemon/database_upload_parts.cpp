#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "server/base/race.h"
#include "server/base/random_id.h"
#include "server/daemon/database_uploads.h"
#include "server/daemon/noted_id.h"

// Uploads that come in parts, each part at whatever daemon. What a daemon receives lies in its own
// `Uploads` first. At the end of each request it is put where all see it, and then entered behind
// what was there: the database says which bytes an upload has.
namespace server {
namespace {

constexpr std::chrono::milliseconds look_again{20};
constexpr std::uint64_t piece_bytes = 1 << 20;  // memory for what is brought here

}  // namespace

asio::awaitable<void> DatabaseUploads::wait_for_others(std::string id) {
  while (busy_->contains(id)) co_await sleep_for(look_again);
}

asio::awaitable<Result<Upload>> DatabaseUploads::begin(Upload upload) {
  const NotedId noted(busy_, upload.id);
  auto entering = enter(std::move(upload));
  co_return co_await std::move(entering);
}

asio::awaitable<Result<Upload>> DatabaseUploads::share(Upload upload) {
  auto waiting = wait_for_others(upload.id);
  co_await std::move(waiting);
  const NotedId noted(busy_, upload.id);
  auto finding = find(upload.id, upload.owner);
  auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  auto here = here_.find(upload.id, upload.owner);
  const bool is_over = !*found || (*found)->is_whole();
  if (here && is_over) here_.remove(upload.id, upload.owner);
  if (!*found) co_return no_such_upload();
  // One that has become whole here is about to be published, or will be.
  const bool has_nothing = !here || here->is_whole() || here->received <= (*found)->received;
  if (is_over || has_nothing) co_return **std::move(found);
  auto handing_over = hand_over(**std::move(found), *std::move(here));
  co_return co_await std::move(handing_over);
}

// A part that others have come before is of no use. Where nobody knows whether it was entered, its
// bytes stay, and a sweep finds out.
asio::awaitable<Result<Upload>> DatabaseUploads::hand_over(Upload all_have, Upload here) {
  const UploadPart part{random_id(), all_have.received, here.received - all_have.received};
  auto putting = bytes_.put(part.id, here_.path(here), FileRange{part.from, part.bytes});
  const auto put = co_await std::move(putting);
  if (!put) co_return put.error();
  std::function<Result<std::uint64_t>(UploadCatalog&)> question = [id = here.id, owner = here.owner,
                                                                   part](UploadCatalog& catalog) {
    return catalog.add_part(id, owner, part);
  };
  auto asking = ask(std::move(question));
  const auto received = co_await std::move(asking);
  if (received) {
    all_have.received = *received;
    co_return all_have;
  }
  const auto& code = received.error().code;
  if (code == errc::wrong_offset || code == errc::upload_not_found) {
    Ids unused{part.id};
    auto removing = bytes_.remove(std::move(unused));
    co_await std::move(removing);
  }
  co_return received.error();
}

asio::awaitable<Result<Upload>> DatabaseUploads::bring(Upload upload) {
  auto here = here_.go_on_with(upload);
  if (!here || here->received >= upload.received) co_return here;
  std::function<Result<std::vector<UploadPart>>(UploadCatalog&)> question =
      [id = upload.id](UploadCatalog& catalog) { return catalog.parts(id); };
  auto asking = ask(std::move(question));
  auto parts = co_await std::move(asking);
  if (!parts) co_return parts.error();
  for (auto& part : *parts) {
    auto bringing = bring_part(*here, std::move(part));
    const auto brought = co_await std::move(bringing);
    if (!brought) co_return brought.error();
  }
  co_return here;
}

asio::awaitable<Result<void>> DatabaseUploads::bring_part(Upload& here, UploadPart part) {
  const std::uint64_t end = part.from + part.bytes;
  while (here.received < end) {
    if (here.received < part.from) co_return no_such_upload();  // one before it is gone
    auto reading =
        bytes_.read(part.id, here.received - part.from, std::min(piece_bytes, end - here.received));
    const auto piece = co_await std::move(reading);
    if (!piece) co_return piece.error();
    if (piece->empty()) co_return no_such_upload();
    const auto received = here_.append(here.id, here.owner, here.received, *piece);
    if (!received) co_return received.error();
    here.received = *received;
  }
  co_return Result<void>();
}

// What others have finished or removed is of no use here any more.
asio::awaitable<void> DatabaseUploads::remove_strays() {
  std::vector<Upload> coming = here_.all();
  std::erase_if(coming, [this](const Upload& upload) {
    return upload.is_whole() || busy_->contains(upload.id);
  });
  if (coming.empty()) co_return;
  Ids ids;
  std::ranges::transform(coming, std::back_inserter(ids), &Upload::id);
  std::function<Result<Ids>(UploadCatalog&)> question =
      [ids = std::move(ids)](UploadCatalog& catalog) { return catalog.unfinished(ids); };
  auto asking = ask(std::move(question));
  const auto unfinished = co_await std::move(asking);
  if (!unfinished) co_return;
  const std::set<std::string> kept(unfinished->begin(), unfinished->end());
  for (const Upload& upload : coming) {
    if (!kept.contains(upload.id)) here_.remove(upload.id, upload.owner);
  }
}

}  // namespace server
