#pragma once

#include <nlohmann/json.hpp>

#include "platform/facts/facts.h"

namespace platform {

// Writes facts for programs: the names are those of facts.h, sizes are bytes, PCI ids are four
// hexadecimal digits, what is not known is null or empty. Every text in it is valid UTF-8.
nlohmann::json to_json(const Facts& facts);

}  // namespace platform
