#include "server/inputs/sound_peaks.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <span>
#include <vector>

namespace server {
namespace {

constexpr std::size_t samples_of_peak = sound_rate_hz / peaks_per_second;
constexpr std::size_t bytes_of_peak = samples_of_peak * sizeof(std::int16_t);
constexpr std::size_t peaks_at_once = 256;

char loudness(std::span<const std::int16_t> samples) {
  int loudest = 0;
  for (const int sample : samples) loudest = std::max(loudest, std::abs(sample));
  return static_cast<char>(std::min(loudest * 255 / 32767, 255));
}

// Reads as much as there is; the offset is in bytes.
std::size_t read_at(int fd, std::span<char> into, std::uint64_t offset) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const ssize_t got = ::pread(fd, into.data() + filled, into.size() - filled,
                                static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

// Adds the peaks that are missing, up to the last of `bytes` bytes.
void add_peaks(const OpenSound& sound, std::uint64_t bytes, const std::stop_token& stop,
               std::string& peaks) {
  std::vector<std::int16_t> block(peaks_at_once * samples_of_peak);
  while (!stop.stop_requested()) {
    const std::uint64_t offset = peaks.size() * bytes_of_peak;
    if (offset >= bytes) return;
    const auto wanted = static_cast<std::size_t>(
        std::min<std::uint64_t>(bytes - offset, block.size() * sizeof(std::int16_t)));
    const std::size_t got =
        read_at(sound.fd.get(), {reinterpret_cast<char*>(block.data()), wanted}, offset);
    std::span<const std::int16_t> samples(block.data(), got / sizeof(std::int16_t));
    while (!samples.empty()) {
      const auto part = samples.first(std::min(samples.size(), samples_of_peak));
      peaks.push_back(loudness(part));
      samples = samples.subspan(part.size());
    }
    if (got < wanted) return;  // the file is shorter than it was: it is being removed
  }
}

}  // namespace

Result<std::string> sound_peaks(const SoundStore& sounds, const std::string& job,
                                const std::stop_token& stop) {
  const auto sound = sounds.read(job);
  if (!sound) return sound.error();
  const auto file = sounds.open_peaks(job);
  const std::uint64_t complete = sound->facts.bytes / bytes_of_peak;
  std::string peaks(static_cast<std::size_t>(complete), '\0');
  const std::size_t known = file ? read_at(file.get(), peaks, 0) : 0;
  peaks.resize(known);
  add_peaks(*sound, complete * bytes_of_peak, stop, peaks);
  // Where this fails, the next call looks at the same sound again.
  if (file && peaks.size() > known) {
    const auto written =
        ::pwrite(file.get(), peaks.data() + known, peaks.size() - known, static_cast<off_t>(known));
    static_cast<void>(written);
  }
  if (stop.stop_requested()) return Error{errc::client_gone, "nobody waits for the peaks", ""};
  if (sound->facts.is_whole) add_peaks(*sound, sound->facts.bytes, stop, peaks);
  return peaks;
}

}  // namespace server
