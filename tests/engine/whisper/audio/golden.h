#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

namespace engine {

// Values of openai/whisper's log_mel_spectrogram for test_signal.
inline nlohmann::json mel_golden() {
  return nlohmann::json::parse(
      std::ifstream(SCRIBED_SOURCE_DIR "/tests/engine/whisper/audio/mel_golden.json"));
}

}  // namespace engine
