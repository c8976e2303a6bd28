#pragma once

#include <nlohmann/json.hpp>

#include "server/api/route.h"

namespace server {

// Returns the answers of the route in the words of OpenAPI, with the one for all errors.
nlohmann::ordered_json answers_of(const Route& route);

}  // namespace server
