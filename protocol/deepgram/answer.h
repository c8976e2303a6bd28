#pragma once

#include <string>

#include "protocol/deepgram/listen_settings.h"
#include "protocol/deepgram/words.h"
#include "protocol/transcript.h"

namespace protocol::deepgram {

// What an answer tells beside the transcript.
struct AnswerFacts {
  std::string request_id{};
  std::string created{};  // "2026-11-22T16:00:00.000Z"
  std::string sha256{};   // of the recording's bytes, in hex; empty: unknown
};

// Writes the answer of POST /v1/listen. Segments have their words; with `multichannel` they name
// the channel, of which there are two.
Json listen_answer(const Transcript& transcript, const ListenSettings& settings,
                   const AnswerFacts& facts);

// Returns the header of a WAV file of unknown length that raw sound can stand behind.
std::string wav_header(const live::SoundFormat& format);

}  // namespace protocol::deepgram
