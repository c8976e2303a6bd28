#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/inputs/spool.h"
#include "server/sessions/shares.h"

// This route tells how much of the disk is used: by the caller, and for those who may know it, by
// everybody.
namespace server::api {
namespace {

using Json = nlohmann::ordered_json;

Json limit_or_null(std::uint64_t limit) {
  return limit == std::numeric_limits<std::uint64_t>::max() ? Json() : Json(limit);
}

Json use_body(const std::string& owner, const DiskUse& use, const DiskRoom& room) {
  return {{"owner", owner},
          {"used_bytes", use.total()},
          {"limit_bytes", limit_or_null(room.most_of(owner))},
          {"audio_bytes", use.audio},
          {"transcript_bytes", use.transcripts},
          {"upload_bytes", use.uploads}};
}

Json owners_body(const DiskRoom& room) {
  Json owners = Json::array();
  for (const auto& [owner, use] : room.use_of_all()) {
    owners.push_back(use_body(owner, use, room));
  }
  return owners;
}

Json server_body(const DiskRoom& room) {
  return {{"used_bytes", room.used()},
          {"limit_bytes", limit_or_null(room.most_of_all())},
          {"free_bytes", room.free()},
          {"min_free_bytes", room.min_free()}};
}

}  // namespace

asio::awaitable<void> storage(Api& api, ApiCall& call) {
  auto catching_up = api.shares.catch_up();
  const auto caught_up = co_await std::move(catching_up);
  if (!caught_up) co_return co_await send_error(call.exchange, caught_up.error());
  const DiskRoom& room = api.services.spool.room();
  const std::string& owner = call.principal.name;
  const bool may_read = call.principal.may(Right::read_status);
  const bool may_manage = call.principal.may(Right::manage);
  Json body{{"object", "storage"}};
  body.update(use_body(owner, room.use_of(owner), room));
  body["shared_jobs"] = api.shares.jobs_of(owner, static_cast<double>(std::time(nullptr)));
  body["server"] = may_read ? server_body(room) : Json();
  body["owners"] = may_manage ? owners_body(room) : Json();
  std::string text = protocol::json::dump(body);
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
