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
  std::size_t most_of_one = 10'000;          // uploads of an owner; more is too_many_uploads
  std::size_t most_unfinished_of_one = 100;  // those of them that are not whole
  std::uint64_t bytes_of_one = 1 << 30;      // of an owner; more is too_many_bytes
  std::uint64_t total_bytes = 1 << 30;       // of all; more is out_of_disk
};

// The parts of one upload, at most: each is a row and a file. More is too_large.
inline constexpr int most_upload_parts = 10'000;

// Bytes of an upload that is still coming, which some daemon has received.
struct UploadPart {
  std::string id{};         // by which they are kept
  std::uint64_t from = 0;   // the first byte
  std::uint64_t bytes = 0;  // how many
};

// An upload as UploadCatalog::add() has entered it.
struct EnteredUpload {
  Upload upload{};
  std::vector<std::string> unused_parts{};  // of one that has become whole: their bytes may go
};

// The uploads that several daemons share, without their bytes. Calls block, and one thread at a
// time may call. Errors beside those named: database_unavailable, internal.
class UploadCatalog {
 public:
  virtual ~UploadCatalog() = default;

  // Enters an upload that is whole or begins, and returns it with the time at which it expires, by
  // the catalog's clock: soon, as long as no byte has come. All of its bytes have to fit now; it
  // counts as Upload::counted() says. One that is there already becomes whole when
  // it is entered as a whole one, and else stays as it is. One that was entered before and is not
  // there was removed: upload_not_found. Errors: also too_many_uploads, too_many_bytes,
  // out_of_disk.
  virtual Result<EnteredUpload> add(const Upload& upload, const UploadTerms& terms) = 0;
  // Enters bytes that follow those that are there, and returns how many there are then. They are
  // not the last ones: an upload becomes whole by add(). Errors: upload_not_found; wrong_offset,
  // where others have entered some, or the upload is whole; too_large beyond most_upload_parts;
  // too_many_bytes, out_of_disk.
  virtual Result<std::uint64_t> add_part(const std::string& id, const std::string& owner,
                                         const UploadPart& part, const UploadTerms& terms) = 0;
  // Bytes of these uploads are coming, although none is entered yet: they do not expire soon.
  virtual Result<void> keep_coming(const std::vector<std::string>& ids, double keep_s) = 0;
  // Returns the parts in their order.
  virtual Result<std::vector<UploadPart>> parts(const std::string& id) = 0;
  virtual Result<std::optional<Upload>> find(const std::string& id, const std::string& owner) = 0;
  // Returns the owner's uploads, the newest first.
  virtual Result<std::vector<Upload>> list(const std::string& owner) = 0;
  // Forgets the upload, and returns the ids whose bytes may go, of parts too. Nothing: it was not
  // there.
  virtual Result<std::vector<std::string>> remove(const std::string& id,
                                                  const std::string& owner) = 0;
  // Forgets uploads that have expired, at most so many, and returns ids as remove() does.
  virtual Result<std::vector<std::string>> take_expired(int most) = 0;
  // Returns those of the ids that are neither uploads nor parts.
  virtual Result<std::vector<std::string>> missing(const std::vector<std::string>& ids) = 0;
  // Returns those of the ids that are uploads which are still coming.
  virtual Result<std::vector<std::string>> unfinished(const std::vector<std::string>& ids) = 0;
};

// The errors of uploads beyond the terms.
Error too_many_bytes_of_uploads(std::uint64_t most);
Error too_many_uploads(std::size_t most);
Error too_many_unfinished(std::size_t most);
Error no_room_for_uploads();
Error too_many_parts();

}  // namespace server
