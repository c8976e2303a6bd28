#pragma once

namespace server {

// Returns the version of these programs, such as "0.2.0".
const char* program_version();

}  // namespace server
