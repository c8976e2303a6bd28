#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "server/base/fair_calls.h"
#include "server/inputs/spool.h"
#include "server/inputs/unclaimed_file.h"

namespace server {

inline constexpr std::size_t max_upload_name_bytes = 255;

struct Upload {
  std::string id{};     // 130 random bits; tools take "upload://" + id
  std::string owner{};  // nobody else can use it
  std::string name{};   // the client's name for the file
  std::uint64_t bytes = 0;
  std::uint64_t received = 0;  // how many of them are here
  double expires = 0;          // seconds since 1970
  std::string metadata{};      // the client's field Upload-Metadata; empty: it sent none
  // These two are for daemons that share uploads: whether all know of this one, and how many of the
  // bytes that came to this daemon all have for certain.
  bool is_entered = false;
  std::uint64_t shared = 0;

  bool is_whole() const { return received == bytes; }
  // An upload without bytes has all of them.
  bool has_a_byte() const { return received > 0 || bytes == 0; }
  // How many bytes of the disk it counts with.
  std::uint64_t counted() const { return std::max(received, std::min(bytes, most_bytes_ahead)); }
};

// The place of an upload among those of its owner: the newest come first.
struct UploadPlace {
  double expires = 0;
  std::string id{};

  friend bool operator<(const UploadPlace& a, const UploadPlace& b) {
    return std::tie(b.expires, a.id) < std::tie(a.expires, b.id);
  }
};

// A part of a list of uploads.
struct UploadQuery {
  std::string after{};    // the id of the upload to go on behind; empty: from the first one on
  std::string text{};     // that names contain; letters of ASCII count in either case
  std::size_t limit = 0;  // at most so many
};

struct UploadPage {
  std::vector<Upload> uploads{};
  bool has_more = false;
};

// Returns a page of uploads, which are all of an owner in their order; nothing if the one to go on
// behind is not among them.
std::optional<UploadPage> page_of(const std::vector<Upload>& uploads, const UploadQuery& query);

// Returns the id in a handle, which may begin with "upload://".
std::string upload_id(const std::string& handle);

// An upload that has got no byte for so long after its beginning expires.
inline constexpr double longest_without_a_byte_s = 600;

// The error of an upload that is not there, or somebody else's.
Error no_such_upload();
// The error of one that is still coming, for who needs the whole of it.
Error unfinished_upload(const Upload& upload);
// The error of bytes that do not follow those that are there.
Error wrong_offset(std::uint64_t received);

// Files that clients sent to be transcribed later, by a handle. They survive a restart, and stay
// until remove_expired() finds that they have expired. An upload may come in parts: how far it is
// is the size of its file, so that it goes on after a broken line or the end of this process. This
// is used on one thread. Errors of all functions: out_of_disk, too_many_uploads, io_error, and
// those of DiskRoom.
class Uploads {
 public:
  struct Settings {
    std::filesystem::path folder{};
    double keep_s = 24 * 3600;
    std::uint64_t max_total_bytes = 64ULL << 30;  // of all uploads; more is out_of_disk
    // Of those of one owner; more is too_many_bytes.
    std::uint64_t max_bytes_of_one = std::numeric_limits<std::uint64_t>::max();
    std::size_t max_of_one = 10'000;          // uploads of one owner; more is too_many_uploads
    std::size_t max_unfinished_of_one = 100;  // those of them that are not whole
    SpoolSettings spool{};                    // its room is shared by all recordings
    double (*now)() = nullptr;                // nullptr: the system's clock
  };

  // Opens the folder, and removes files that were half written when the last process ended.
  static Result<Uploads> open(Settings settings);

