#include <cstddef>
#include <string>
#include <utility>

#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/key_limits.h"

namespace server::api {

asio::awaitable<void> mcp(Api& api, ApiCall& call) {
  std::string principal = call.principal.name;
  // The request itself was counted when it came.
  McpCharge charge = [&api, &call](std::size_t calls) {
    return charge_requests(api, call.principal, calls > 0 ? calls - 1 : 0);
  };
  co_await api.mcp(call.exchange, std::move(principal), std::move(charge));
}

}  // namespace server::api
