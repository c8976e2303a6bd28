#include "server/submission/found_uploads.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "server/base/fair_calls.h"
#include "server/inputs/shared_uploads.h"

namespace server {

namespace asio = boost::asio;

asio::awaitable<Result<Upload>> shared_from_the_beginning(const Services& services, Upload upload) {
  if (services.shared_uploads == nullptr || upload.is_whole()) co_return upload;
  auto beginning = services.shared_uploads->begin(upload);
  auto begun = co_await std::move(beginning);
  if (!begun) services.uploads.remove(upload.id, upload.owner);
  co_return begun;
}

asio::awaitable<Result<Upload>> shared(const Services& services, Upload upload) {
  if (services.shared_uploads == nullptr) co_return upload;
  auto sharing = upload.is_whole() ? services.shared_uploads->publish(std::move(upload))
                                   : services.shared_uploads->share(std::move(upload));
  co_return co_await std::move(sharing);
}

asio::awaitable<Result<Upload>> upload_to_go_on_with(const Services& services, std::string handle,
                                                     std::string owner, std::uint64_t offset) {
  auto finding = find_upload(services, std::move(handle), std::move(owner));
  auto found = co_await std::move(finding);
  if (!found) co_return found;
  if (found->received != offset) co_return wrong_offset(found->received);
  if (services.shared_uploads == nullptr || found->is_whole()) co_return found;
  auto bringing = services.shared_uploads->bring(*std::move(found));
  co_return co_await std::move(bringing);
}

asio::awaitable<Error> why_gone(const Services& services, Upload upload) {
  auto finding = find_upload(services, upload.id, upload.owner);
  const auto found = co_await std::move(finding);
  co_return found ? wrong_offset(found->received) : found.error();
}

asio::awaitable<Result<Upload>> find_upload(const Services& services, std::string handle,
                                            std::string owner) {
  auto here = services.uploads.find(handle, owner);
  if (services.shared_uploads == nullptr) co_return here ? *here : Result<Upload>(no_such_upload());
  if (here) {
    auto looking = here->is_whole() ? services.shared_uploads->publish(*std::move(here))
                                    : services.shared_uploads->look(*std::move(here));
    co_return co_await std::move(looking);
  }
  auto finding = services.shared_uploads->find(std::move(handle), std::move(owner));
  auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  if (!*found) co_return no_such_upload();
  co_return **std::move(found);
}

asio::awaitable<Result<std::optional<UploadPage>>> list_uploads(const Services& services,
                                                                std::string owner,
                                                                UploadQuery query) {
  if (services.shared_uploads == nullptr) co_return services.uploads.page(owner, query);
  auto all = services.uploads.list(owner);
  auto listing = services.shared_uploads->list(std::move(owner));
  auto shared = co_await std::move(listing);
  if (!shared) co_return shared.error();
  // One that is not entered yet is not among the others. One that was, and is not there, was
  // removed.
  std::erase_if(all, [&](const Upload& here) {
    return here.is_entered || std::ranges::find(*shared, here.id, &Upload::id) != shared->end();
  });
  std::ranges::move(*shared, std::back_inserter(all));
  std::ranges::stable_sort(all, std::greater{}, &Upload::expires);
  co_return page_of(all, query);
}

asio::awaitable<Result<void>> durable(const Services& services, Upload upload) {
  std::function<Result<void>(std::stop_token)> work =
      [&uploads = services.uploads, upload](std::stop_token) { return uploads.sync(upload); };
  auto syncing = services.disk.run(upload.owner, std::move(work));
  const auto synced = co_await std::move(syncing);
  // One that is whole may have been put where all daemons see it meanwhile.
  const bool is_elsewhere = !synced && synced.error().code == errc::upload_not_found &&
                            services.shared_uploads != nullptr;
  if (is_elsewhere) co_return Result<void>();
  if (!synced) services.uploads.remove(upload.id, upload.owner);
  co_return synced;
}

asio::awaitable<Result<void>> remove_upload(const Services& services, std::string handle,
                                            std::string owner) {
  const bool was_here = services.uploads.remove(handle, owner);
  if (services.shared_uploads == nullptr) {
    co_return was_here ? Result<void>() : Result<void>(no_such_upload());
  }
  auto removing = services.shared_uploads->remove(std::move(handle), std::move(owner));
  const auto removed = co_await std::move(removing);
  if (!removed) co_return removed.error();
  co_return was_here || *removed ? Result<void>() : Result<void>(no_such_upload());
}

asio::awaitable<Result<UnclaimedFile>> take_found(const Services& services, Upload upload,
                                                  bool is_durable) {
  const auto here = services.uploads.find(upload.id, upload.owner);
  if (services.shared_uploads == nullptr || (here && here->is_whole())) {
    auto taking =
        take_upload(services.disk, services.uploads, std::move(upload), services.spool, is_durable);
    co_return co_await std::move(taking);
  }
  auto taking = services.shared_uploads->take(std::move(upload), is_durable);
  co_return co_await std::move(taking);
}

}  // namespace server
