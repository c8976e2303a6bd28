#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/list_query.h"
#include "server/api/long_answer.h"
#include "server/api/text_json.h"
#include "server/api/text_ops.h"
#include "server/base/call_places.h"
#include "server/base/fair_calls.h"
#include "server/http/error_response.h"
#include "server/jobs/job_queue.h"
#include "server/submission/submission.h"

// The text of a job as it is read and edited piece by piece. It stays between its owner and
// scribed.
namespace server::api {
namespace {

using protocol::json::dump;

constexpr std::size_t max_edit_bytes = 4 << 20;
constexpr std::size_t long_body_bytes = 64 << 10;
constexpr int most_pages_of_one = 128;  // that are read or wait
constexpr std::ptrdiff_t most_short_versions = 100;

asio::awaitable<void> send_text(Exchange& exchange, Response response, int version) {
  response.headers.emplace_back("etag", text_tag(version));
  co_await exchange.send(std::move(response));
}

// Returns the version that an edit is made for: If-Match: "7", or * for whichever it is.
QueryResult<std::optional<int>> wanted_version(const Exchange& exchange, bool is_required) {
  const auto found = exchange.headers().find(http::field::if_match);
  if (found == exchange.headers().end()) {
    if (!is_required) return std::optional<int>();
    return FormError{{errc::version_missing, "The field If-Match is missing.",
                      "Send the version that was read, as If-Match: \"7\"."},
                     "If-Match"};
  }
  std::string_view tag(found->value().data(), found->value().size());
  if (tag == "*") return std::optional<int>();
  if (tag.size() > 1 && tag.front() == '"' && tag.back() == '"')
    tag = tag.substr(1, tag.size() - 2);
  const auto version = whole_number(tag);
  if (version) return std::optional<int>(*version);
  return invalid("If-Match", "If-Match must be a version of the text.", "As in If-Match: \"7\".");
}

// An edit that was made for another version gets the newest one beside the error.
asio::awaitable<void> send_refusal(Exchange& exchange, const EditRefusal& refusal) {
  const std::string place = refusal.edit ? fmt::format("ops[{}]", *refusal.edit) : "";
  Response response = error_response(refusal.error, place);
  if (refusal.error.code == errc::version_conflict) {
    auto body = protocol::json::parse_object(response.body);
    if (body) (*body)["version"] = refusal.version;
    if (body) response.body = dump(*body);
    response.headers.emplace_back("etag", text_tag(refusal.version));
  }
  co_await exchange.send(std::move(response));
}

// Waits for a change of a text, which ends when its client leaves.
asio::awaitable<void> send_change(Api& api, ApiCall& call, asio::awaitable<EditResult> changing) {
  Exchange& exchange = call.exchange;
  auto waiting = unless_client_leaves(exchange, std::move(changing));
  auto ended = co_await std::move(waiting);
  if (!ended) co_return co_await send_error(exchange, client_has_left());
  EditResult& change = *ended;
  if (!change) co_return co_await send_refusal(exchange, change.error());
  const int version = change->version;
  const bool has_much = is_long(change->changed);
  auto memory = std::move(change->memory);
  std::function<Result<Response>()> write = [made = *std::move(change)] {
    return Response{.body = text_change_json(made)};
  };
  auto writing = written_answer(api, call, std::move(memory), has_much, std::move(write));
  auto text = co_await std::move(writing);
  if (!text) {
    Error error = text.error();
    error.fix = fmt::format("The text was changed, to version {}: read its segments.", version);
    co_return co_await send_error(exchange, error);
  }
  co_await send_text(exchange, *std::move(text), version);
}

using Ops = boost::system::result<std::vector<TextEdit>, FormError>;

// Many operations take long to be read.
asio::awaitable<Ops> read_ops(Api& api, std::string owner, std::string body) {
  struct Read {
    Ops ops;
  };
  if (body.size() < long_body_bytes) co_return read_text_ops(body);
  std::function<Result<Read>(std::stop_token)> work = [body = std::move(body)](std::stop_token) {
    return Result<Read>(Read{read_text_ops(body)});
  };
  auto reading = api.services.texts.run<Read>(std::move(owner), std::move(work));
  auto read = co_await std::move(reading);
  if (!read) co_return FormError{read.error(), ""};
  co_return std::move(read->ops);
}

using ReadPlace = std::shared_ptr<CallPlaces::Place>;

// Waits for the reader's turn to have a page read. Errors: client_gone, too_many_requests.
asio::awaitable<Result<ReadPlace>> place_to_read(Api& api, ApiCall& call) {
  auto waiting = unless_client_leaves(
      call.exchange, place_for(api.text_places, reader_of(call), most_pages_of_one));
  auto place = co_await std::move(waiting);
  if (!place) co_return client_has_left();
  co_return *std::move(place);
}

std::string versions_json(const std::vector<TextVersion>& versions, int newest) {
  nlohmann::ordered_json data = nlohmann::ordered_json::array();
  for (const auto& one : versions) data.push_back(text_version_body(one));
  const bool has_more = !versions.empty() && versions.back().version > 0;
  const nlohmann::ordered_json body{
      {"object", "list"}, {"data", std::move(data)}, {"has_more", has_more}, {"version", newest}};
  return dump(body);
}

QueryResult<std::optional<std::int64_t>> wanted_segment(const Exchange& exchange) {
  const auto text = exchange.query("after");
  if (!text) return std::optional<std::int64_t>();
  const auto id = segment_id(*text);
  if (id) return id;
  return invalid("after", "The query parameter after must be the id of a segment.");
}

}  // namespace

asio::awaitable<void> job_segments(Api& api, ApiCall& call) {
  const auto limit = page_size(call.exchange, {.usual = 200, .most = 1000});
  if (!limit) co_return co_await send_form_error(call.exchange, limit.error());
  const auto after = wanted_segment(call.exchange);
  if (!after) co_return co_await send_form_error(call.exchange, after.error());
  const auto version = text_version(call.exchange);
  if (!version) co_return co_await send_form_error(call.exchange, version.error());
  const auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  auto waiting = place_to_read(api, call);
  auto place = co_await std::move(waiting);
  if (!place) co_return co_await send_error(call.exchange, place.error());
  auto reading = unless_client_leaves(
      call.exchange, api.services.jobs.text_page(job->id, *version, *after, *limit));
  auto read_page = co_await std::move(reading);
  if (!read_page) co_return co_await send_error(call.exchange, client_has_left());
  auto& page = *read_page;
  if (!page) {
    const bool is_of_after = page.error().code == errc::usage;
    co_return co_await send_error(call.exchange, page.error(), is_of_after ? "after" : "version");
  }
  const int given = page->version;
  const bool has_much = is_long(page->segments);
  std::function<Result<Response>()> write = [read = *std::move(page)] {
    return Response{.body = text_page_json(read)};
  };
  auto writing = written_answer(api, call, nullptr, has_much, std::move(write));
  auto text = co_await std::move(writing);
  if (!text) co_return co_await send_error(call.exchange, text.error());
  place->reset();  // the client may be slow to read
  co_await send_text(call.exchange, *std::move(text), given);
}

asio::awaitable<void> edit_transcript(Api& api, ApiCall& call) {
  const auto version = wanted_version(call.exchange, true);
  if (!version) co_return co_await send_form_error(call.exchange, version.error());
  auto body = co_await call.exchange.read_body(max_edit_bytes);
  if (!body) co_return co_await send_error(call.exchange, body.error());
  auto reading = read_ops(api, call.principal.name, *std::move(body));
  auto edits = co_await std::move(reading);
  if (!edits) co_return co_await send_form_error(call.exchange, edits.error());
  TextTarget target{call.id, call.principal.name, *version};
  auto editing = api.services.jobs.edit(std::move(target), *std::move(edits));
  auto sending = send_change(api, call, std::move(editing));
  co_await std::move(sending);
}

// The version that was decided stands at the end of the list, without a time.
asio::awaitable<void> list_versions(Api& api, ApiCall& call) {
  const auto limit = page_size(call.exchange, {.usual = 100, .most = 1000});
  if (!limit) co_return co_await send_form_error(call.exchange, limit.error());
  const auto after = wanted_segment(call.exchange);
  if (!after) co_return co_await send_form_error(call.exchange, after.error());
  const auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  const auto from = std::min<std::int64_t>(after->value_or(job->version + 1) - 1, job->version);
  auto waiting = place_to_read(api, call);
  auto place = co_await std::move(waiting);
  if (!place) co_return co_await send_error(call.exchange, place.error());
  auto reading = api.services.jobs.versions(job->id, static_cast<int>(from), *limit);
  auto versions = co_await std::move(reading);
  if (!versions) co_return co_await send_error(call.exchange, versions.error());
  const auto last = versions->empty() ? from + 1 : versions->back().version;
  const bool has_room = static_cast<int>(versions->size()) < *limit;
  if (has_room && last == 1) versions->push_back({});
  const bool has_many = std::ssize(*versions) > most_short_versions;
  std::function<Result<Response>()> write = [all = *std::move(versions), newest = job->version] {
    return Response{.body = versions_json(all, newest)};
  };
  auto writing = written_answer(api, call, nullptr, has_many, std::move(write));
  auto text = co_await std::move(writing);
  if (!text) co_return co_await send_error(call.exchange, text.error());
  place->reset();  // the client may be slow to read
  co_await send_text(call.exchange, *std::move(text), job->version);
}

asio::awaitable<void> restore_version(Api& api, ApiCall& call) {
  const auto wanted = whole_number(call.part);
  if (!wanted) {
    const FormError none = invalid("version", fmt::format("{} is no version of a text.", call.part),
                                   "Use a number that GET /v1/jobs/ID/versions has.");
    co_return co_await send_form_error(call.exchange, none);
  }
  const auto version = wanted_version(call.exchange, false);
  if (!version) co_return co_await send_form_error(call.exchange, version.error());
  TextTarget target{call.id, call.principal.name, *version};
  auto restoring = api.services.jobs.restore(std::move(target), *wanted);
  auto sending = send_change(api, call, std::move(restoring));
  co_await std::move(sending);
}

}  // namespace server::api
