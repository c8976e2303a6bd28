#pragma once

namespace engine {

constexpr int sample_rate_hz = 16000;  // of all sound in the engine, which is mono

}  // namespace engine
