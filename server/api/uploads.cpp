#include "server/inputs/uploads.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "server/api/admission.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/received_form.h"

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

Error no_file() {
  return {errc::usage, "The form has no part `file`.",
          "Send the recording as multipart/form-data: curl -F file=@talk.mp3."};
}

}  // namespace

asio::awaitable<void> upload(Api& api, ApiCall& call) {
  Uploads& uploads = api.services.uploads;
  const auto admitted = admit_bytes(api, call);
  if (!admitted) co_return co_await send_error(call.exchange, admitted.error());
  CreateFile create = [&uploads, &call] {
    return uploads.create(call.principal.name, announced_bytes(call.exchange));
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
  const auto synced = co_await sync_file(api.services.disk, *received);
  if (!synced) co_return co_await send_error(call.exchange, synced.error());
  const auto added =
      uploads.add(*std::move(received->file), call.principal.name, received->file_name);
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
