#include "server/inputs/uploads.h"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/list_query.h"
#include "server/api/received_form.h"
#include "server/api/tus_headers.h"
#include "server/api/upload_json.h"
#include "server/base/fair_calls.h"
#include "server/submission/found_uploads.h"

namespace server::api {

using Json = nlohmann::ordered_json;
using protocol::json::dump;

Json upload_body(const Upload& upload) {
  return {{"id", upload.id},
          {"object", "upload"},
          {"handle", "upload://" + upload.id},
          {"filename", upload.name},
          {"bytes", upload.bytes},
          {"received_bytes", upload.received},
          {"complete", upload.is_whole()},
          {"expires_at", protocol::json::seconds(upload.expires)}};
}

namespace {

asio::awaitable<Result<void>> sync_file(const Services& services, std::string owner,
                                        std::shared_ptr<SpoolFile> file) {
  std::function<Result<void>(std::stop_token)> work = [file](std::stop_token) {
    return file->sync();
  };
  auto syncing = services.disk.run(std::move(owner), std::move(work));
  co_return co_await std::move(syncing);
}

Error no_file() {
  return {errc::usage, "The form has no part `file`.",
          "Send the recording as multipart/form-data: curl -F file=@talk.mp3."};
}

}  // namespace

asio::awaitable<void> upload(Api& api, ApiCall& call) {
  if (speaks_tus(call.exchange)) co_return co_await begin_upload(api, call);
  Uploads& uploads = api.services.uploads;
  const std::uint64_t bytes = announced_bytes(call.exchange);
  const auto admitted = api.services.spool.room().check(call.principal.name, bytes);
  if (!admitted) co_return co_await send_error(call.exchange, admitted.error());
  CreateFile create = [&uploads, &call](std::uint64_t expected) {
    return uploads.create(call.principal.name, expected);
  };
  auto received =
      co_await receive_form(call.exchange, std::move(create), api.settings.max_upload_bytes);
  if (!received) co_return co_await send_error(call.exchange, received.error());
  if (!received->file || !received->fields.empty()) {
    const Error problem = received->file ? Error{errc::usage, "An upload has no parameters.",
                                                 "Give them when you transcribe it."}
                                         : no_file();
    co_return co_await send_error(call.exchange, problem, "file");
  }
  const auto file = std::make_shared<SpoolFile>(*std::move(received->file));
  const auto synced = co_await sync_file(api.services, call.principal.name, file);
  if (!synced) co_return co_await send_error(call.exchange, synced.error());
  auto added = uploads.add(std::move(*file), call.principal.name, received->file_name);
  if (!added) co_return co_await send_error(call.exchange, added.error());
  auto storing = durable(api.services, *added);
  const auto stored = co_await std::move(storing);
  if (!stored) co_return co_await send_error(call.exchange, stored.error());
  auto sharing = server::shared(api.services, *added);
  const auto shared = co_await std::move(sharing);
  if (!shared) {
    uploads.remove(added->id, added->owner);  // its client never hears of it
    co_return co_await send_error(call.exchange, shared.error());
  }
  std::string text = dump(upload_body(*shared));
  co_await send_json(call.exchange, std::move(text), http::status::created);
}

asio::awaitable<void> list_uploads(Api& api, ApiCall& call) {
  const auto limit = page_size(call.exchange);
  if (!limit) co_return co_await send_form_error(call.exchange, limit.error());
  const auto text = wanted_text(call.exchange);
  if (!text) co_return co_await send_form_error(call.exchange, text.error());
  const std::string after = call.exchange.query("after").value_or("");
  auto listing = server::list_uploads(api.services, call.principal.name,
                                      {after, *text, static_cast<std::size_t>(*limit)});
  const auto page = co_await std::move(listing);
  if (!page) co_return co_await send_error(call.exchange, page.error());
  if (!*page) {
    const Error gone{errc::usage, "There is no upload " + after + " to go on behind.",
                     "It was deleted or has expired: start with the first page again."};
    co_return co_await send_error(call.exchange, gone, "after");
  }
  Json data = Json::array();
  for (const Upload& one : (*page)->uploads) data.push_back(upload_body(one));
  const Json body{{"object", "list"}, {"data", std::move(data)}, {"has_more", (*page)->has_more}};
  std::string answer = dump(body);
  co_await send_json(call.exchange, std::move(answer));
}

asio::awaitable<void> delete_upload(Api& api, ApiCall& call) {
  auto removing = remove_upload(api.services, call.id, call.principal.name);
  const auto removed = co_await std::move(removing);
  if (!removed) co_return co_await send_error(call.exchange, removed.error());
  if (speaks_tus(call.exchange)) {
    Response done{.status = http::status::no_content, .headers = {{"tus-resumable", tus_version}}};
    co_return co_await call.exchange.send(std::move(done));
  }
  const Json body{{"id", call.id}, {"object", "upload"}, {"deleted", true}};
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
