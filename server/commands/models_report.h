#pragma once

#include "server/models/model_store.h"

namespace server {

// These print `models list` and `models show`, as text for a person or one JSON object.
void print_models(const ModelStore& store, bool as_json);
void print_model(const InstalledModel& model, bool as_json, bool verified);

}  // namespace server
