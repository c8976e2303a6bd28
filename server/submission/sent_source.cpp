#include "server/submission/sent_source.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "server/base/fair_calls.h"
#include "server/inputs/spool.h"

namespace server {
namespace {

using TakenFile = std::shared_ptr<SpoolFile>;

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

// The file is shared with the thread that writes, which may still be using it when the caller has
// gone.
asio::awaitable<Result<JobInput>> take(const Services& services, BytesSource source,
                                       SourceTerms terms) {
  std::function<Result<TakenFile>(std::stop_token)> write =
      [&spool = services.spool, terms, bytes = std::move(source.bytes)](std::stop_token) {
        return write_file(spool, terms.owner, bytes, terms.is_durable);
      };
  auto writing = services.disk.run(terms.owner, std::move(write));
  const auto file = co_await std::move(writing);
  if (!file) co_return file.error();
  co_return JobInput{.spooled = {services.spool, (*file)->keep()},
                     .title = source.name.empty() ? "the recording" : source.name};
}

asio::awaitable<Result<JobInput>> take(const Services& services, ReceivedSource source,
                                       SourceTerms terms) {
  const auto file = std::make_shared<SpoolFile>(std::move(source.file));
  if (terms.is_durable) {
    std::function<Result<void>(std::stop_token)> sync = [file](std::stop_token) {
      return file->sync();
    };
    auto syncing = services.disk.run(terms.owner, std::move(sync));
    const auto synced = co_await std::move(syncing);
    if (!synced) co_return synced.error();
  }
  co_return JobInput{.spooled = {services.spool, file->keep()}, .title = std::move(source.name)};
}

}  // namespace server
