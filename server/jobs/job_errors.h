#pragma once

#include <string>

#include "server/base/error.h"

// What all that work with jobs tell in the same words.
namespace server {

Error job_not_found(const std::string& id);

// scribed is about to end, and does not begin this any more.
Error draining();

}  // namespace server
