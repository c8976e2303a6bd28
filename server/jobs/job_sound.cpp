#include "server/jobs/job_sound.h"

#include <filesystem>

namespace server {
namespace {

// Returns whether the input is a file of the spool and has the bytes that kept sound would have.
bool is_such_sound(const JobRequest& request) {
  const DecoderOptions& decoder = request.decoder;
  const bool is_file = std::filesystem::path(request.input).is_absolute();
  return request.input_is_ours && is_file && decoder.input_format == "s16le" &&
         decoder.track.empty() && !decoder.channel &&
         decoder.input_sample_rate.value_or(sound_rate_hz) == sound_rate_hz &&
         decoder.input_channels.value_or(1) == 1;
}

}  // namespace

std::optional<SoundWriter> begin_job_sound(const SoundStore& sounds, const Job& job) {
  const JobRequest& request = job.request;
  if (!request.detached || request.options.language_only) return std::nullopt;
  if (is_such_sound(request) && sounds.link(request.input, job.id)) return std::nullopt;
  const auto known = sounds.find(job.id);
  for (const auto& kept : {known, job.sound}) {
    if (kept && kept->is_whole) return std::nullopt;
  }
  auto writer = sounds.begin_anew(job.id, request.owner);
  if (!writer) return std::nullopt;  // the log has the reason
  return *std::move(writer);
}

}  // namespace server
