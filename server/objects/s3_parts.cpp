#include "server/objects/s3_parts.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace server {
namespace {

// The time for saying that an upload failed. It is said although its caller may be gone.
constexpr std::chrono::seconds abort_limit{10};

S3Result<void> put_parts(const S3Client& client, const std::string& name, const std::string& upload,
                         FileSlice bytes, std::uint64_t part_bytes, const Retries& retries,
                         const CallLimits& limits) {
  std::vector<std::string> tags;
  for (std::uint64_t done = 0; done < bytes.size; done += part_bytes) {
    const FileSlice part{bytes.file, bytes.offset + done, std::min(part_bytes, bytes.size - done)};
    const int number = static_cast<int>(tags.size()) + 1;
    auto tag = repeated(retries, limits.stop,
                        [&] { return client.put_part(name, upload, number, part, limits); });
    if (!tag) return tag.error();
    tags.push_back(*std::move(tag));
  }
  return client.complete_parts(name, upload, tags, limits);
}

}  // namespace

void pause_for(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop, time, [] { return false; });
}

S3Result<void> put_in_parts(const S3Client& client, const std::string& name, FileSlice bytes,
                            std::uint64_t part_bytes, const Retries& retries,
                            const CallLimits& limits) {
  const auto upload =
      repeated(retries, limits.stop, [&] { return client.begin_parts(name, limits); });
  if (!upload) return upload.error();
  const auto put = put_parts(client, name, *upload, bytes, part_bytes, retries, limits);
  if (put) return {};
  const CallLimits of_abort{.deadline = std::chrono::steady_clock::now() + abort_limit};
  (void)client.abort_parts(name, *upload, of_abort);
  return put.error();
}

}  // namespace server
