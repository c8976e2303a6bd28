#include "engine/whisper/audio/mel_spool.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "engine/whisper/audio/encoder_input.h"
#include "engine/whisper/audio/steady_noise.h"
#include "engine/whisper/constants.h"

namespace engine {
namespace {

// Turns a number's bits into those that the file has, and back: they differ by the bits of silence,
// so that silence is 0 and takes no disk.
std::uint32_t turned(std::uint32_t bits) {
  return bits ^ std::bit_cast<std::uint32_t>(silence_log_mel);
}

}  // namespace

Result<MelSpool> MelSpool::create(int n_mels, const std::filesystem::path& folder,
                                  const SpoolOwner& owner) {
  auto file = SpoolFile::create(folder, SpoolFile::default_min_free(), owner);
  if (!file) return file.error();
  return MelSpool(n_mels, *std::move(file));
}

Result<void> MelSpool::append(const MelFrames& frames) {
  if (frames.n_mels != n_mels_) throw std::invalid_argument("the frames have other bands");
  if (frames.values.empty()) return {};
  std::vector<std::uint32_t> stored;
  stored.reserve(frames.values.size());
  for (const float value : frames.values) {
    stored.push_back(turned(std::bit_cast<std::uint32_t>(value)));
  }
  if (const auto written = file_.append(std::as_bytes(std::span(stored))); !written) {
    return written.error();
  }
  frames_ += frames.frames();
  maximum_ = std::max(maximum_, frames.loudest());
  return {};
}

Result<std::vector<float>> MelSpool::read_rows(std::int64_t first, int n_frames) const {
  if (first < 0 || n_frames < 0 || n_frames > window_frames) {
    throw std::invalid_argument("a window has 3000 frames at most, and none before the first");
  }
  const auto width = static_cast<std::size_t>(n_mels_);
  const auto heard =
      static_cast<std::size_t>(std::clamp<std::int64_t>(frames_ - first, 0, n_frames));
  std::vector<std::uint32_t> stored(heard * width);
  const auto read = file_.read(first * row_bytes(), std::as_writable_bytes(std::span(stored)));
  if (!read) return read.error();
  std::vector<float> rows(static_cast<std::size_t>(n_frames) * width, silence_log_mel);
  std::ranges::transform(stored, rows.begin(),
                         [](std::uint32_t bits) { return std::bit_cast<float>(turned(bits)); });
  return rows;
}

Result<MelWindow> MelSpool::read_window(std::int64_t first, int n_frames) const {
  const auto rows = read_rows(first, n_frames);
  if (!rows) return rows.error();
  return encoder_input(*rows, n_mels_, maximum_);
}

Result<MelSpool::SilentEnds> MelSpool::silent_ends(std::int64_t first, int n_frames) const {
  const auto rows = read_rows(first, n_frames);
  if (!rows) return rows.error();
  const auto is_audible = [](float value) { return value >= inaudible_log_mel; };
  const auto before = std::find_if(rows->begin(), rows->end(), is_audible) - rows->begin();
  const auto after = std::find_if(rows->rbegin(), rows->rend(), is_audible) - rows->rbegin();
  return SilentEnds{static_cast<int>(before / n_mels_), static_cast<int>(after / n_mels_)};
}

Result<bool> MelSpool::is_inaudible(std::int64_t first, int n_frames) const {
  const auto silent = silent_ends(first, n_frames);
  if (!silent) return silent.error();
  return silent->before == n_frames;
}

Result<bool> MelSpool::is_faint(std::int64_t first, int n_frames) const {
  constexpr float faint = 3;  // powers of ten
  const auto rows = read_rows(first, n_frames);
  if (!rows) return rows.error();
  return std::ranges::all_of(*rows, [&](float value) { return value <= maximum_ - faint; });
}

Result<int> MelSpool::steady_frames(std::int64_t first, int n_frames) const {
  const auto rows = read_rows(first, n_frames);
  if (!rows) return rows.error();
  return steady_noise(*rows, n_mels_);
}

}  // namespace engine
