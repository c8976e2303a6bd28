#include "server/transcription/progress.h"

#include <fmt/format.h>

#include "server/transcription/clock_text.h"

namespace server {

const char* name(TranscriptionPhase phase) {
  switch (phase) {
    case TranscriptionPhase::queued:
      return "queued";
    case TranscriptionPhase::fetching_model:
      return "fetching_model";
    case TranscriptionPhase::loading_model:
      return "loading_model";
    case TranscriptionPhase::listening:
      return "listening";
    case TranscriptionPhase::transcribing:
      return "transcribing";
    case TranscriptionPhase::diarizing:
      return "diarizing";
    case TranscriptionPhase::ended:
      break;
  }
  return "ended";
}

namespace {

std::string diarizing_text(const TranscriptionProgress& progress) {
  std::string text = "telling speakers apart";
  if (progress.diarized > 0) text += " " + clock_text(progress.diarized);
  if (progress.diarized > 0 && progress.duration > 0)
    text += " of " + clock_text(progress.duration);
  return text;
}

std::string transcribing_text(const TranscriptionProgress& progress) {
  std::string text = "transcribing " + clock_text(progress.position);
  if (progress.duration > 0) text += " of " + clock_text(progress.duration);
  if (progress.percent) text += fmt::format(" ({:.1f}%)", *progress.percent);
  if (progress.speed) text += ", " + speed_text(*progress.speed) + " real time";
  if (progress.left_s) text += ", " + clock_text(*progress.left_s) + " left";
  return text;
}

}  // namespace

std::string progress_text(const TranscriptionProgress& progress) {
  switch (progress.phase) {
    case TranscriptionPhase::queued:
      if (!progress.queue_place) return "waiting for other transcriptions";
      return fmt::format("queued, position {}", *progress.queue_place);
    case TranscriptionPhase::fetching_model:
      return "waiting for the model, which is being downloaded";
    case TranscriptionPhase::loading_model:
      return "loading the model";
    case TranscriptionPhase::listening:
      return "listening " + clock_text(progress.listened);
    case TranscriptionPhase::transcribing:
      return transcribing_text(progress);
    case TranscriptionPhase::diarizing:
      return diarizing_text(progress);
    case TranscriptionPhase::ended:
      break;
  }
  return "ended";
}

std::string speed_text(double speed) {
  return fmt::format("{:.{}f}x", speed, speed < 1 ? 2 : 1);
}

}  // namespace server
