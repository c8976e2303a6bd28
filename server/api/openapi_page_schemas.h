#pragma once

#include <nlohmann/json.hpp>

#include "server/api/route.h"

namespace server {

// Adds the schemas of what the page asks for: sessions, links, options, events, the catalogue.
void add_page_schemas(nlohmann::ordered_json& schemas);

// Returns the schema of the JSON that such a route takes; null: it takes none.
nlohmann::ordered_json page_request_schema(const Route& route);

}  // namespace server
