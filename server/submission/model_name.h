#pragma once

#include <string>
#include <string_view>

#include "server/base/error.h"
#include "server/submission/services.h"

namespace server {

// Returns the installed model that a client means: the default one for "", for OpenAI's names and
// for its own name; aliases come before all of these. Nobody can name a path. A model that is being
// fetched counts as installed, and where others transcribe, every one that is known. Errors: those
// of the model store.
Result<std::string> model_for(const Services& services, const std::string& wanted);

// Returns the same, but does not ask whether that model is installed.
std::string meant_model(const Services& services, const std::string& wanted);

// Returns whether this is the name of OpenAI's model that tells speakers apart.
bool is_diarizing_model(std::string_view name);

// Returns whether a name is one of OpenAI's that clients may use for the default model: whisper-1,
// gpt-4o-transcribe and the like.
bool is_openai_model(std::string_view name);

// Returns whether OpenAI's model of this name counts its use in tokens: all but whisper-1 do.
bool counts_tokens(std::string_view name);

}  // namespace server
