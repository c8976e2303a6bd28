#include "protocol/jigasi/adapter.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "protocol/languages.h"
#include "protocol/text_rules.h"

namespace protocol::jigasi {
namespace {

using live::Actions;

constexpr std::uint16_t normal = 1000;
constexpr double variance_of_partial = 0.5;
constexpr std::size_t sample_bytes = 2;

}  // namespace

std::optional<SoundFrame> read_frame(std::string_view frame) {
  if (frame.size() < header_bytes) return std::nullopt;
  auto header = frame.substr(0, header_bytes);
  header = header.substr(0, header.find('\0'));
  const auto bar = header.rfind('|');
  const auto name = header.substr(0, bar);
  if (name.empty()) return std::nullopt;
  SoundFrame read{.participant = std::string(name)};
  if (bar != header.npos) {
    const auto tag = header.substr(bar + 1);
    read.language = language_code(tag.substr(0, tag.find_first_of("-_"))).value_or("");
  }
  read.sound = frame.substr(header_bytes);
  return read;
}

LiveSettings JigasiAdapter::live_settings(const std::string& language) const {
  return {.language = language.empty() ? setup_.options.language : language,
          .initial_prompt = setup_.options.initial_prompt,
          .hotwords = setup_.options.hotwords};
}

std::optional<std::size_t> JigasiAdapter::free_number() {
  const auto over = std::ranges::find_if(participants_, &Participant::is_over);
  const auto number = static_cast<std::size_t>(over - participants_.begin());
  if (over != participants_.end()) return number;
  if (participants_.size() >= most_participants) return std::nullopt;
  participants_.emplace_back();
  return number;
}

std::optional<int> JigasiAdapter::session_of(const SoundFrame& frame, Actions& actions) {
  const auto now = setup_.milliseconds_now();
  // Who has left and comes back gets another session, while the text of the old one is awaited.
  const auto found = std::ranges::find_if(participants_, [&](const Participant& one) {
    return one.name == frame.participant && !one.has_left;
  });
  if (found == participants_.end()) {
    const auto number = free_number();
    if (!number) return std::nullopt;
    participants_[*number] = {
        .name = frame.participant, .language = frame.language, .heard_ms = now};
    const int session = static_cast<int>(*number);
    actions.push_back(
        live::Open{session, setup_.model, setup_.options, live_settings(frame.language)});
    return session;
  }
  found->heard_ms = now;
  const int session = static_cast<int>(found - participants_.begin());
  if (found->language != frame.language) {
    found->language = frame.language;
    actions.push_back(live::Configure{session, live_settings(frame.language)});
  }
  return session;
}

Actions JigasiAdapter::receive_text(std::string_view) {
  return {};
}

Actions JigasiAdapter::receive_bytes(std::string_view bytes) {
  if (is_closing_) return {};
  if (bytes.size() == 1) return end();
  auto frame = read_frame(bytes);
  if (!frame) return {};
  Actions actions;
  const auto session = session_of(*frame, actions);
  if (!session) return actions;
  auto& whole_frames = participants_[static_cast<std::size_t>(*session)].whole_frames;
  std::string sound = whole_frames.take(std::move(frame->sound), sample_bytes);
  if (!sound.empty()) {
    actions.push_back(live::Sound{*session, live::SoundFormat{}, std::move(sound)});
  }
  return actions;
}

Actions JigasiAdapter::end() {
  is_closing_ = true;
  if (std::ranges::all_of(participants_, &Participant::is_over)) return {live::Close{normal, ""}};
  Actions actions;
  for (std::size_t number = 0; number < participants_.size(); ++number) {
    if (std::exchange(participants_[number].has_left, true)) continue;
    actions.push_back(live::Finish{static_cast<int>(number)});
  }
  return actions;
}

// Jigasi does not tell who leaves a conference: nothing more is heard of them.
Actions JigasiAdapter::tick(double) {
  const auto now = setup_.milliseconds_now();
  Actions actions;
  for (std::size_t number = 0; number < participants_.size(); ++number) {
    Participant& participant = participants_[number];
    if (participant.has_left || now - participant.heard_ms < most_silence_ms) continue;
    participant.has_left = true;
    actions.push_back(live::Finish{static_cast<int>(number)});
  }
  return actions;
}

std::string JigasiAdapter::answer(Participant& participant, const std::string& text, bool is_final,
                                  double probability) {
  if (participant.turn.id.empty()) {
    participant.turn.id = setup_.new_id();
    participant.turn.begun_ms = setup_.milliseconds_now();
  }
  // Jigasi casts the variance to a float, which a number without a decimal point is not.
  return json::dump(nlohmann::ordered_json{{"id", participant.turn.id},
                                           {"participant_id", participant.name},
                                           {"ts", participant.turn.begun_ms},
                                           {"text", text},
                                           {"audio", ""},
                                           {"type", is_final ? "final" : "partial"},
                                           {"variance", json::score(probability)}});
}

Actions JigasiAdapter::tell(int session, const TranscriptEvent& event) {
  const auto number = static_cast<std::size_t>(session);
  Participant& participant = participants_[number];
  if (const auto* words = std::get_if<LiveWords>(&event)) {
    auto& known = participant.turn.words;
    known.insert(known.end(), words->words.begin(), words->words.end());
  }
  if (const auto* live = std::get_if<LiveText>(&event)) {
    std::string text;
    for (const auto& word : participant.turn.words) text += word.word;
    text = strip(text + live->tail);
    if (text.empty() || text == participant.turn.shown) return {};
    participant.turn.shown = text;
    std::string sent = answer(participant, text, false, variance_of_partial);
    return {live::Send{std::move(sent), "partial " + participant.turn.id}};
  }
  if (const auto* turn = std::get_if<TurnEnded>(&event)) {
    Actions actions;
    const std::string text(strip(turn->text));
    // A turn without words takes back what was shown of it.
    if (!text.empty() || !participant.turn.shown.empty()) {
      actions.push_back(live::Send{answer(participant, text, true, std::exp(turn->avg_logprob))});
    }
    participant.turn = {};
    return actions;
  }
  return {};
}

// Closes the connection where it is to end, and nobody is left who has something to say.
Actions JigasiAdapter::end_of(int session) {
  participants_[static_cast<std::size_t>(session)].is_over = true;
  const bool are_all_over = std::ranges::all_of(participants_, &Participant::is_over);
  if (!is_closing_ || !are_all_over) return {};
  return {live::Close{normal, ""}};
}

// Where the server ends, it ends sessions of which this adapter has not told the end.
Actions JigasiAdapter::tell_end(int session) {
  participants_[static_cast<std::size_t>(session)].has_left = true;
  return end_of(session);
}

// The session begins anew with the participant's next sound. Jitsi has no message of failures.
Actions JigasiAdapter::tell_failure(int session, const Error&) {
  auto& participant = participants_[static_cast<std::size_t>(session)];
  participant.turn = {};
  return participant.has_left ? end_of(session) : Actions{};
}

}  // namespace protocol::jigasi
