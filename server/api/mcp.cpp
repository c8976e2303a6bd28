#include <string>
#include <utility>

#include "server/api/api.h"
#include "server/api/handlers.h"

namespace server::api {

asio::awaitable<void> mcp(Api& api, ApiCall& call) {
  std::string principal = call.principal.name;
  co_await api.mcp(call.exchange, std::move(principal));
}

}  // namespace server::api
