#include "protocol/deepgram/adapter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "protocol/error_text.h"
#include "protocol/json_parse.h"

namespace protocol::deepgram {
namespace {

using live::Actions;

constexpr json::Limits message_limits{.depth = 8, .values = 2000};
constexpr std::uint16_t normal = 1000, bad_data = 1008, server_error = 1011;

int sample_bytes(live::SampleType type) {
  return type == live::SampleType::s16le ? 2 : 1;
}

// Channels of a stream in a file format are mixed.
int channels_of(const ListenSettings& settings) {
  return settings.multichannel && settings.raw ? settings.raw->channels : 1;
}

// Returns how much audio an event tells that the session has heard.
double heard_s(const TranscriptEvent& event) {
  if (const auto* look = std::get_if<LiveText>(&event)) return look->heard_s;
  const auto* turn = std::get_if<TurnEnded>(&event);
  return turn ? turn->end_s : 0;
}

Actions schema_error(const std::string& what) {
  return {live::Send{error_message("SchemaError", what)}};
}

// Nothing: it is no list of texts.
std::optional<std::vector<std::string>> texts_of(const nlohmann::json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto& one : list) {
    if (!one.is_string()) return std::nullopt;
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

}  // namespace

DeepgramAdapter::DeepgramAdapter(Setup setup)
    : setup_(std::move(setup)),
      facts_{.request_id = setup_.request_id,
             .created = setup_.created,
             .model = setup_.model,
             .channels = channels_of(setup_.settings)} {
  for (int number = 0; number < facts_.channels; ++number) {
    channels_.emplace_back(facts_, setup_.settings, number);
  }
}

LiveSettings DeepgramAdapter::live_settings() const {
  TurnDetection turns;
  turns.silence_duration_ms =
      setup_.settings.endpointing_ms.value_or(TurnDetection{}.silence_duration_ms);
  LiveSettings settings{.live = {.turn_detection = turns},
                        .language = setup_.settings.language.empty() ? setup_.options.language
                                                                     : setup_.settings.language,
                        .initial_prompt = setup_.options.initial_prompt,
                        .hotwords = hotwords_of(setup_.settings.keyterms)};
  if (settings.hotwords.empty()) settings.hotwords = setup_.options.hotwords;
  return settings;
}

Actions DeepgramAdapter::begin() {
  Actions actions;
  for (int session = 0; session < channels(); ++session) {
    live::Open open{session, setup_.model, setup_.options, live_settings()};
    open.options.diarize = setup_.settings.diarize.value_or(setup_.options.diarize);
    actions.push_back(std::move(open));
  }
  open_ = channels();
  return actions;
}

Actions DeepgramAdapter::receive_text(std::string_view text) {
  if (is_closing_ || is_closed_) return {};
  const auto message = json::parse_object(text, message_limits);
  if (!message) return schema_error(message.error().message + " Send a JSON object with a type.");
  const auto type = message->find("type");
  if (type == message->end() || !type->is_string()) {
    return schema_error(
        "The message has no type. Known are KeepAlive, Finalize, CloseStream and Configure.");
  }
  if (*type == "KeepAlive") return {};
  if (*type == "Finalize") return finalize(*message);
  if (*type == "CloseStream") return close_stream();
  if (*type == "Configure") return configure(*message);
  return schema_error(
      "There is no message of this type. Known are KeepAlive, Finalize, "
      "CloseStream and Configure.");
}

Actions DeepgramAdapter::finalize(const nlohmann::json& message) {
  const auto channel = message.find("channel");
  const bool is_for_all = channel == message.end() || channel->is_null();
  int first = 0, count = channels();
  if (!is_for_all) {
    // Clients send the number, or the pair of number and count that results have.
    const auto& number = channel->is_array() && !channel->empty() ? channel->front() : *channel;
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= channels_.size()) {
      return schema_error(
          "There is no such channel. Name one of the stream, or leave channel out.");
    }
    first = number.get<int>();
    count = 1;
  }
  Actions actions;
  for (int session = first; session < first + count; ++session) {
    actions.push_back(live::Commit{session});
  }
  return actions;
}

Actions DeepgramAdapter::configure(const nlohmann::json& message) {
  auto& keyterms = setup_.settings.keyterms;
  if (const auto given = message.find("keyterms"); given != message.end() && !given->is_null()) {
    auto texts = texts_of(*given);
    if (!texts) return schema_error("The field keyterms must be a list of texts.");
    if (hotwords_of(*texts).size() > most_keyterm_bytes) {
      const std::string most = std::to_string(most_keyterm_bytes);
      return {live::Send{too_many_keyterms_message(
          facts_, "All key terms together may have " + most + " bytes. Send fewer.")}};
    }
    keyterms = *std::move(texts);
  }
  Actions actions;
  for (int session = 0; session < channels(); ++session) {
    actions.push_back(live::Configure{session, live_settings()});
  }
  actions.push_back(live::Send{configured_message(facts_, keyterms)});
  return actions;
}

Actions DeepgramAdapter::receive_bytes(std::string_view bytes) {
  if (is_closing_ || is_closed_) return {};
  // Older clients end their sound so.
  if (bytes.empty()) return close_stream();
  if (!setup_.settings.raw) return {live::Encoded{.bytes = std::string(bytes)}};
  const auto& format = *setup_.settings.raw;
  const auto frame = static_cast<std::size_t>(sample_bytes(format.type) * format.channels);
  const std::string sound = whole_frames_.take(std::string(bytes), frame);
  if (sound.empty()) return {};
  frames_ += static_cast<std::int64_t>(sound.size() / frame);
  Actions actions;
  for (int session = 0; session < channels(); ++session) {
    const int channel = setup_.settings.multichannel ? session : -1;
    actions.push_back(live::Sound{session, format, sound, channel});
  }
  return actions;
}

Actions DeepgramAdapter::tell(int session, const TranscriptEvent& event) {
  Actions actions;
  heard_s_ = std::max(heard_s_, heard_s(event));
  if (!is_closed_) channels_[static_cast<std::size_t>(session)].tell(event, actions);
  return actions;
}

Actions DeepgramAdapter::close_stream() {
  is_closing_ = true;
  Actions actions;
  for (int session = 0; session < channels(); ++session) {
    actions.push_back(live::Finish{session});
  }
  return actions;
}

// Where the server has ended the sound, it says why it closes the connection.
Actions DeepgramAdapter::tell_end(int) {
  if (is_closed_ || --open_ > 0) return {};
  is_closed_ = true;
  const auto& raw = setup_.settings.raw;
  const double duration_s = raw ? static_cast<double>(frames_) / raw->rate : heard_s_;
  Actions actions{live::Send{metadata_message(facts_, duration_s)}};
  if (is_closing_) actions.push_back(live::Close{normal, ""});
  return actions;
}

Actions DeepgramAdapter::tell_failure(int, const Error& error) {
  if (std::exchange(is_closed_, true)) return {};
  return {live::Send{error_message("InternalError", error_text(error))},
          live::Close{server_error, "The transcription has failed."}};
}

Actions DeepgramAdapter::tell_undecodable(int, const Error& error) {
  if (std::exchange(is_closed_, true)) return {};
  const std::string hint =
      setup_.settings.raw
          ? " Leave out the parameters encoding and sample_rate: files contain them."
          : " Raw audio needs the parameters encoding and sample_rate.";
  return {live::Send{error_message("DataError", error_text(error) + hint)},
          live::Close{bad_data, "DATA-0000: The audio cannot be decoded."}};
}

Actions DeepgramAdapter::tell_limit(const Error& error) {
  return {live::Send{error_message("TooManyRequests", error_text(error))}};
}

Actions DeepgramAdapter::tick(double silent_s) {
  if (is_closing_ || is_closed_ || silent_s < longest_silence_s) return {};
  is_closed_ = true;
  return {live::Close{server_error, "NET-0001: no audio and no KeepAlive for 60 s."}};
}

}  // namespace protocol::deepgram
