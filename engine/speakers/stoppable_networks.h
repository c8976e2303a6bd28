#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "engine/speakers/speaker_networks.h"

namespace engine {

// Networks that throw `cancelled` instead of hearing anything after a stop request.
class StoppableNetworks : public SpeakerNetworks {
 public:
  static Error cancelled() { return {Errc::cancelled, "the transcription was cancelled", ""}; }

  StoppableNetworks(std::shared_ptr<const SpeakerNetworks> networks, std::stop_token stop)
      : networks_(std::move(networks)), stop_(std::move(stop)) {}

  std::vector<Voices> segment(std::span<const float> windows) const override {
    check();
    return networks_->segment(windows);
  }
  std::vector<float> embed(std::span<const float> pieces) const override {
    check();
    return networks_->embed(pieces);
  }

 private:
  void check() const {
    if (stop_.stop_requested()) throw Exception(cancelled());
  }

  std::shared_ptr<const SpeakerNetworks> networks_;
  std::stop_token stop_;
};

}  // namespace engine
