#include "server/submission/kept_source.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "server/base/fair_calls.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/uploads.h"
#include "server/submission/found_uploads.h"

namespace server {
namespace {

// Fetches kept sound that is not here into the spool, piece by piece.
asio::awaitable<Result<JobInput>> fetch_sound(const Services& services, HeardSource source,
                                              SourceTerms terms) {
  constexpr std::uint64_t piece_bytes = 8 << 20;
  auto made = services.spool.create(terms.owner, source.bytes);
  if (!made) co_return made.error();
  const auto file = std::make_shared<SpoolFile>(*std::move(made));
  while (file->size() < source.bytes) {
    const auto most = std::min(piece_bytes, source.bytes - file->size());
    auto reading = services.distant_sound.read(source.job, file->size(), most);
    auto piece = co_await std::move(reading);
    if (!piece) co_return piece.error();
    const bool is_last = file->size() + piece->size() >= source.bytes;
    std::function<Result<bool>(std::stop_token)> work =
        [file, bytes = *std::move(piece),
         syncs = is_last && terms.is_durable](std::stop_token) -> Result<bool> {
      if (bytes.empty()) return Error{errc::io_error, "The audio cannot be read.", ""};
      if (const auto written = file->write(bytes); !written) return written.error();
      if (!syncs) return true;
      const auto synced = file->sync();
      if (!synced) return synced.error();
      return true;
    };
    auto writing = services.disk.run(terms.owner, std::move(work));
    const auto written = co_await std::move(writing);
    if (!written) co_return written.error();
  }
  co_return JobInput{.spooled = {services.spool, file->keep()}, .title = std::move(source.title)};
}

}  // namespace

asio::awaitable<Result<JobInput>> take(const Services& services, UploadSource source,
                                       SourceTerms terms) {
  auto finding = find_upload(services, std::move(source.handle), std::move(terms.owner));
  const auto upload = co_await std::move(finding);
  if (!upload) {
    if (upload.error().code != errc::upload_not_found) co_return upload.error();
    co_return Error{errc::upload_not_found, "There is no such upload.",
                    "Uploads expire. Send the file again, by POST to /v1/uploads."};
  }
  auto taking = take_found(services, *upload, terms.is_durable);
  auto file = co_await std::move(taking);
  if (!file) co_return file.error();
  co_return JobInput{.spooled = *std::move(file), .title = upload->name};
}

asio::awaitable<Result<JobInput>> take(const Services& services, HeardSource source,
                                       SourceTerms terms) {
  const auto here = services.sounds.find(source.job);
  const bool is_here = here && here->is_whole;
  const bool is_elsewhere = services.distant_sound.read && !is_here;
  if (is_elsewhere) {
    auto fetching = fetch_sound(services, std::move(source), std::move(terms));
    co_return co_await std::move(fetching);
  }
  std::function<Result<UnclaimedFile>(std::stop_token)> work =
      [&services, job = source.job,
       is_durable = terms.is_durable](std::stop_token) -> Result<UnclaimedFile> {
    auto taken = services.sounds.take(job, services.spool);
    if (!taken) return taken.error();
    UnclaimedFile file(services.spool, *std::move(taken));
    const auto synced = is_durable ? services.spool.sync_names() : Result<void>();
    if (!synced) return synced.error();
    return file;
  };
  auto taking = services.disk.run(std::move(terms.owner), std::move(work));
  auto file = co_await std::move(taking);
  if (!file) co_return file.error();
  co_return JobInput{.spooled = *std::move(file), .title = std::move(source.title)};
}

}  // namespace server
