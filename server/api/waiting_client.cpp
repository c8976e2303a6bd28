#include "server/api/waiting_client.h"

namespace server::api {

asio::awaitable<Elapsed> client_left(Exchange& exchange) {
  co_await exchange.gone();
  co_return Elapsed{};
}

}  // namespace server::api