  // `expected` is the announced number of bytes; 0: unknown.
  Result<SpoolFile> create(const std::string& owner, std::uint64_t expected) const;
  // Adds a file that create() returned and that was synced. Its description is durable after
  // sync().
  Result<Upload> add(SpoolFile file, std::string owner, std::string name);
  // Begins an upload that will have so many bytes, which append() brings. All of them have to fit
  // now, and those count that have come, with the first ones (most_bytes_ahead) from the beginning.
  // One that has got no byte after ten minutes expires. It is durable after sync().
  Result<Upload> begin(std::string owner, std::string name, std::uint64_t bytes,
                       std::string metadata = {});
  // Begins here, without its bytes, an upload that all daemons know. One that is here stays as it
  // is.
  Result<Upload> go_on_with(const Upload& upload);
  // Notes that all daemons know of an upload. Errors: those of the disk.
  Result<void> set_entered(const std::string& id, const std::string& owner);
  // Notes how many bytes all daemons have.
  void set_shared(const std::string& id, const std::string& owner, std::uint64_t bytes);
  // Forgets the bytes that all daemons do not have for certain: somebody else went on there.
  Result<void> cut_to_shared(const std::string& id, const std::string& owner);
  // Adds bytes behind those that are there, and returns how many there are then. Errors: also
  // upload_not_found; wrong_offset where `offset` is not their number, because somebody else adds
  // to the same upload; too_large beyond the announced number. What has come before an error stays.
  Result<std::uint64_t> append(const std::string& id, const std::string& owner,
                               std::uint64_t offset, std::span<const char> bytes);
  // Syncs what was appended, and the description and names of what was begun or added. It may run
  // on any thread.
  Result<void> sync(const Upload& upload) const;
  // Finds an upload by its handle, with or without "upload://". Empty if there is none, or it
  // belongs to somebody else.
  std::optional<Upload> find(const std::string& handle, const std::string& owner) const;
  // Gives the bytes a name of their own in `spool`, which is on the same file system: the upload
  // may expire or be used again. Further errors: upload_not_found, upload_unfinished. It may run on
  // any thread; take_upload() runs it on one that may wait for the disk, and syncs the name if it
  // is to be durable.
  Result<std::filesystem::path> take(const Upload& upload, const Spool& spool) const;
  // Returns the uploads of all owners.
  std::vector<Upload> all() const;
  const Settings& settings() const { return settings_; }
  // Sets how many bytes the uploads of one owner may have from now on.
  void set_max_bytes_of_one(std::uint64_t bytes) { settings_.max_bytes_of_one = bytes; }
  // Returns the file with the bytes of an upload.
  std::filesystem::path path(const Upload& upload) const { return files_.folder() / upload.id; }
  // Returns the owner's uploads, the newest first: a page of them, or all. A page is nothing if the
  // upload to go on behind is not there.
  std::optional<UploadPage> page(const std::string& owner, const UploadQuery& query) const;
  std::vector<Upload> list(const std::string& owner) const;
  bool remove(const std::string& handle, const std::string& owner);
  // Removes some of the expired uploads, by a clock that can be relied on: see SettledClock. An
  // upload that would expire later than a new one, because the clock was wrong when it came,
  // expires like a new one. Returns how many were removed; where these are some, there may be more.
  int remove_expired();

 private:
  Uploads(Settings settings, Spool files);

  std::optional<Upload> read(const std::string& id) const;
  Upload* known(const std::string& id, const std::string& owner);
  Result<Upload> begin_as(Upload upload);
  Result<void> describe(const Upload& upload) const;  // durably
  Result<void> sync_file(const std::filesystem::path& file) const;
  Result<std::filesystem::path> write_description(const Upload& upload) const;
  Result<void> check_number(const std::string& owner) const;
  Result<void> check_bytes(const std::string& owner, std::uint64_t more) const;
  Result<void> reserve(const Upload& upload, int fd, std::uint64_t received);
  void set_received(Upload& upload, std::uint64_t received);
  void set_expires(Upload& upload, double expires);
  double time_without_a_byte() const;
  void remove_files(const Upload& upload);
  void clean_up();
  void remember(const Upload& upload);

  Settings settings_;
  Spool files_;                            // the bytes are named id, their description id + ".json"
  std::map<std::string, Upload> known_{};  // by id
  struct Own {
    std::set<UploadPlace> places{};
    std::size_t unfinished = 0;
    std::uint64_t bytes = 0;  // that count
  };
  std::map<std::string, Own> by_owner_{};
  std::uint64_t total_bytes_ = 0;  // that count
};

asio::awaitable<Result<UnclaimedFile>> take_upload(FairCalls& disk, const Uploads& uploads,
                                                   Upload upload, const Spool& spool,
                                                   bool is_durable);

}  // namespace server
