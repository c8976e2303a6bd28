#pragma once

#include "server/transcription/transcription.h"

namespace server {

// As transcribe(), but each of the first two channels of the input, a file, by itself: with a
// decoder, a job and options (request.channels) of its own, which the worker runs beside each
// other. Segments come in the order of their starts and tell their channel, 0 or 1. A recording of
// one channel is an error, and channels that are left out are a warning.
asio::awaitable<Result<void>> transcribe_channels(Decoders& decoders, ModelWorker& worker,
                                                  TranscriptionRequest request,
                                                  protocol::Transcript& transcript,
                                                  protocol::TranscriptSink sink);

}  // namespace server
