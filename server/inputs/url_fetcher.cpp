#include "server/inputs/url_fetcher.h"

#include <memory>
#include <span>
#include <utility>

#include "server/outbound/outbound_call.h"

namespace server {
namespace {

constexpr int max_redirects = 5;
// They wait for others most of the time, and silent receivers of a few owners must not take all.
constexpr int threads = 16;
constexpr int most_threads_of_one = 2;

struct Download {
  std::shared_ptr<SpoolFile> file{};  // removed unless it is kept
  std::string name{};
};

OutboundRules rules_of(const UrlFetcher::Settings& settings) {
  return {.hosts = settings.hosts, .allow_private = settings.allow_private};
}

Result<Download> finish(std::shared_ptr<SpoolFile> file, std::string name, long status,
                        const std::string& host) {
  if (status < 200 || status > 299) {
    return Error{errc::unreachable, host + " answered " + std::to_string(status),
                 "Check the address: the file must be there for everybody, without a login."};
  }
  if (const auto synced = file->sync(); !synced) return synced.error();
  return Download{std::move(file), std::move(name)};
}

// Every address of a redirect passes the same checks.
Result<Download> download(std::string url, const std::string& owner, OutboundCall call,
                          const OutboundRules& rules, const Spool& spool) {
  auto created = spool.create(owner, 0);
  if (!created) return created.error();
  const auto file = std::make_shared<SpoolFile>(*std::move(created));
  call.on_bytes = [&file](std::span<const char> bytes) { return file->write(bytes); };
  std::string name;
  for (int hop = 0; hop <= max_redirects; ++hop) {
    auto target = read_url(url, rules);
    if (!target) return target.error();
    call.url = *std::move(target);
    if (hop == 0) name = call.url.name;
    const auto answer = perform(call);
    if (!answer) return answer.error();
    if (answer->redirect.empty()) return finish(file, name, answer->status, call.url.host);
    url = answer->redirect;
  }
  return Error{errc::url_refused, "the address redirects too often", "Name the file itself."};
}

}  // namespace

UrlFetcher::UrlFetcher(Settings settings, const Spool& spool)
    : settings_(std::move(settings)),
      spool_(spool),
      places_(std::make_shared<CallPlaces>(threads, most_threads_of_one)),
      calls_(threads, threads) {}

asio::awaitable<Result<UrlFetcher::Fetched>> UrlFetcher::fetch(std::string url, std::string owner) {
  if (places_->calls_of(owner) >= settings_.max_pending_of_one) {
    co_return Error{errc::queue_full, "too many of your transfers are queued", "Try again later."};
  }
  const auto executor = co_await asio::this_coro::executor;
  const auto place = std::make_shared<CallPlaces::Place>(places_, owner, executor);
  OutboundCall call;
  call.max_bytes = settings_.max_bytes;
  call.deadline = std::chrono::steady_clock::now() + settings_.limit;
  std::function<Result<Download>(std::stop_token)> work = [this, url, owner,
                                                           call](std::stop_token stop) {
    OutboundCall stoppable = call;
    stoppable.stop = std::move(stop);
    return download(url, owner, std::move(stoppable), rules_of(settings_), spool_);
  };
  co_await place->turn();
  auto got = co_await calls_.run(std::move(work), place);
  if (!got) co_return got.error();
  co_return Fetched{got->file->keep(), std::move(got->name)};
}

}  // namespace server
