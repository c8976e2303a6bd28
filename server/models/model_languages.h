#pragma once

#include <string_view>
#include <vector>

#include "server/models/manifest.h"
#include "server/models/registry.h"

// The codes of the languages that a model knows; none where it transcribes nothing. Those of an
// installed model live as long as its manifest.
namespace server {

std::vector<std::string_view> languages_of(const Manifest& installed);
std::vector<std::string_view> languages_of(const RegisteredModel& model);

}  // namespace server
