#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/transcript.h"

// These functions write the answers of OpenAI's audio API (openai-openapi, Audio; specification
// 2.3.0).
namespace protocol::openai {

using Json = nlohmann::ordered_json;

// Returns the text as the API gives it, without the space that Whisper puts in front.
std::string plain_text(const Transcript& transcript);

// Returns {"type": "duration", "seconds": …} with whole seconds, as OpenAI charges them.
Json usage(double duration);

// Returns {"type": "tokens", "input_tokens": …, "output_tokens": …, "total_tokens": …}: the
// encoder's positions of the audio, 50 a second, and the tokens of the text.
Json token_usage(const Transcript& transcript);

// Parts of an answer that only OpenAI's models other than whisper-1 have.
struct ModelParts {
  bool tokens = false;     // usage is in tokens; that of verbose_json never is
  bool languages = false;  // the languages of the audio, as [{"code": "en"}]
};

// Writes response_format=verbose_json. `language` is the English name: "english". Words stand
// beside the segments, not in them; each of the two, and the log probabilities, only if it was
// asked for. A segment has a language, a code, only if each window was transcribed in its own, a
// channel, 0 or 1, only if channels were transcribed separately, and a speaker only if somebody has
// told who speaks, be it by the labels of channels. `warnings` is left out if there are none.
struct VerboseParts {
  bool segments = true;
  bool words = false;
  bool logprobs = false;
};
std::string verbose_text(const Transcript& transcript, std::string_view language,
                         VerboseParts parts, std::span<const std::string> channel_labels = {},
                         ModelParts model = {});

// Writes response_format=json; of `parts` only the log probabilities count.
std::string short_text(const Transcript& transcript, VerboseParts parts = {},
                       ModelParts model = {});

// Writes the last event of a stream of verbose_json: the same body, and OpenAI's fields of a
// transcript.text.done, whose usage is in tokens.
std::string verbose_done_text(const Transcript& transcript, std::string_view language,
                              VerboseParts parts, std::span<const std::string> channel_labels = {},
                              ModelParts model = {});

// Writes response_format=diarized_json: segments with their speakers, "" where nobody is known.
std::string diarized_text(const Transcript& transcript);

// Writes the log probabilities of tokens, which include[]=logprobs asks for, as an array that goes
// into a body or an event as its `logprobs`. A token that is a part of a character has U+FFFD as
// its text, and its own bytes.
Json logprobs(std::span<const Segment> segments);

// These write the events of stream=true: the joined deltas are the text of the last event, which
// has what response_format=json has, and its usage in tokens.
Json delta_event(std::string_view delta);
Json segment_event(const Segment& segment);  // of diarized_json; a delta with its id precedes it
// `logprobs` are those of all deltas; they are added if `parts` has them.
std::string done_text(const Transcript& transcript, VerboseParts parts = {}, ModelParts model = {},
                      const Json& logprobs = Json::array());

// Writes an error. `type` is "invalid_request_error" and the like. `parameter` and `code` are null
// if they are empty.
Json error_body(std::string_view message, std::string_view type, std::string_view parameter,
                std::string_view code);

struct Model {
  std::string id{};
  long long created = 0;  // seconds since 1970
};
Json model_body(const Model& model);
Json model_list(const std::vector<Model>& models);

}  // namespace protocol::openai
