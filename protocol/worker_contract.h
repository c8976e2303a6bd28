#pragma once

#include <cstddef>

// The constants that the daemon, scribed-worker and scribed-decode share besides their messages.
namespace protocol::worker {

inline constexpr std::size_t max_jobs = 512;  // jobs that a worker runs at once

// The number of windows of a long recording that are decoded at once, with long_form "parallel".
// Each has caches of its own, so memory is the limit.
inline constexpr int parallel_windows = 8;

// The windows of sound that a GPU may have in memory, where it has room: a step for so many takes
// hardly longer than one for a few.
inline constexpr int most_gpu_windows = 128;

// The number of windows in addition to `Load::windows` that only urgent work may use.
inline constexpr int urgent_windows = 2;

// The text of any sound is decided at most this many seconds behind it.
inline constexpr double window_s = 30;

// A window's prompt and text have at most this many tokens together.
inline constexpr int window_tokens = 448;

inline constexpr int pcm_rate_hz = 16000;

inline constexpr int most_speakers = 64;  // that are told apart in a recording

// The code of the error with which a worker refuses a device that computes wrong numbers.
inline constexpr char smoke_run_failed[] = "smoke_run_failed";

// Roles of auxiliary models.
inline constexpr char speech_detection[] = "speech_detection";  // Silero VAD's weights
// The file of the segmentation network; that of the embeddings lies beside it.
inline constexpr char speaker_recognition[] = "speaker_recognition";

}  // namespace protocol::worker
