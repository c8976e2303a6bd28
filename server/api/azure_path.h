#pragma once

#include <string>
#include <string_view>

namespace server {

struct MeantPath {
  std::string path{};
  std::string deployment{};  // a model, of which the address is; empty: it names none
};

// Returns the path that a request's path stands for. The addresses of Azure OpenAI mean OpenAI's:
// /openai/deployments/NAME/audio/transcriptions is /v1/audio/transcriptions with the model NAME,
// and /openai/v1/models as well as /openai/models is /v1/models. Other paths mean themselves.
MeantPath meant_path(std::string_view path);

// Returns whether a path is one of Azure OpenAI, whose requests have a parameter api-version.
bool is_azure_path(std::string_view path);

}  // namespace server
