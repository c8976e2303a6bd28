#pragma once

#include <nlohmann/json.hpp>

#include "server/inputs/uploads.h"

namespace server::api {

// Writes an upload as clients read it.
nlohmann::ordered_json upload_body(const Upload& upload);

}  // namespace server::api
