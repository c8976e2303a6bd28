#pragma once

#include <memory>
#include <string>

#include "server/inputs/upload_catalog.h"

namespace server {

struct PostgresUploadSettings {
  std::string address{};  // postgres://user@host/name, whose tables are there
  std::string schema = "scribed";
};

// Returns the uploads that several daemons share. The database is connected at the first call, and
// anew when it has been away.
std::unique_ptr<UploadCatalog> open_postgres_upload_catalog(const PostgresUploadSettings& settings);

}  // namespace server
