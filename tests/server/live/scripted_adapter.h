#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/live/adapter.h"

namespace server::test {

// Returns so many seconds of sound in which somebody speaks, or of silence: s16le, 16 kHz.
inline std::string sound_of(double seconds, bool is_loud = true) {
  std::string bytes;
  for (int i = 0; i < static_cast<int>(seconds * 16'000); ++i) {
    bytes += is_loud ? (i % 2 == 0 ? std::string("\x00\x40", 2) : std::string("\x00\xc0", 2))
                     : std::string(2, '\0');
  }
  return bytes;
}

// An interface of one session, whose frames are words: "open PROMPT", "commit", "clear", "keep",
// "finish", "say TEXT" (is sent back), "close". Its sound is s16le with 16 kHz and `channels`. What
// it is told becomes frames such as "turn 1 0.0-2.0 w1 w2".
class ScriptedAdapter final : public protocol::live::Adapter {
 public:
  // Without a format the sound is a stream of a file format.
  explicit ScriptedAdapter(
      std::optional<protocol::live::SoundFormat> format = protocol::live::SoundFormat())
      : format_(format) {}

  protocol::live::Actions begin() override { return say("hello"); }

  protocol::live::Actions receive_text(std::string_view text) override {
    namespace live = protocol::live;
    const auto is = [&](std::string_view word) { return text.starts_with(word); };
    if (is("open")) {
      live::Open open;
      open.settings.live.turn_detection.emplace();
      if (text.size() > 5) open.settings.hotwords = text.substr(5);
      return {open};
    }
    if (is("commit")) return {live::Commit{}};
    if (is("clear")) return {live::Clear{}};
    if (is("keep")) return {live::Keep{.title = "Talk"}};
    if (is("finish")) return {live::Finish{}};
    if (is("say")) return say(std::string(text.substr(4)));
    if (is("close")) return {live::Close{4000, "as you like"}};
    return {};
  }
  protocol::live::Actions receive_bytes(std::string_view bytes) override {
    namespace live = protocol::live;
    if (!format_) return {live::Encoded{.bytes = std::string(bytes)}};
    return {live::Sound{.format = *format_, .bytes = std::string(bytes)}};
  }

  protocol::live::Actions tell(int, const protocol::TranscriptEvent& event) override {
    if (const auto* started = std::get_if<protocol::SpeechStarted>(&event)) {
      return say(fmt::format("started {} {:.1f}", started->turn, started->start_s));
    }
    if (const auto* words = std::get_if<protocol::LiveWords>(&event)) {
      return say(fmt::format("words {}{}", words->turn, words->words.front().word));
    }
    if (const auto* turn = std::get_if<protocol::TurnEnded>(&event)) {
      return say(fmt::format("turn {} {:.1f}-{:.1f} {}", turn->turn, turn->start_s, turn->end_s,
                             turn->text));
    }
    return {};
  }
  protocol::live::Actions tell_end(int) override { return say("end"); }
  protocol::live::Actions tell_failure(int, const protocol::Error& error) override {
    return say("failed " + error.code);
  }
  protocol::live::Actions tell_undecodable(int, const protocol::Error& error) override {
    auto actions = say("undecodable " + error.code);
    actions.push_back(protocol::live::Close{4001, "the bytes are no audio"});
    return actions;
  }
  protocol::live::Actions tell_kept(int, const protocol::Result<std::string>& job) override {
    return say(job ? "kept " + *job : "not kept: " + job.error().code);
  }
  protocol::live::Actions tell_shutdown() override { return say("shutdown"); }
  protocol::live::Actions tell_limit(const protocol::Error& error) override {
    return say("limit " + error.code);
  }

 private:
  static protocol::live::Actions say(std::string text) {
    return {protocol::live::Send{std::move(text)}};
  }

  std::optional<protocol::live::SoundFormat> format_;
};

}  // namespace server::test
