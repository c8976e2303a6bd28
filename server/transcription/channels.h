#pragma once

#include "server/transcription/transcription.h"

namespace server {

// As transcribe(), but each of the first two channels of the input, a file, by itself: with a
// decoder and a job of its own, which the worker runs beside each other. Segments come in the order
// of their starts and tell their channel, 0 or 1.
asio::awaitable<Result<void>> transcribe_channels(const std::filesystem::path& decoder_program,
                                                  ModelWorker& worker, TranscriptionRequest request,
                                                  protocol::Transcript& transcript,
                                                  TranscriptionEvents& events);

}  // namespace server
