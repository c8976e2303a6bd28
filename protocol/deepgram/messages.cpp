#include "protocol/deepgram/messages.h"

#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "protocol/text_rules.h"

namespace protocol::deepgram {
namespace {

using protocol::json::dump;
using protocol::json::seconds;

Json channel_index(const StreamFacts& facts, int channel) {
  return Json::array({channel, facts.channels});
}

Json alternative_of(const ChannelResult& result) {
  std::string text;
  for (const auto& word : result.words) text += word.word;
  text += result.tail;
  Json alternative{{"transcript", strip(text)},
                   {"confidence", json::score(confidence_of(result.words))},
                   {"words", words_json(result.words)}};
  for (auto& word : alternative["words"]) {
    if (result.speaker) word["speaker"] = *result.speaker;
  }
  if (!result.language.empty()) alternative["languages"] = Json::array({result.language});
  return alternative;
}

Json model_info(const StreamFacts& facts) {
  return {{"request_id", facts.request_id},
          {"model_info", {{"name", facts.model}, {"version", ""}, {"arch", "whisper"}}},
          {"model_uuid", facts.model}};
}

}  // namespace

std::string results_message(const StreamFacts& facts, const ChannelResult& result) {
  // The difference of rounded times keeps ranges without gaps for those who add.
  const double start = seconds(result.start);
  Json message{{"type", "Results"},
               {"channel_index", channel_index(facts, result.channel)},
               {"duration", seconds(seconds(result.end) - start)},
               {"start", start},
               {"is_final", result.is_final},
               {"speech_final", result.speech_final},
               {"from_finalize", result.from_finalize}};
  message["channel"]["alternatives"] = Json::array({alternative_of(result)});
  message["metadata"] = model_info(facts);
  return dump(message);
}

std::string speech_started_message(const StreamFacts& facts, int channel, double at_s) {
  return dump(Json{{"type", "SpeechStarted"},
                   {"channel", channel_index(facts, channel)},
                   {"timestamp", seconds(at_s)}});
}

std::string utterance_end_message(const StreamFacts& facts, int channel, double last_word_end_s) {
  return dump(Json{{"type", "UtteranceEnd"},
                   {"channel", channel_index(facts, channel)},
                   {"last_word_end", seconds(last_word_end_s)}});
}

std::string metadata_message(const StreamFacts& facts, double duration_s) {
  return dump(Json{{"type", "Metadata"},
                   {"transaction_key", "deprecated"},
                   {"request_id", facts.request_id},
                   {"sha256", ""},
                   {"created", facts.created},
                   {"duration", seconds(duration_s)},
                   {"channels", facts.channels}});
}

std::string error_message(std::string_view variant, std::string_view description) {
  return dump(Json{{"type", "Error"},
                   {"variant", variant},
                   {"description", description},
                   {"message", description}});
}

std::string configured_message(const StreamFacts& facts, std::span<const std::string> keyterms) {
  Json list = Json::array();
  for (const auto& term : keyterms) list.push_back(term);
  return dump(Json{{"type", "ConfigureSuccess"},
                   {"request_id", facts.request_id},
                   {"keyterms", std::move(list)}});
}

std::string too_many_keyterms_message(const StreamFacts& facts, std::string_view description) {
  return dump(Json{{"type", "ConfigureFailure"},
                   {"request_id", facts.request_id},
                   {"code", "CONFIGURE_KEYTERM_LIMIT_EXCEEDED"},
                   {"description", description}});
}

}  // namespace protocol::deepgram
