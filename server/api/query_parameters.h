#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/form_values.h"
#include "server/api/route.h"

namespace server {

// A parameter in the address of a request. Below /v1 dispatch refuses all others, and OpenAPI names
// these.
struct QueryParameter {
  std::string_view path;  // of its route
  std::string_view name;
  std::string_view description;
  std::string_view type = "string";
  http::verb method = http::verb::get;
};

std::span<const QueryParameter> query_parameters();

// Returns the parameters to ignore: some clients request OpenAI's list of models in pages, but it
// is always complete here.
std::vector<std::string> ignored_query(const Route& route, const Exchange& exchange);

// Checks that a request of the API has no parameters in its address but those of its route, each
// once: what is misspelt would be ignored. The codes are unknown_parameter and usage.
FormProblem check_query(const Route& route, const Exchange& exchange);

}  // namespace server
