#pragma once

#include <utility>
#include <vector>

#include "server/api/transcription_form.h"

namespace server::test {

using Fields = std::vector<FormField>;

// Returns the fields behind that of a model, which OpenAI's forms need.
inline Fields with_model(Fields more) {
  more.insert(more.begin(), {"model", "whisper-1"});
  return more;
}

}  // namespace server::test
