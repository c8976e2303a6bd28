#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/base/error.h"
#include "server/inputs/file_ranges.h"
#include "server/inputs/input.h"
#include "server/inputs/spool.h"
#include "server/objects/s3_client.h"
#include "server/objects/s3_parts.h"

namespace server {

// The recordings of jobs in a bucket, which all daemons of a database see. A job names one by its
// reference, "object:NAME". Beside them are files that stay for longer, by names with a folder:
// kept sound and uploads (bucket_files.cpp). Calls that wait run on threads of this object.
class BucketInputs {
 public:
  struct Settings {
    S3Settings s3{};
    std::filesystem::path folder{};  // of files that are fetched, which have no names there
    Retries retries{};
    std::uint64_t whole_bytes = 64ULL << 20;  // larger files are put in parts
    std::uint64_t part_bytes = 16ULL << 20;   // at least; there are 9,000 of them at most
    std::chrono::seconds put_limit{3600};
    std::chrono::seconds get_limit{3600};
    std::chrono::milliseconds last_removals{3000};  // what the end waits for them
    // Returns whether the disk has no room for more of a recording. It is called on any thread.
    std::function<bool()> disk_is_full = [] { return false; };
    // Receives what operators should know, with what the bucket said. It is called on any thread.
    std::function<void(const Error&)> on_failure = [](const Error&) {};
  };

  explicit BucketInputs(Settings settings);
  // Goes on with removals that were asked for while the bucket answers, for a few seconds.
  ~BucketInputs();
  BucketInputs(const BucketInputs&) = delete;

  static bool is_reference(const std::string& input);

  // Asks the bucket for a list, and blocks. The error is bad_config if the bucket refuses;
  // recordings_unavailable: it does not answer.
  Result<void> check() const;

  // Puts a file of the spool into the bucket and returns the reference for its job. The object's
  // name is that of the file. Errors: recordings_unavailable, queue_full.
  asio::awaitable<Result<std::string>> keep(std::filesystem::path file);
  // Fetches the recording into a file that goes with its descriptor. Errors: input_lost,
  // recordings_unavailable (also where the disk here is full), queue_full.
  asio::awaitable<Result<Input>> open(std::string reference);
  // Removes the recording soon, or when a bucket that is away is back. It may be called on any
  // thread. What cannot be removed is left to whoever looks for old ones.
  void remove(const std::string& reference);

  // Puts a file by that name, as in "sounds/JOB". Errors: recordings_unavailable, queue_full.
  asio::awaitable<Result<void>> put(std::string name, std::filesystem::path file);
  // Puts a range of a file.
  asio::awaitable<Result<void>> put(std::string name, std::filesystem::path file, FileRange range);
  // Returns at most so many bytes of a file from one on, which lies before its end. Errors:
  // input_lost, recordings_unavailable, queue_full.
  asio::awaitable<Result<std::string>> read(std::string name, std::uint64_t from,
                                            std::uint64_t most);
  // Appends the file to one of the spool. Errors: as of read(), and those of SpoolFile.
  asio::awaitable<Result<void>> fetch(std::string name, std::shared_ptr<SpoolFile> into);
  // Removes the file soon, as remove() does.
  void remove_file(const std::string& name);

  // Returns objects that have been there for longer than `age`, in the order of their names: of the
  // 1,000 objects that follow the one of that name.
  struct OldPage {
    std::vector<std::string> references{};  // of recordings
    std::vector<std::string> files{};       // of the files that stay, by name
    std::string last{};  // the name behind which the next page begins; empty: this is the last
  };
  asio::awaitable<Result<OldPage>> old_ones(std::string behind, std::chrono::seconds age);

 private:
  // No range: the whole file.
  Result<void> put_file(const std::string& name, const std::filesystem::path& file,
                        std::optional<FileRange> range, const std::stop_token& stop);
  asio::awaitable<Result<void>> put_slice(std::string name, std::filesystem::path file,
                                          std::optional<FileRange> range);
  Result<Input> fetch(const std::string& name, const std::stop_token& stop);
  using TakeBytes = std::function<S3Result<void>(std::span<const char>)>;
  S3Result<void> fetch_bytes(const std::string& name, const TakeBytes& take,
                             const std::stop_token& stop);
  Result<std::string> read_piece(const std::string& name, std::uint64_t from, std::uint64_t most,
                                 const std::stop_token& stop);
  Result<void> fetch_into_spool(SpoolFile& file, const std::string& name,
                                const std::stop_token& stop);
  void remove_later(std::string name);
  void remove_now(const std::string& name);
  Error failure(const char* doing, const S3Error& error) const;

  static constexpr std::size_t threads = 4;
  static constexpr int most_calls = 256;
  static constexpr int most_removals = 10'000;

  Settings settings_;
  S3Client client_;
  std::atomic<int> removals_ = 0;
  std::stop_source ending_{};     // nothing is tried again
  std::stop_source giving_up_{};  // nothing is begun, and what was begun ends
  // The thread of removals alone uses these two.
  bool has_given_up_ = false;
  std::chrono::milliseconds removal_pause_;
  asio::thread_pool removing_{1};
  BlockingCalls calls_{threads, most_calls};
};

}  // namespace server
