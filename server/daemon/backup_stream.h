#pragma once

#include <boost/asio/awaitable.hpp>
#include <filesystem>

#include "server/http/exchange.h"
#include "server/submission/services.h"

namespace server {

// Answers with a backup of the state folder, as tar: the jobs as they are now, the recordings that
// they need, and the uploads. Work goes on meanwhile. An answer that breaks off has no end.
asio::awaitable<void> send_backup(Exchange& exchange, Services& services,
                                  std::filesystem::path state_folder);

}  // namespace server
