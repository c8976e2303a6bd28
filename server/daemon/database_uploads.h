#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/inputs/shared_uploads.h"
#include "server/inputs/upload_catalog.h"
#include "server/objects/bucket_inputs.h"

namespace server {

// The whole uploads of daemons that share a database: a row each, and their bytes in the bucket, as
// "uploads/ID", or in a folder that all see. It is used on the executor's thread.
class DatabaseUploads final : public SharedUploads {
 public:
  struct Parts {
    std::unique_ptr<UploadCatalog> catalog{};
    Uploads& here;                  // of this daemon
    const Spool& spool;             // where jobs read; on one file system with the next two
    std::optional<Spool> folder{};  // that all see; none: the bucket has the bytes
    BucketInputs* bucket = nullptr;
    BlockingCalls& disk;                     // this object outlives its threads
    std::chrono::seconds orphan_age{86400};  // of bytes in the folder without a row
  };

  // The other parts outlive this object.
  explicit DatabaseUploads(Parts parts) : parts_(std::move(parts)) {}

  asio::awaitable<Result<Upload>> publish(Upload upload) override;
  asio::awaitable<Result<std::optional<Upload>>> find(std::string handle,
                                                      std::string owner) override;
  asio::awaitable<Result<std::vector<Upload>>> list(std::string owner) override;
  asio::awaitable<Result<bool>> remove(std::string handle, std::string owner) override;
  asio::awaitable<Result<UnclaimedFile>> take(Upload upload, bool is_durable) override;

  // Hands over what is whole here: what could not be handed over before, or was left by an earlier
  // process.
  asio::awaitable<void> publish_the_rest();
  // Removes what has expired.
  asio::awaitable<void> remove_expired();
  // Removes the bytes of uploads without a row: those of daemons that died in between. `objects`
  // are names of old objects in the bucket, of whatever kind. Returns how many.
  asio::awaitable<int> sweep(std::vector<std::string> objects);

 private:
  template <class T>
  asio::awaitable<Result<T>> ask(std::function<Result<T>(UploadCatalog&)> question);
  asio::awaitable<Result<void>> put_bytes(Upload upload);
  asio::awaitable<void> remove_bytes(std::vector<std::string> ids);
  asio::awaitable<std::vector<std::string>> old_files();
  asio::awaitable<Result<UnclaimedFile>> fetch(Upload upload, bool is_durable);

  static constexpr int most_waiting = 256;

  Parts parts_;
  std::shared_ptr<std::set<std::string>> publishing_ = std::make_shared<std::set<std::string>>();
  BlockingCalls calls_{1, most_waiting};  // last: it ends before what its work uses
};

}  // namespace server
