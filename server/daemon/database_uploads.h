#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/daemon/upload_bytes.h"
#include "server/inputs/shared_uploads.h"
#include "server/inputs/upload_catalog.h"

namespace server {

// The uploads of daemons that share a database: a row each, and their bytes where all see them. It
// is used on the executor's thread.
class DatabaseUploads final : public SharedUploads {
 public:
  struct Parts {
    std::unique_ptr<UploadCatalog> catalog{};
    Uploads& here;         // of this daemon
    const DiskRoom& room;  // whose limits of an owner hold for all daemons together
    UploadBytes::Place place;
    // How long a request waits for another one's hand-over of the same upload.
    std::chrono::milliseconds longest_wait{20'000};
  };

  // The other parts outlive this object.
  explicit DatabaseUploads(Parts parts)
      : catalog_(std::move(parts.catalog)),
        here_(parts.here),
        room_(parts.room),
        bytes_(std::move(parts.place)),
        longest_wait_(parts.longest_wait) {}

  asio::awaitable<Result<Upload>> publish(Upload upload) override;
  asio::awaitable<Result<Upload>> begin(Upload upload) override;
  asio::awaitable<Result<Upload>> share(Upload upload) override;
  asio::awaitable<Result<Upload>> look(Upload upload) override;
  asio::awaitable<Result<Upload>> bring(Upload upload) override;
  asio::awaitable<Result<std::optional<Upload>>> find(std::string handle,
                                                      std::string owner) override;
  asio::awaitable<Result<std::vector<Upload>>> list(std::string owner) override;
  asio::awaitable<Result<bool>> remove(std::string handle, std::string owner) override;
  asio::awaitable<Result<UnclaimedFile>> take(Upload upload, bool is_durable) override;

  // Hands over what is whole here: what could not be handed over before, or was left by an earlier
  // process. Removes what others have finished or removed.
  asio::awaitable<void> tidy_up();
  // Removes what has expired.
  asio::awaitable<void> remove_expired();
  // Removes the bytes of uploads and parts without a row: those of daemons that died in between.
  // `objects` are names of old objects in the bucket, of whatever kind. Returns how many.
  asio::awaitable<int> sweep(std::vector<std::string> objects);

 private:
  using Ids = std::vector<std::string>;

  template <class T>
  asio::awaitable<Result<T>> ask(std::function<Result<T>(UploadCatalog&)> question) {
    std::function<Result<T>(std::stop_token)> work =
        [&catalog = *catalog_, question = std::move(question)](std::stop_token) {
          return question(catalog);
        };
    return calls_.run<T>(std::move(work));
  }

  // Waits until no other request hands over or brings this upload. Errors: upload_busy.
  asio::awaitable<Result<void>> wait_for_others(std::string id);
  asio::awaitable<Result<EnteredUpload>> enter(Upload upload);
  asio::awaitable<Result<Upload>> enter_beginning(Upload upload);
  asio::awaitable<Result<Upload>> publish_here(Upload upload);
  asio::awaitable<Result<Upload>> share_here(Upload all_have);
  asio::awaitable<Result<Upload>> hand_over(Upload all_have, Upload here);
  asio::awaitable<Result<void>> bring_parts(Upload& here);
  asio::awaitable<Result<void>> bring_part(Upload& here, UploadPart part);
  asio::awaitable<Error> why_incomplete(Upload upload);
  asio::awaitable<void> keep_coming();
  asio::awaitable<void> remove_strays();
  UploadTerms terms_for(const std::string& owner) const;

  static constexpr int most_waiting = 256;

  std::unique_ptr<UploadCatalog> catalog_;
  Uploads& here_;
  const DiskRoom& room_;
  UploadBytes bytes_;
  const std::chrono::milliseconds longest_wait_;
  // The uploads that are being entered or handed over, by id.
  std::shared_ptr<std::set<std::string>> busy_ = std::make_shared<std::set<std::string>>();
  BlockingCalls calls_{1, most_waiting};  // last: it ends before what its work uses
};

}  // namespace server
