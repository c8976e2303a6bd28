#include "engine/whisper/audio/mel_spool.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstddef>

#include "engine/whisper/audio/encoder_input.h"

namespace engine {

Result<MelSpool> MelSpool::create(int n_mels, const std::filesystem::path& folder) {
  auto file = SpoolFile::create(folder);
  if (!file) return file.error();
  return MelSpool(n_mels, *std::move(file));
}

Result<void> MelSpool::append(const at::Tensor& frames) {
  TORCH_CHECK(frames.dim() == 2 && frames.size(1) == n_mels_ && frames.scalar_type() == at::kFloat,
              "[mel spool] expected float [frames, ", n_mels_, "], got ", frames.sizes());
  if (frames.size(0) == 0) return {};
  const at::Tensor rows = frames.contiguous();
  const auto written = file_.write(
      frames_ * row_bytes(), {static_cast<const std::byte*>(rows.const_data_ptr()), rows.nbytes()});
  if (!written) return written.error();
  frames_ += rows.size(0);
  maximum_ = std::max(maximum_, rows.max().item<float>());
  return {};
}

Result<at::Tensor> MelSpool::read_rows(std::int64_t first, int n_frames) const {
  TORCH_CHECK(first >= 0 && n_frames >= 0 && n_frames <= window_frames, "[mel spool] window of ",
              n_frames, " frames at ", first);
  const std::int64_t stored = std::clamp<std::int64_t>(frames_ - first, 0, n_frames);
  at::Tensor rows = at::full({n_frames, n_mels_}, silence_log_mel, at::kFloat);
  const auto read =
      file_.read(first * row_bytes(), {static_cast<std::byte*>(rows.mutable_data_ptr()),
                                       static_cast<std::size_t>(stored * row_bytes())});
  if (!read) return read.error();
  return rows;
}

Result<at::Tensor> MelSpool::read_window(std::int64_t first, int n_frames) const {
  const c10::InferenceMode guard;
  const auto rows = read_rows(first, n_frames);
  if (!rows) return rows.error();
  return encoder_input(*rows, maximum_);
}

Result<bool> MelSpool::is_inaudible(std::int64_t first, int n_frames) const {
  const c10::InferenceMode guard;
  if (n_frames == 0) return true;
  const auto rows = read_rows(first, n_frames);
  if (!rows) return rows.error();
  return rows->max().item<float>() < inaudible_log_mel;
}

}  // namespace engine
