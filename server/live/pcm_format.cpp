#include "server/live/pcm_format.h"

#include <fmt/format.h>
#include <soxr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "protocol/worker_contract.h"

namespace server {
namespace {

using protocol::live::SampleType;
using protocol::live::SoundFormat;

constexpr int most_channels = 64;
constexpr int lowest_rate = 4'000;
constexpr int highest_rate = 192'000;

// ITU-T G.711: each byte is a sign, a segment of three bits and a step of four.
constexpr float mulaw_sample(std::uint8_t byte) {
  const unsigned code = static_cast<std::uint8_t>(~byte);
  const unsigned segment = (code >> 4) & 7;
  const int magnitude = static_cast<int>((((code & 15) << 3) + 132) << segment) - 132;
  return static_cast<float>((code & 128) != 0 ? -magnitude : magnitude) / 32768.0F;
}

constexpr float alaw_sample(std::uint8_t byte) {
  const unsigned code = byte ^ 0x55U;  // every second bit is sent inverted
  const unsigned segment = (code >> 4) & 7;
  const unsigned step = ((code & 15) << 4) + 8;
  const int magnitude = static_cast<int>(segment == 0 ? step : (step + 256) << (segment - 1));
  return static_cast<float>((code & 128) != 0 ? magnitude : -magnitude) / 32768.0F;
}

template <class Sample>
constexpr std::array<float, 256> table_of(Sample sample) {
  std::array<float, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = sample(static_cast<std::uint8_t>(byte));
  }
  return table;
}

constexpr auto mulaw_table = table_of(mulaw_sample);
constexpr auto alaw_table = table_of(alaw_sample);

std::size_t bytes_of(SampleType type) {
  switch (type) {
    case SampleType::s16le:
      return 2;
    case SampleType::s24le:
      return 3;
    case SampleType::s32le:
    case SampleType::f32le:
      return 4;
    case SampleType::s8:
    case SampleType::mulaw:
    case SampleType::alaw:
      break;
  }
  return 1;
}

// Reads little-endian bytes as the upper part of 32 bits, so that one scale fits all widths.
std::uint32_t upper_bits(const char* bytes, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[i]))
             << (8 * (4 - count + i));
  }
  return value;
}

// A number that is none, or beyond the scale, would spoil all sound after it.
float within_scale(float sample) {
  return std::isfinite(sample) ? std::clamp(sample, -1.0F, 1.0F) : 0.0F;
}

float sample_at(const char* bytes, SampleType type) {
  const auto byte = static_cast<std::uint8_t>(*bytes);
  if (type == SampleType::mulaw) return mulaw_table[byte];
  if (type == SampleType::alaw) return alaw_table[byte];
  const std::uint32_t bits = upper_bits(bytes, bytes_of(type));
  if (type == SampleType::f32le) return within_scale(std::bit_cast<float>(bits));
  return static_cast<float>(static_cast<std::int32_t>(bits)) / 2147483648.0F;
}

Error unsupported(std::string message) {
  return {errc::unsupported, std::move(message), "Send 16-bit PCM with 16000 Hz and one channel."};
}

Result<void> check(const SoundFormat& format, int channel) {
  if (format.rate < lowest_rate || format.rate > highest_rate) {
    return unsupported(fmt::format("The sample rate must be {} to {} Hz, and is {}.", lowest_rate,
                                   highest_rate, format.rate));
  }
  if (format.channels < 1 || format.channels > most_channels) {
    return unsupported(fmt::format("The audio must have 1 to {} channels, and has {}.",
                                   most_channels, format.channels));
  }
  if (channel >= format.channels) {
    return unsupported(fmt::format("The audio has {} channels, so there is no channel {}.",
                                   format.channels, channel));
  }
  return {};
}

}  // namespace

void PcmConverter::Deleter::operator()(soxr* resampler) const {
  soxr_delete(resampler);
}

PcmConverter::PcmConverter(const SoundFormat& format, int channel)
    : format_(format), channel_(channel) {}

PcmConverter::~PcmConverter() = default;

// With soxr's own pass bands the filter would keep back 40 to 120 ms. This one is flat up to 80 %
// of the lower rate's half, and the shortest blocks are enough for it.
Result<PcmConverter> PcmConverter::make(const SoundFormat& format, int channel) {
  if (const auto fine = check(format, channel); !fine) return fine.error();
  PcmConverter converter(format, channel);
  if (format.rate == protocol::worker::pcm_rate_hz) return converter;
  auto quality = soxr_quality_spec(SOXR_LQ, 0);
  quality.passband_end = 0.8;
  auto runtime = soxr_runtime_spec(1);
  runtime.log2_min_dft_size = 8;
  soxr_error_t failure = nullptr;
  converter.resampler_.reset(soxr_create(format.rate, protocol::worker::pcm_rate_hz, 1, &failure,
                                         nullptr, &quality, &runtime));
  if (failure != nullptr) {
    return Error{errc::internal, fmt::format("The audio cannot be resampled: {}.", failure), ""};
  }
  return converter;
}

std::vector<float> PcmConverter::convert(std::string_view bytes) {
  const std::size_t frame = bytes_of(format_.type) * static_cast<std::size_t>(format_.channels);
  std::vector<float> samples;
  if (!cut_.empty()) {
    const std::size_t missing = std::min(frame - cut_.size(), bytes.size());
    cut_.append(bytes.substr(0, missing));
    bytes.remove_prefix(missing);
    if (cut_.size() < frame) return samples;
    samples = mono_of(cut_);
  }
  const std::size_t whole = bytes.size() / frame * frame;
  const auto rest = mono_of(bytes.substr(0, whole));
  samples.insert(samples.end(), rest.begin(), rest.end());
  cut_ = bytes.substr(whole);
  if (!resampler_ || samples.empty()) return samples;
  return resample(samples.data(), samples.size());
}

std::vector<float> PcmConverter::finish() {
  return resampler_ ? resample(nullptr, 0) : std::vector<float>();
}

std::vector<float> PcmConverter::mono_of(std::string_view frames) const {
  const std::size_t width = bytes_of(format_.type);
  const auto channels = static_cast<std::size_t>(format_.channels);
  const std::size_t first = channel_ < 0 ? 0 : static_cast<std::size_t>(channel_);
  const std::size_t last = channel_ < 0 ? channels : first + 1;
  std::vector<float> mono(frames.size() / (width * channels));
  for (std::size_t i = 0; i < mono.size(); ++i) {
    const char* frame = frames.data() + i * width * channels;
    float sum = 0;
    for (std::size_t c = first; c < last; ++c) sum += sample_at(frame + c * width, format_.type);
    mono[i] = sum / static_cast<float>(last - first);
  }
  return mono;
}

std::vector<float> PcmConverter::resample(const float* samples, std::size_t count) {
  const double ratio = static_cast<double>(protocol::worker::pcm_rate_hz) / format_.rate;
  // More than one call gives at most; what does not fit comes with the next turn of the loop.
  const auto step = static_cast<std::size_t>(static_cast<double>(count) * ratio) + 512;
  std::vector<float> made;
  std::size_t used = 0;
  while (true) {
    std::size_t taken = 0, given = 0;
    const std::size_t before = made.size();
    made.resize(before + step);
    const float* next = samples == nullptr ? nullptr : samples + used;
    const soxr_error_t failure = soxr_process(resampler_.get(), next, count - used, &taken,
                                              made.data() + before, step, &given);
    made.resize(before + given);
    used += taken;
    if (failure != nullptr || (used == count && given < step)) break;
  }
  for (float& sample : made) sample = std::clamp(sample, -1.0F, 1.0F);
  return made;
}

}  // namespace server
