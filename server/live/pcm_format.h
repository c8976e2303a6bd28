#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/live/adapter.h"
#include "server/base/error.h"

struct soxr;

namespace server {

// Makes a client's sound what workers hear: float32 in [-1, 1], 16 kHz, mono. It takes the bytes in
// any pieces: a frame that is cut stays here until its rest comes. Other rates are resampled by
// libsoxr, whose filter keeps back 10 to 30 ms.
class PcmConverter {
 public:
  // `channel` is the one that is taken, from 0; -1 mixes all. Errors: unsupported_parameter.
  static Result<PcmConverter> make(const protocol::live::SoundFormat& format, int channel = -1);

  PcmConverter(PcmConverter&&) noexcept = default;
  PcmConverter& operator=(PcmConverter&&) noexcept = default;
  ~PcmConverter();

  std::vector<float> convert(std::string_view bytes);
  // Returns what the filter has kept back; convert() may not be called afterwards.
  std::vector<float> finish();

 private:
  struct Deleter {
    void operator()(soxr* resampler) const;
  };

  PcmConverter(const protocol::live::SoundFormat& format, int channel);
  std::vector<float> mono_of(std::string_view frames) const;
  // Resamples; nullptr tells the end of the sound.
  std::vector<float> resample(const float* samples, std::size_t count);

  protocol::live::SoundFormat format_;
  int channel_;
  std::string cut_{};                           // the first bytes of a frame
  std::unique_ptr<soxr, Deleter> resampler_{};  // nullptr: the rate is right already
};

}  // namespace server
