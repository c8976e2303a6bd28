#include "server/submission/found_uploads.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "server/inputs/shared_uploads.h"

namespace server {

namespace asio = boost::asio;

asio::awaitable<Result<Upload>> shared_if_whole(const Services& services, Upload upload) {
  if (services.shared_uploads == nullptr || !upload.is_whole()) co_return upload;
  auto publishing = services.shared_uploads->publish(std::move(upload));
  co_return co_await std::move(publishing);
}

asio::awaitable<Result<Upload>> find_upload(const Services& services, std::string handle,
                                            std::string owner) {
  auto here = services.uploads.find(handle, owner);
  if (here) {
    auto sharing = shared_if_whole(services, *std::move(here));
    co_return co_await std::move(sharing);
  }
  if (services.shared_uploads == nullptr) co_return no_such_upload();
  auto finding = services.shared_uploads->find(std::move(handle), std::move(owner));
  auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  if (!*found) co_return no_such_upload();
  co_return **std::move(found);
}

asio::awaitable<Result<std::vector<Upload>>> list_uploads(const Services& services,
                                                          std::string owner) {
  auto all = services.uploads.list(owner);
  if (services.shared_uploads == nullptr) co_return all;
  auto listing = services.shared_uploads->list(std::move(owner));
  auto shared = co_await std::move(listing);
  if (!shared) co_return shared.error();
  // One that is being handed over is in both.
  std::erase_if(all, [&](const Upload& here) {
    return std::ranges::find(*shared, here.id, &Upload::id) != shared->end();
  });
  std::ranges::move(*shared, std::back_inserter(all));
  std::ranges::stable_sort(all, std::greater{}, &Upload::expires);
  co_return all;
}

asio::awaitable<Result<void>> remove_upload(const Services& services, std::string handle,
                                            std::string owner) {
  const auto here = services.uploads.find(handle, owner);
  const bool was_here = services.uploads.remove(handle, owner);
  // One that is still coming is not with the others. A whole one may be, already.
  const bool is_here_alone = here && !here->is_whole();
  if (services.shared_uploads == nullptr || is_here_alone) {
    co_return was_here ? Result<void>() : Result<void>(no_such_upload());
  }
  auto removing = services.shared_uploads->remove(std::move(handle), std::move(owner));
  const auto removed = co_await std::move(removing);
  if (!removed) co_return removed.error();
  co_return was_here || *removed ? Result<void>() : Result<void>(no_such_upload());
}

asio::awaitable<Result<UnclaimedFile>> take_found(const Services& services, Upload upload,
                                                  bool is_durable) {
  const bool is_here = services.uploads.find(upload.id, upload.owner).has_value();
  if (is_here || services.shared_uploads == nullptr) {
    auto taking =
        take_upload(services.disk, services.uploads, std::move(upload), services.spool, is_durable);
    co_return co_await std::move(taking);
  }
  auto taking = services.shared_uploads->take(std::move(upload), is_durable);
  co_return co_await std::move(taking);
}

}  // namespace server
