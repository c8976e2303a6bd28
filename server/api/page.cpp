#include "server/web/page.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/base/version.h"

namespace server::api {
namespace {

const web::Page& page_of_this_program() {
  static const web::Page page(web::page_files());
  return page;
}

}  // namespace

// People who open the address get the page; programs, as Bazarr's test of its settings, hear the
// version.
asio::awaitable<void> front(Api&, ApiCall& call) {
  const std::string_view accept = call.exchange.headers()[http::field::accept];
  if (accept.find("text/html") != accept.npos) {
    co_return co_await call.exchange.send(page_of_this_program().front(call.exchange.headers()));
  }
  Response response{.headers = {{"vary", "accept, accept-encoding"}}};
  const nlohmann::ordered_json body{{"version", std::string("scribed ") + program_version()}};
  response.body = protocol::json::dump(body);
  co_await call.exchange.send(std::move(response));
}

asio::awaitable<void> page_file(Api&, ApiCall& call) {
  auto response = page_of_this_program().file(call.id, call.exchange.headers());
  if (!response) co_return co_await send_not_found(call.exchange);
  co_await call.exchange.send(*std::move(response));
}

}  // namespace server::api
