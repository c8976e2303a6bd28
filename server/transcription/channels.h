#pragma once

#include "server/transcription/transcription.h"

namespace server {

// Transcribes each of the first two channels of the input, a file, separately: with a decoder, a
// job and options (request.channels) of its own, which the worker runs beside each other. Segments
// come in the order of their starts and name their channel, 0 or 1. A recording of one channel is
// transcribed as it is, with a warning; channels that are left out are a warning, too. All else is
// as in transcribe().
asio::awaitable<Result<void>> transcribe_channels(Decoders& decoders, ModelWorker& worker,
                                                  TranscriptionRequest request,
                                                  protocol::Transcript& transcript,
                                                  protocol::TranscriptSink sink);

}  // namespace server
