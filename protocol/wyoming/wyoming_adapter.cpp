#include "protocol/wyoming/wyoming_adapter.h"

#include <utility>
#include <vector>

#include "protocol/error_text.h"

namespace protocol::wyoming {
namespace {

using live::Actions;

constexpr std::uint16_t protocol_error = 1002;
constexpr std::uint16_t server_error = 1011;
constexpr std::uint16_t normal_end = 1000;

live::Send sent(const Message& message) {
  return {.bytes = encode(message)};
}

void send_all(const std::vector<Message>& messages, Actions& actions) {
  for (const auto& message : messages) actions.emplace_back(sent(message));
}

Message error_message(const std::string& text, const std::string& code) {
  return {.type = "error", .data = {{"text", text}, {"code", code}}};
}

}  // namespace

Actions WyomingAdapter::receive_bytes(std::string_view bytes) {
  Actions actions;
  if (is_closed_) return actions;
  reader_.append(bytes);
  while (!is_closed_) {
    auto message = reader_.next();
    if (!message) {
      refuse(message.error(), actions);
      break;
    }
    if (!*message) break;
    take(**std::move(message), actions);
  }
  return actions;
}

void WyomingAdapter::take(Message message, Actions& actions) {
  if (message.type == "describe") {
    actions.emplace_back(sent(info_message(settings_.info)));
  } else if (message.type == "ping") {
    actions.emplace_back(sent({.type = "pong", .data = std::move(message.data)}));
  } else if (message.type == "transcribe") {
    wish_ = read_wish(message.data);
  } else if (message.type == "audio-start") {
    start(message, actions);
  } else if (message.type == "audio-chunk") {
    take_sound(std::move(message), actions);
  } else if (message.type == "audio-stop") {
    stop(actions);
  }
}

void WyomingAdapter::start(const Message& message, Actions& actions) {
  abandon(actions);
  whole_frames_.drop();
  ignores_sound_ = false;
  const auto format = read_format(message.data, {});
  if (!format) return refuse(format.error(), actions);
  format_ = *format;
}

void WyomingAdapter::take_sound(Message message, Actions& actions) {
  if (ignores_sound_) return;
  const auto format = read_format(message.data, format_);
  if (!format) return refuse(format.error(), actions);
  const auto frame = static_cast<std::size_t>(bytes_of_frame(*format));
  std::string sound = whole_frames_.take(std::move(message.payload), frame);
  if (sound.empty()) return;
  if (!current_) open(actions);
  if (is_closed_) return;
  const double seconds = static_cast<double>(sound.size() / frame) / format->rate;
  const double in_all = utterances_.at(*current_).count(seconds);
  actions.emplace_back(
      live::Sound{.session = *current_, .format = *format, .bytes = std::move(sound)});
  if (in_all >= max_utterance_s) finish(actions);
}

void WyomingAdapter::open(Actions& actions) {
  if (open_.size() >= most_pending) {
    return refuse({bad_message, "Too many utterances are queued for transcription.",
                   "Wait for a transcript before you send more."},
                  actions);
  }
  int number = 0;
  while (open_.contains(number)) ++number;
  open_.insert(number);
  current_ = number;
  utterances_.emplace(*current_, Utterance());
  actions.emplace_back(live::Open{.session = *current_,
                                  .model = wish_.model,
                                  .options = settings_.options,
                                  .settings = live_settings()});
}

LiveSettings WyomingAdapter::live_settings() const {
  const TranscribeOptions& usual = settings_.options;
  LiveSettings settings{.live = settings_.live,
                        .language = wish_.language.empty() ? usual.language : wish_.language,
                        .initial_prompt = usual.initial_prompt,
                        .hotwords = wish_.hotwords.empty() ? usual.hotwords : wish_.hotwords};
  auto& turns = settings.live.turn_detection;
  if (settings_.info.requires_external_vad) {
    turns.reset();
  } else {
    turns = settings_.live.turn_detection.value_or(TurnDetection{});
    turns->silence_duration_ms = wish_.silence_ms;
  }
  return settings;
}

void WyomingAdapter::stop(Actions& actions) {
  whole_frames_.drop();
  if (current_) {
    actions.emplace_back(live::Finish{.session = *current_});
    current_.reset();
  } else if (!ignores_sound_) {
    send_all(Utterance().finish(), actions);
  }
  ignores_sound_ = false;
  wish_ = {};
}

// Forgets the utterance at hand: its client begins anew.
void WyomingAdapter::abandon(Actions& actions) {
  if (!current_) return;
  actions.emplace_back(live::Clear{.session = *current_});
  actions.emplace_back(live::Finish{.session = *current_});
  utterances_.erase(*current_);
  current_.reset();
}

// Ends the utterance at hand before its audio-stop.
void WyomingAdapter::finish(Actions& actions) {
  actions.emplace_back(live::Finish{.session = *current_});
  current_.reset();
  ignores_sound_ = true;
}

void WyomingAdapter::refuse(const Error& error, Actions& actions) {
  is_closed_ = true;
  const std::string text = error_text(error);
  actions.emplace_back(sent(error_message(text, error.code)));
  actions.emplace_back(live::Close{.code = protocol_error, .reason = text});
}

Actions WyomingAdapter::tell(int session, const TranscriptEvent& event) {
  Actions actions;
  const auto utterance = utterances_.find(session);
  if (utterance == utterances_.end()) return actions;
  if (const auto* words = std::get_if<LiveWords>(&event)) {
    send_all(utterance->second.add(*words), actions);
  }
  if (const auto* turn = std::get_if<TurnEnded>(&event)) return turn_ended(session, *turn);
  return actions;
}

Actions WyomingAdapter::turn_ended(int session, const TurnEnded& turn) {
  Actions actions;
  Utterance& utterance = utterances_.at(session);
  utterance.add(turn);
  const bool is_command = !settings_.info.requires_external_vad && utterance.has_text();
  if (!is_command || utterance.is_sealed()) return actions;
  utterance.seal();
  if (current_ == session) finish(actions);
  return actions;
}

Actions WyomingAdapter::tell_end(int session) {
  Actions actions;
  open_.erase(session);
  const auto utterance = utterances_.find(session);
  if (utterance == utterances_.end()) return actions;
  send_all(utterance->second.finish(), actions);
  utterances_.erase(utterance);
  // The server ends its sound: nobody wants the rest of it.
  if (current_ == session) {
    current_.reset();
    ignores_sound_ = true;
  }
  return actions;
}

Actions WyomingAdapter::tell_failure(int session, const Error& error) {
  open_.erase(session);
  if (!utterances_.contains(session)) return {};
  is_closed_ = true;
  Actions actions;
  actions.emplace_back(sent(error_message(error_text(error), error.code)));
  actions.emplace_back(live::Close{.code = server_error, .reason = error.code});
  return actions;
}

Actions WyomingAdapter::tick(double silent_s) {
  Actions actions;
  const double most = current_ ? max_pause_s : max_idle_s;
  const bool waits_for_us = !current_ && !utterances_.empty();
  if (is_closed_ || waits_for_us || silent_s < most) return actions;
  is_closed_ = true;
  actions.emplace_back(live::Close{.code = normal_end, .reason = "nothing came"});
  return actions;
}

}  // namespace protocol::wyoming
