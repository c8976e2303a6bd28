#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

// Returns how large the tables of the simulation have become, by name: rows, dead rows, bytes with
// indexes, updates that needed no index, and how often autovacuum came.
nlohmann::ordered_json table_figures(const std::string& address);

}  // namespace bench
