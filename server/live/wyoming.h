#pragma once

#include <memory>
#include <string>

#include "protocol/live/adapter.h"
#include "protocol/wyoming/info.h"
#include "protocol/wyoming/wyoming_adapter.h"

namespace server {

class ModelStore;

struct WyomingSettings {
  std::string default_model{};
  protocol::TranscribeOptions options{};  // the defaults of requests
  protocol::LiveOptions live{};
  // The client finds the end of a command, as Home Assistant does; false: the server does.
  bool requires_external_vad = true;
};

// Returns what a client is told before anything else: the installed models with their languages,
// the default one first. It reads the store and waits for no model.
protocol::wyoming::Info wyoming_info(const ModelStore& store, const WyomingSettings& settings);

// Makes the adapter of one connection, for serve_stream().
std::unique_ptr<protocol::live::Adapter> make_wyoming_adapter(const ModelStore& store,
                                                              const WyomingSettings& settings);

}  // namespace server
