#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/base/fair_calls.h"
#include "server/inputs/uploads.h"
#include "server/objects/bucket_inputs.h"

namespace server {

// The bytes of uploads that several daemons share: in the bucket, as "uploads/ID", or in a folder
// that all see. An id names a whole upload, or a part of one that is still coming. Calls take their
// owner's turns at the disk.
class UploadBytes {
 public:
  struct Place {
    const Spool& spool;             // where jobs read; on one file system with the folder
    std::optional<Spool> folder{};  // that all see; none: the bucket has the bytes
    BucketInputs* bucket = nullptr;
    FairCalls& disk;                         // this object outlives its threads
    std::chrono::seconds orphan_age{86400};  // of bytes in the folder without a row
  };

  explicit UploadBytes(Place place) : place_(std::move(place)) {}

  // Puts a whole file, which is on one file system with the folder. Errors: those of the place.
  asio::awaitable<Result<void>> put(std::string owner, std::string id, std::filesystem::path file);
  // Puts a range of a file. Errors: those of the place.
  asio::awaitable<Result<void>> put(std::string owner, std::string id, std::filesystem::path file,
                                    FileRange range);
  // Returns at most so many bytes from one on, which lies before the end. Errors: upload_not_found,
  // and those of the place.
  asio::awaitable<Result<std::string>> read(std::string owner, std::string id, std::uint64_t from,
                                            std::uint64_t most);
  // Bytes that stay, because the disk is too busy or this daemon ends, are swept up later.
  asio::awaitable<void> remove(std::string owner, std::vector<std::string> ids);
  // Brings the bytes of a whole upload into the spool, by a name of their own. Errors:
  // upload_not_found, those of the place and of the spool.
  asio::awaitable<Result<UnclaimedFile>> take(Upload upload, bool is_durable);
  // Returns the ids whose bytes have been there for long. `objects` are names of old objects in the
  // bucket, of whatever kind.
  asio::awaitable<std::vector<std::string>> old_ones(std::vector<std::string> objects);

 private:
  asio::awaitable<Result<UnclaimedFile>> fetch(Upload upload, bool is_durable);

  Place place_;
};

}  // namespace server
