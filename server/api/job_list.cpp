#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/job_page.h"
#include "server/api/list_query.h"
#include "server/base/call_places.h"
#include "server/base/fair_calls.h"
#include "server/base/race.h"
#include "server/jobs/job_search.h"

// The list of jobs, and searches in it. They take turns, read a few jobs at a time, and write long
// ones on another thread: many long lists of one owner keep nobody else waiting.
namespace server::api {
namespace {

constexpr std::size_t jobs_at_once = 25;
constexpr int most_matches = 3;  // of one job that a text was found in
constexpr std::chrono::seconds list_time{30};

// The jobs that a client asks for.
struct ListQuery {
  std::optional<std::string> owner{};  // nothing: everybody's jobs
  JobFilter filter{};
  JobPlace after{};
  std::string text{};  // to be found in the jobs; empty: none
  int limit = 0;
};

// Returns whose jobs are asked for: ?owner=NAME, or * for everybody's; nothing: everybody's. A
// search by text is for their owner alone.
Result<std::optional<std::string>> listed_owner(const ApiCall& call, const JobFilter& filter) {
  auto wanted = call.exchange.query("owner");
  if (!wanted || *wanted == call.principal.name) {
    return std::optional<std::string>(call.principal.name);
  }
  if (!call.principal.may(Right::manage)) {
    return Error{errc::forbidden, "This key may not see the jobs of others.",
                 "Use a key that may manage the server, or leave out owner."};
  }
  if (!filter.texts.empty()) {
    return Error{errc::forbidden, "What was said in the jobs of others cannot be searched.",
                 "Leave out q, or owner."};
  }
  if (*wanted == "*") wanted.reset();
  return wanted;
}

QueryResult<ListQuery> list_query(const Api& api, const ApiCall& call) {
  const auto limit = page_size(call.exchange);
  if (!limit) return limit.error();
  auto filter = job_filter(call.exchange, api.services);
  if (!filter) return filter.error();
  auto owner = listed_owner(call, *filter);
  if (!owner) return FormError{owner.error(), "owner"};
  return ListQuery{.owner = *std::move(owner),
                   .filter = *std::move(filter),
                   .after = {.id = call.exchange.query("after").value_or("")},
                   .text = call.exchange.query("q").value_or(""),
                   .limit = *limit};
}

using Listed = std::vector<ListedJob>;

// Reads the next jobs of a list, with the places where its text is in them.
asio::awaitable<Result<Listed>> next_jobs(Api& api, const ListQuery& query, std::size_t most) {
  auto searching = search_jobs(api.services.jobs, query.owner, query.filter, static_cast<int>(most),
                               query.after);
  auto jobs = co_await std::move(searching);
  if (!jobs) co_return jobs.error();
  std::vector<std::string> ids;
  for (const Job& job : *jobs) ids.push_back(job.id);
  Listed listed;
  for (Job& job : *jobs) listed.push_back({.job = std::move(job)});
  if (query.text.empty()) co_return listed;
  auto finding = api.services.jobs.matches(std::move(ids), query.text, most_matches);
  auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  for (std::size_t i = 0; i < listed.size(); ++i) listed[i].matches = std::move((*found)[i]);
  co_return listed;
}

// Adds jobs to a page, and returns how many it has taken. Whoever is cancelled leaves both to the
// other thread.
asio::awaitable<Result<std::size_t>> fill_page(Api& api, std::string reader,
                                               std::shared_ptr<JobPage> page, Listed jobs) {
  if (!is_long(jobs)) co_return page->add(jobs);
  std::function<Result<std::size_t>(std::stop_token)> work =
      [page, jobs = std::move(jobs)](std::stop_token) { return page->add(jobs); };
  auto writing = api.services.texts.run<std::size_t>(std::move(reader), std::move(work));
  auto added = co_await std::move(writing);
  co_return added;
}

// Returns the text of a page. The jobs of a few lists at most are in memory at a time.
asio::awaitable<Result<std::string>> page_text(Api& api, std::string reader, ListQuery query) {
  const auto limit = static_cast<std::size_t>(query.limit);
  const auto page = std::make_shared<JobPage>(reader, limit, !query.text.empty());
  while (true) {
    // One job behind a full page says that there are more.
    const std::size_t left = page->is_full() ? 1 : limit + 1 - page->jobs();
    const std::size_t most = std::min(left, jobs_at_once);
    auto reading = next_jobs(api, query, most);
    auto jobs = co_await std::move(reading);
    if (!jobs) co_return jobs.error();
    const std::size_t read = jobs->size();
    if (read > 0) query.after = {.number = jobs->back().job.number};
    auto adding = fill_page(api, reader, page, *std::move(jobs));
    const auto added = co_await std::move(adding);
    if (!added) co_return added.error();
    if (*added < read) co_return page->take(true);
    if (read < most) co_return page->take(false);
  }
}

// Waits for its turn, and then makes the page.
asio::awaitable<Result<std::string>> listed_text(Api& api, std::string reader, ListQuery query) {
  auto waiting = place_for(api.services.lists, reader, Services::most_lists_of_one);
  const auto place = co_await std::move(waiting);
  if (!place) co_return place.error();
  auto making = within(list_time, page_text(api, reader, std::move(query)));
  auto text = co_await std::move(making);
  if (text) co_return *std::move(text);
  co_return Error{errc::timed_out, "The search took longer than half a minute.",
                  "Ask for less: a status, a model, or the jobs behind another one (after)."};
}

}  // namespace

asio::awaitable<void> list_jobs(Api& api, ApiCall& call) {
  auto query = list_query(api, call);
  if (!query) co_return co_await send_form_error(call.exchange, query.error());
  auto making = listed_text(api, call.principal.name, *std::move(query));
  auto made = unless_client_leaves(call.exchange, std::move(making));
  auto text = co_await std::move(made);
  if (!text) co_return;
  if (!*text) {
    const std::string_view parameter = text->error().code == errc::usage ? "after" : "";
    co_return co_await send_error(call.exchange, text->error(), parameter);
  }
  // A client that does not read its answer holds it in memory.
  auto holding = call.exchange.hold((*text)->size());
  const auto held = co_await std::move(holding);
  if (!held) co_return co_await send_error(call.exchange, held.error());
  co_await send_json(call.exchange, **std::move(text));
}

}  // namespace server::api
