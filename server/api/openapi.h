#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "server/api/route.h"

namespace server {

// Returns the routes as an OpenAPI 3.1 document.
nlohmann::ordered_json openapi_document(std::span<const Route> table);

}  // namespace server
