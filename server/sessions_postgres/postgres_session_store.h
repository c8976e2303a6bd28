#pragma once

#include <memory>
#include <string>

#include "server/sessions/session_store.h"

namespace server {

struct PostgresSessionSettings {
  std::string address{};  // postgres://user@host/name, whose tables are there
  std::string schema = "scribed";
};

// Returns the sessions and links that several daemons share. The database is connected at the first
// call, and anew when it has been away.
std::unique_ptr<SessionStore> open_postgres_session_store(const PostgresSessionSettings& settings);

}  // namespace server
