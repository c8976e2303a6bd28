#pragma once

#include <optional>
#include <stop_token>

#include "engine/live/live_wishes.h"
#include "engine/worker/worker_model.h"
#include "protocol/transcript_event.h"

namespace engine {

// Returns what a message of the daemon wants; nothing where it makes no sense: a change without
// settings.
std::optional<live::Wish> wish_of(protocol::worker::Live message);

// Transcribes a pipe while it is filled. A session (`live`) has turns, whose events go to `sink`
// from two threads, and with `diarize` their speakers. A recording that is only read along
// (`live_chunk` alone) has neither: its sound is one turn from the first speech on. Fails as
// LiveSource and the model do, and with invalid_option or not_found where speakers cannot be told.
Result<Recognized> transcribe_live(const protocol::worker::Transcribe& message,
                                   const TranscriptionRequest& request, int pipe,
                                   WorkerModel& model, LiveWishes& wishes,
                                   const protocol::TranscriptSink& sink,
                                   const std::stop_token& stop);

}  // namespace engine
