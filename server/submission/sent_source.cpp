#include "server/submission/sent_source.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "server/base/blocking_calls.h"
#include "server/base/call_places.h"
#include "server/inputs/spool.h"

namespace server {
namespace {

using TakenFile = std::shared_ptr<SpoolFile>;

// Takes the file on a thread that may wait for the disk. The file is shared with that thread, which
// may still be using it when the caller has gone.
asio::awaitable<Result<TakenFile>> on_disk_thread(
    const Services& services, std::string owner,
    std::function<Result<TakenFile>(std::stop_token)> work) {
  auto waiting = place_for(services.durable_files, std::move(owner), most_durable_of_one);
  const auto turn = co_await std::move(waiting);
  if (!turn) co_return turn.error();
  auto file = co_await services.disk.run(std::move(work));
  co_return file;
}

Result<TakenFile> write_file(const Spool& spool, const std::string& owner, const std::string& bytes,
                             bool is_durable) {
  auto file = spool.create(owner, bytes.size());
  if (!file) return file.error();
  if (const auto written = file->write(bytes); !written) return written.error();
  const auto synced = is_durable ? file->sync() : Result<void>();
  if (!synced) return synced.error();
  return std::make_shared<SpoolFile>(*std::move(file));
}

}  // namespace

asio::awaitable<Result<JobInput>> take(const Services& services, BytesSource source,
                                       SourceTerms terms) {
  auto writing = on_disk_thread(
      services, terms.owner,
      [&spool = services.spool, terms, bytes = std::move(source.bytes)](std::stop_token) {
        return write_file(spool, terms.owner, bytes, terms.is_durable);
      });
  const auto file = co_await std::move(writing);
  if (!file) co_return file.error();
  co_return JobInput{.spooled = {services.spool, (*file)->keep()},
                     .title = source.name.empty() ? "the recording" : source.name};
}

asio::awaitable<Result<JobInput>> take(const Services& services, ReceivedSource source,
                                       SourceTerms terms) {
  const auto file = std::make_shared<SpoolFile>(std::move(source.file));
  if (terms.is_durable) {
    auto syncing =
        on_disk_thread(services, terms.owner, [file](std::stop_token) -> Result<TakenFile> {
          const auto synced = file->sync();
          if (!synced) return synced.error();
          return file;
        });
    const auto synced = co_await std::move(syncing);
    if (!synced) co_return synced.error();
  }
  co_return JobInput{.spooled = {services.spool, file->keep()}, .title = std::move(source.name)};
}

}  // namespace server
