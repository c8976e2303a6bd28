#include "engine/whisper/audio/mel_spool.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "engine/whisper/audio/encoder_input.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// Noise of a bit or two in 16-bit samples stays below this; very quiet recordings of speech reach
// -3.
constexpr float inaudible_log_mel = -7.0F;

platform::UniqueFd open_nameless(const fs::path& folder) {
#ifdef O_TMPFILE
  platform::UniqueFd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
#endif
  // Not every file system supports files without a name.
  std::string name = (folder / "scribed-mel-XXXXXX").string();
  platform::UniqueFd named(::mkostemp(name.data(), O_CLOEXEC));
  if (named) ::unlink(name.c_str());
  return named;
}

Error disk_error(int code) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return {full ? Errc::out_of_disk : Errc::internal,
          std::string("the spool file could not be used: ") + std::strerror(code),
          "Free space in TMPDIR (by default /var/tmp), or name a folder on another disk there."};
}

Result<void> write_all(int file, const char* data, size_t size, off_t at) {
  while (size > 0) {
    const ssize_t written = ::pwrite(file, data, size, at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return disk_error(written < 0 ? errno : ENOSPC);
    data += written;
    size -= static_cast<size_t>(written);
    at += written;
  }
  return {};
}

Result<void> read_all(int file, char* data, size_t size, off_t at) {
  while (size > 0) {
    const ssize_t got = ::pread(file, data, size, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return disk_error(got < 0 ? errno : EIO);
    data += got;
    size -= static_cast<size_t>(got);
    at += got;
  }
  return {};
}

}  // namespace

fs::path MelSpool::default_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/var/tmp";
}

Result<MelSpool> MelSpool::create(int n_mels, const fs::path& folder) {
  platform::UniqueFd file = open_nameless(folder);
  if (!file) {
    return Error{Errc::out_of_disk,
                 "no spool file could be made in " + folder.string() + ": " + std::strerror(errno),
                 "name a folder that can be written in TMPDIR"};
  }
  return MelSpool(n_mels, std::move(file));
}

Result<void> MelSpool::append(const at::Tensor& frames) {
  TORCH_CHECK(frames.dim() == 2 && frames.size(1) == n_mels_ && frames.scalar_type() == at::kFloat,
              "[mel spool] expected float [frames, ", n_mels_, "], got ", frames.sizes());
  if (frames.size(0) == 0) return {};
  const at::Tensor rows = frames.contiguous();
  const off_t row_bytes = n_mels_ * static_cast<off_t>(sizeof(float));
  const auto written = write_all(file_.get(), static_cast<const char*>(rows.const_data_ptr()),
                                 rows.nbytes(), frames_ * row_bytes);
  if (!written) return written.error();
  frames_ += rows.size(0);
  maximum_ = std::max(maximum_, rows.max().item<float>());
  return {};
}

Result<at::Tensor> MelSpool::read_rows(std::int64_t first, int n_frames) const {
  TORCH_CHECK(first >= 0 && n_frames >= 0 && n_frames <= window_frames, "[mel spool] window of ",
              n_frames, " frames at ", first);
  const off_t row_bytes = n_mels_ * static_cast<off_t>(sizeof(float));
  const std::int64_t stored = std::clamp<std::int64_t>(frames_ - first, 0, n_frames);
  at::Tensor rows = at::full({n_frames, n_mels_}, silence_log_mel, at::kFloat);
  const auto read = read_all(file_.get(), static_cast<char*>(rows.mutable_data_ptr()),
                             static_cast<size_t>(stored * row_bytes), first * row_bytes);
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
