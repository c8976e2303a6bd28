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
#include "server/api/received_form.h"
#include "server/base/blocking_calls.h"

namespace server::api {

using Json = nlohmann::ordered_json;
using protocol::json::dump;

namespace {

Json body_of(const Upload& upload) {
  return {{"id", upload.id},
          {"object", "upload"},
          {"handle", "upload://" + upload.id},
          {"filename", upload.name},
          {"bytes", upload.bytes},
          {"expires_at", protocol::json::seconds(upload.expires)}};
}

// Syncs on a thread that may wait for the disk. The file is shared with that thread, which may
// still be using it when the caller has gone.
asio::awaitable<Result<void>> sync_file(BlockingCalls& disk, std::shared_ptr<SpoolFile> file) {
  std::function<Result<void>(std::stop_token)> work = [file](std::stop_token) {
    return file->sync();
  };
  auto synced = co_await disk.run<void>(std::move(work));
  co_return synced;
}

Error no_file() {
  return {errc::usage, "The form has no part `file`.",
          "Send the recording as multipart/form-data: curl -F file=@talk.mp3."};
}

}  // namespace

asio::awaitable<void> upload(Api& api, ApiCall& call) {
  Uploads& uploads = api.services.uploads;
  const std::uint64_t bytes = announced_bytes(call.exchange);
  const auto admitted = api.services.spool.room().check(call.principal.name, bytes);
  if (!admitted) co_return co_await send_error(call.exchange, admitted.error());
  CreateFile create = [&uploads, &call, bytes] {
    return uploads.create(call.principal.name, bytes);
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
  const auto synced = co_await sync_file(api.services.disk, file);
  if (!synced) co_return co_await send_error(call.exchange, synced.error());
  const auto added = uploads.add(std::move(*file), call.principal.name, received->file_name);
  if (!added) co_return co_await send_error(call.exchange, added.error());
  std::string text = dump(body_of(*added));
  co_await send_json(call.exchange, std::move(text), http::status::created);
}

asio::awaitable<void> delete_upload(Api& api, ApiCall& call) {
  if (!api.services.uploads.remove(call.id, call.principal.name)) {
    const Error missing{errc::upload_not_found, "There is no such upload.", "It may have expired."};
    co_return co_await send_error(call.exchange, missing);
  }
  const Json body{{"id", call.id}, {"object", "upload"}, {"deleted", true}};
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
