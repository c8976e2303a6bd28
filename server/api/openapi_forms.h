#pragma once

#include <nlohmann/json.hpp>

#include "server/api/route.h"

namespace server {

// Returns the body of the route's requests in the words of OpenAPI; null: there is none.
nlohmann::ordered_json request_body(const Route& route);

}  // namespace server
