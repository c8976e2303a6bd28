#include "engine/worker/live_job.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "engine/audio/sample_rate.h"
#include "engine/live/live_listener.h"
#include "engine/live/turn_sounds.h"
#include "engine/vad/silero_vad.h"
#include "engine/worker/diarization.h"
#include "protocol/worker_contract.h"

namespace engine {
namespace {

using protocol::TranscriptEvent;
using protocol::worker::Live;

constexpr auto heard_of_a_turn =
    static_cast<std::size_t>(LiveSpeakers::most_heard_s * sample_rate_hz);

// Returns what listens for speech; empty where Silero is not installed.
Result<ListenForSpeech> speech_ear(const Auxiliary& auxiliary) {
  const auto path = auxiliary.find(protocol::worker::speech_detection);
  auto weights = load_silero(path == auxiliary.end() ? "" : path->second);
  if (!weights && weights.error().code == Errc::not_found) return ListenForSpeech();
  if (!weights) return weights.error();
  auto vad =
      std::make_shared<SileroVad>(std::make_shared<const SileroWeights>(*std::move(weights)));
  return ListenForSpeech([vad](std::span<const float> pcm, std::vector<float>& probabilities) {
    vad->push(pcm, probabilities);
  });
}

// A recording that is only read along has no turns to be told of: until somebody speaks it says how
// far it was heard, and from then on the recogniser does.
protocol::TranscriptSink without_turns(const protocol::TranscriptSink& sink) {
  return [&sink, has_begun = false](const TranscriptEvent& event) mutable {
    has_begun |= std::holds_alternative<protocol::SpeechStarted>(event);
    const auto* progress = std::get_if<protocol::Progress>(&event);
    if (progress != nullptr && !has_begun) sink(protocol::LiveText{progress->position_s, "", ""});
  };
}

// The speaker of a turn is told when its text is, on the recogniser's thread.
Result<Recognized> transcribe_by_speakers(LiveSpeakers& speakers, WorkerModel& model,
                                          const TranscriptionRequest& request,
                                          const protocol::LiveOptions& live, LiveSource& source,
                                          const protocol::TranscriptSink& sink,
                                          const std::stop_token& stop) {
  TurnSounds sounds(source, heard_of_a_turn);
  const protocol::TranscriptSink named = [&](const TranscriptEvent& event) {
    const auto* ended = std::get_if<protocol::TurnEnded>(&event);
    if (ended == nullptr) return sink(event);
    protocol::TurnEnded turn = *ended;
    const std::vector<float> sound = sounds.give_up(turn.turn);
    if (!sound.empty()) turn.speaker = speakers.speaker_of(sound);
    sink(turn);
  };
  return model.recognizer->transcribe_live(request, live, sounds, named, stop);
}

}  // namespace

std::optional<live::Wish> wish_of(Live message) {
  switch (message.wish) {
    case Live::Wish::commit:
      return live::Wish{message.sample, live::Commit{}};
    case Live::Wish::clear:
      return live::Wish{message.sample, live::Clear{}};
    case Live::Wish::configure:
      if (message.settings) return live::Wish{message.sample, *std::move(message.settings)};
  }
  return std::nullopt;
}

Result<Recognized> transcribe_live(const protocol::worker::Transcribe& message,
                                   const TranscriptionRequest& request, int pipe,
                                   WorkerModel& model, LiveWishes& wishes,
                                   const protocol::TranscriptSink& sink,
                                   const std::stop_token& stop) {
  if (!message.live && request.options.diarize) {
    return Error{Errc::invalid_option, "speaker labels need a complete recording",
                 "Save the audio to a file, or leave out diarize."};
  }
  const protocol::LiveOptions live =
      message.live.value_or(protocol::LiveOptions{.turn_detection = std::nullopt});
  auto ear = speech_ear(model.auxiliary);
  if (!ear) return ear.error();
  LiveInput input{.pipe = pipe, .listen = *std::move(ear), .live = live, .tell = sink};
  if (!message.live) input.tell = without_turns(sink);
  const auto speakers = live_speakers(request.options, model, stop);
  if (!speakers) return speakers.error();
  LiveListener listener(std::move(input), wishes, stop);
  if (!*speakers) return model.recognizer->transcribe_live(request, live, listener, sink, stop);
  return transcribe_by_speakers(**speakers, model, request, live, listener, sink, stop);
}

}  // namespace engine
