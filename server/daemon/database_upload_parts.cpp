#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "server/base/race.h"
#include "server/base/random_id.h"
#include "server/daemon/database_uploads.h"
#include "server/daemon/noted_id.h"
#include "server/jobs/claim.h"

// Uploads that come in parts, each part at whatever daemon. What a daemon receives lies in its own
// `Uploads` first. At the end of each request it is put where all see it, and then entered behind
// what was there: the database says which bytes an upload has.
namespace server {
namespace {

constexpr std::chrono::milliseconds look_again{20};
constexpr std::uint64_t brought_at_once = 1 << 20;  // bytes of memory
// Bytes that lie at this daemon alone are worth a part of their own from this number on, when
// somebody asks for the upload.
constexpr std::uint64_t much = 1 << 20;

Error upload_busy() {
  return {errc::upload_busy, "what came of this upload before is still being put where all see it",
          "Ask with HEAD in a while how many bytes it has, and send those that follow."};
}

}  // namespace

asio::awaitable<Result<void>> DatabaseUploads::wait_for_others(std::string id) {
  const auto deadline = std::chrono::steady_clock::now() + longest_wait_;
  while (busy_->contains(id)) {
    if (std::chrono::steady_clock::now() >= deadline) co_return upload_busy();
    co_await sleep_for(look_again);
  }
  co_return Result<void>();
}

asio::awaitable<Result<Upload>> DatabaseUploads::begin(Upload upload) {
  const NotedId noted(busy_, upload.id);
  auto entering = enter_beginning(std::move(upload));
  co_return co_await std::move(entering);
}

// One of which this daemon would not know later that it was entered, or whose answer was lost, is
// taken back: its client does not hear of it.
asio::awaitable<Result<Upload>> DatabaseUploads::enter_beginning(Upload upload) {
  upload.received = 0;
  auto entering = enter(upload);
  auto entered = co_await std::move(entering);
  const auto noted =
      entered ? here_.set_entered(upload.id, upload.owner) : Result<void>(entered.error());
  if (noted) co_return std::move(entered->upload);
  if (entered || entered.error().code == errc::answer_lost) {
    auto removing = remove(upload.id, upload.owner);
    co_await std::move(removing);
  }
  co_return noted.error();
}

asio::awaitable<Result<Upload>> DatabaseUploads::share(Upload upload) {
  auto waiting = wait_for_others(upload.id);
  const auto waited = co_await std::move(waiting);
  if (!waited) co_return waited.error();
  const NotedId noted(busy_, upload.id);
  auto finding = find(upload.id, upload.owner);
  auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  const auto here = here_.find(upload.id, upload.owner);
  const bool is_new = here && !here->is_entered && !*found;
  if (is_new) {
    auto entering = enter_beginning(*here);
    auto entered = co_await std::move(entering);
    if (!entered) co_return entered.error();
    *found = *std::move(entered);
  }
  const bool is_over = !*found || (*found)->is_whole();
  if (is_over) here_.remove(upload.id, upload.owner);
  if (!*found) co_return no_such_upload();
  if (is_over) co_return **std::move(found);
  auto sharing = share_here(**std::move(found));
  co_return co_await std::move(sharing);
}

// Bytes follow those that all have only if all have as many as this daemon knows of: where others
// have entered some meanwhile, what came here may be other bytes than theirs.
asio::awaitable<Result<Upload>> DatabaseUploads::share_here(Upload all_have) {
  auto here = here_.find(all_have.id, all_have.owner);
  const bool has_more = here && here->received > here->shared;
  // One that has become whole here is about to be published, or will be.
  if (!has_more || here->is_whole()) co_return all_have;
  if (all_have.received != here->shared) {
    const auto cut = here_.cut_to_shared(here->id, here->owner);
    co_return cut ? wrong_offset(all_have.received) : cut.error();
  }
  auto handing_over = hand_over(std::move(all_have), *std::move(here));
  co_return co_await std::move(handing_over);
}

// A part that others have come before is of no use. Where nobody knows whether it was entered, its
// bytes stay, and a sweep finds out.
asio::awaitable<Result<Upload>> DatabaseUploads::hand_over(Upload all_have, Upload here) {
  const UploadPart part{random_id(), all_have.received, here.received - all_have.received};
  auto putting =
      bytes_.put(here.owner, part.id, here_.path(here), FileRange{part.from, part.bytes});
  const auto put = co_await std::move(putting);
  if (!put) co_return put.error();
  std::function<Result<std::uint64_t>(UploadCatalog&)> question =
      [id = here.id, owner = here.owner, part, terms = terms_for(here.owner)](
          UploadCatalog& catalog) { return catalog.add_part(id, owner, part, terms); };
  auto asking = ask(std::move(question));
  const auto received = co_await std::move(asking);
  if (received) {
    here_.set_shared(here.id, here.owner, *received);
    all_have.received = *received;
    co_return all_have;
  }
  if (!is_away(received.error())) {
    Ids unused{part.id};
    auto removing = bytes_.remove(here.owner, std::move(unused));
    co_await std::move(removing);
  }
  co_return received.error();
}

asio::awaitable<Result<Upload>> DatabaseUploads::look(Upload upload) {
  const bool has_much = upload.received - upload.shared >= much && !busy_->contains(upload.id);
  if (has_much || !upload.is_entered) {
    auto sharing = share(upload);
    auto shared = co_await std::move(sharing);
    // Others that have gone on with it in this moment have more of it.
    if (shared || shared.error().code != errc::wrong_offset) co_return shared;
  }
  auto finding = find(upload.id, upload.owner);
  auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  if (*found) co_return **std::move(found);
  here_.remove(upload.id, upload.owner);
  co_return no_such_upload();
}

asio::awaitable<Result<Upload>> DatabaseUploads::bring(Upload upload) {
  auto waiting = wait_for_others(upload.id);
  const auto waited = co_await std::move(waiting);
  if (!waited) co_return waited.error();
  const NotedId noted(busy_, upload.id);
  auto here = here_.go_on_with(upload);
  if (!here) co_return here.error();
  // Little that was left here is not worth a part: its client sends it again.
  if (here->received > here->shared) {
    const auto cut = here_.cut_to_shared(here->id, here->owner);
    if (!cut) co_return cut.error();
    here->received = here->shared;
  }
  auto bringing = bring_parts(*here);
  const auto brought = co_await std::move(bringing);
  const bool is_incomplete = here->received < upload.received &&
                             (brought || brought.error().code == errc::upload_not_found);
  if (is_incomplete) {
    auto asking = why_incomplete(std::move(upload));
    co_return co_await std::move(asking);
  }
  if (!brought) co_return brought.error();
  // Others may have entered more since the caller looked, and what follows are other bytes then.
  if (here->received != upload.received) co_return wrong_offset(here->received);
  co_return here;
}

asio::awaitable<Result<void>> DatabaseUploads::bring_parts(Upload& here) {
  std::function<Result<std::vector<UploadPart>>(UploadCatalog&)> question =
      [id = here.id](UploadCatalog& catalog) { return catalog.parts(id); };
  auto asking = ask(std::move(question));
  auto parts = co_await std::move(asking);
  if (!parts) co_return parts.error();
  for (auto& part : *parts) {
    auto bringing = bring_part(here, std::move(part));
    const auto brought = co_await std::move(bringing);
    if (!brought) co_return brought.error();
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> DatabaseUploads::bring_part(Upload& here, UploadPart part) {
  const std::uint64_t end = part.from + part.bytes;
  while (here.received < end) {
    if (here.received < part.from) co_return no_such_upload();  // one before it is gone
    auto reading = bytes_.read(here.owner, part.id, here.received - part.from,
                               std::min(brought_at_once, end - here.received));
    const auto piece = co_await std::move(reading);
    if (!piece) co_return piece.error();
    if (piece->empty()) co_return no_such_upload();
    const auto received = here_.append(here.id, here.owner, here.received, *piece);
    if (!received) co_return received.error();
    here.received = *received;
    here_.set_shared(here.id, here.owner, here.received);
  }
  co_return Result<void>();
}

// Its parts go when it is whole, or removed.
asio::awaitable<Error> DatabaseUploads::why_incomplete(Upload upload) {
  auto finding = find(upload.id, upload.owner);
  const auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  co_return *found && (*found)->is_whole() ? wrong_offset((*found)->received) : no_such_upload();
}

// A request enters its bytes at its end, which may be later than an upload without a byte expires.
asio::awaitable<void> DatabaseUploads::keep_coming() {
  Ids ids;
  for (const Upload& upload : here_.all()) {
    if (upload.is_entered && upload.received > 0 && upload.shared == 0) ids.push_back(upload.id);
  }
  if (ids.empty()) co_return;
  std::function<Result<void>(UploadCatalog&)> question =
      [ids = std::move(ids), keep_s = here_.settings().keep_s](UploadCatalog& catalog) {
        return catalog.keep_coming(ids, keep_s);
      };
  auto asking = ask(std::move(question));
  co_await std::move(asking);
}

// Bytes of an upload that other daemons have finished or removed are of no use at this one.
asio::awaitable<void> DatabaseUploads::remove_strays() {
  Ids ids;
  for (const Upload& upload : here_.all()) {
    if (upload.is_entered && !upload.is_whole()) ids.push_back(upload.id);
  }
  if (ids.empty()) co_return;
  std::function<Result<Ids>(UploadCatalog&)> question = [ids](UploadCatalog& catalog) {
    return catalog.unfinished(ids);
  };
  auto asking = ask(std::move(question));
  const auto unfinished = co_await std::move(asking);
  if (!unfinished) co_return;
  const std::set<std::string> coming(unfinished->begin(), unfinished->end());
  const std::set<std::string> asked(ids.begin(), ids.end());
  for (const Upload& upload : here_.all()) {
    const bool is_over = asked.contains(upload.id) && !coming.contains(upload.id);
    // It may have become whole here meanwhile, and then it is for publish() to find out.
    if (is_over && !upload.is_whole() && !busy_->contains(upload.id)) {
      here_.remove(upload.id, upload.owner);
    }
  }
}

}  // namespace server
