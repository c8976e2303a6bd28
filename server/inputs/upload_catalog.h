#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/inputs/uploads.h"

namespace server {

// The limits and the time that hold for an upload, over all daemons together.
struct UploadTerms {
  double keep_s = 24 * 3600;
  std::size_t most_of_one = 10'000;      // uploads of an owner; more is too_many_uploads
  std::uint64_t bytes_of_one = 1 << 30;  // of an owner; more is too_many_bytes
  std::uint64_t total_bytes = 1 << 30;   // of all; more is out_of_disk
};

// The whole uploads that several daemons share, without their bytes. Calls block, and one thread at
// a time may call. Errors beside those named: database_unavailable, internal.
class UploadCatalog {
 public:
  virtual ~UploadCatalog() = default;

  // Enters an upload and returns it with the time at which it expires, by the catalog's clock. One
  // that is there already stays as it is. Errors: too_many_uploads, too_many_bytes, out_of_disk.
  virtual Result<Upload> add(const Upload& upload, const UploadTerms& terms) = 0;
  virtual Result<std::optional<Upload>> find(const std::string& id, const std::string& owner) = 0;
  // Returns the owner's uploads, the newest first.
  virtual Result<std::vector<Upload>> list(const std::string& owner) = 0;
  // Returns whether it was there.
  virtual Result<bool> remove(const std::string& id, const std::string& owner) = 0;
  // Forgets uploads that have expired, at most so many, and returns their ids.
  virtual Result<std::vector<std::string>> take_expired(int most) = 0;
  // Returns those of the ids that are not entered.
  virtual Result<std::vector<std::string>> missing(const std::vector<std::string>& ids) = 0;
};

// The errors of uploads beyond the terms.
Error too_many_uploads(std::size_t most);
Error no_room_for_uploads();

}  // namespace server
