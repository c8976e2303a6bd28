#pragma once

#include <gtest/gtest.h>

#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/base64.h"
#include "protocol/openai/realtime/adapter.h"

// A conversation with an adapter as text: lines with ">" are what the client sends, with "!" what
// the session tells or the clock does, with "<" the frames for the client, and with "=" the actions
// for the session. Items are called A, B … in the order in which they are first named.
namespace protocol::openai::realtime {

class Script {
 public:
  explicit Script(RealtimeSetup setup = {}) : adapter_(completed(std::move(setup))) {}

  // Runs the lines with ">" and "!" and returns them with all that they have led to.
  std::string run(const std::string& script) {
    std::istringstream lines(script);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '<' || line[0] == '=') continue;
      text += line + "\n" + written(perform(line));
    }
    return text;
  }

  RealtimeAdapter& adapter() { return adapter_; }
  void pass(double seconds) { now_ += seconds; }

  // Returns the frames among the actions.
  static std::vector<Json> frames(const live::Actions& actions) {
    std::vector<Json> list;
    for (const auto& action : actions) {
      if (const auto* send = std::get_if<live::Send>(&action)) {
        list.push_back(Json::parse(send->bytes));
      }
    }
    return list;
  }

  static std::string append(std::size_t bytes) {
    return R"({"type":"input_audio_buffer.append","audio":")" +
           encode_base64(std::string(bytes, '\0')) + "\"}";
  }

 private:
  RealtimeSetup completed(RealtimeSetup setup) {
    setup.seed = "test";
    if (setup.config.model.empty()) setup.config.model = "base";
    setup.find_model = [](const std::string& name) -> Result<std::string> {
      if (name == "base") return name;
      if (name == "whisper-1" || name.starts_with("gpt-")) return "";
      return Error{"unknown_model", "there is no model named '" + name + "'", "Use base."};
    };
    setup.now = [this] { return now_; };
    return setup;
  }

  live::Actions perform(const std::string& line) {
    const std::string what = with_ids(line.substr(2));
    std::istringstream words(what);
    std::string name;
    words >> name;
    if (line[0] == '>') {
      if (name != "sound") return adapter_.receive_text(what);
      std::size_t ms = 0;
      words >> ms;
      return adapter_.receive_text(append(ms * bytes_per_ms));
    }
    if (name == "begin") return adapter_.begin();
    if (name == "end") return adapter_.tell_end(0);
    if (name == "shutdown") return adapter_.tell_shutdown();
    if (name == "limit") return adapter_.tell_limit({"too_much_sound", "It is used up", "Wait."});
    if (name == "fail") return adapter_.tell_failure(0, {"worker_died", "It died.", "Wait."});
    if (name == "tick") {
      double passed = 0, silent = 0;
      words >> passed >> silent;
      now_ += passed;
      return adapter_.tick(silent);
    }
    if (name == "kept") return adapter_.tell_kept(0, std::string("job_1"));
    if (name == "unkept")
      return adapter_.tell_kept(0, Error("out_of_disk", "It is full.", "Wait."));
    return adapter_.tell(0, event_of(name, words));
  }

  // "{A}" stands for the id of A.
  std::string with_ids(std::string text) const {
    for (const auto& [id, letter] : letters_) {
      const std::string name{'{', static_cast<char>(letter), '}'};
      const auto place = text.find(name);
      if (place != text.npos) text.replace(place, name.size(), id);
    }
    return text;
  }

  static TranscriptEvent event_of(const std::string& name, std::istringstream& words) {
    int turn = 0;
    double time = 0;
    if (name == "silence") {
      Progress progress;
      words >> progress.position_s;
      return progress;
    }
    if (name == "look") {
      LiveText look;
      words >> look.heard_s >> std::quoted(look.tail);
      return look;
    }
    words >> turn >> time;
    if (name == "started") return SpeechStarted{turn, time};
    if (name == "stopped") return SpeechStopped{turn, time};
    std::string text, speaker;
    if (name == "words") {
      words >> std::quoted(text);
      return LiveWords{turn, {Word{time, time + 0.2, text, 0.5, 1}}};
    }
    TurnEnded ended{.turn = turn, .start_s = time};
    std::string cause;
    words >> ended.end_s >> cause >> std::quoted(ended.text) >> ended.speaker;
    const std::map<std::string, TurnCause> causes{{"silence", TurnCause::silence},
                                                  {"client", TurnCause::client},
                                                  {"limit", TurnCause::limit},
                                                  {"end", TurnCause::end}};
    ended.cause = causes.at(cause);
    return ended;
  }

  std::string written(const live::Actions& actions) {
    std::string text;
    for (const auto& action : actions) {
      text += std::visit([this](const auto& one) { return line_of(one); }, action) + "\n";
    }
    return text;
  }

  static std::string settings_of(const LiveSettings& settings) {
    std::string text = " language=" + settings.language + " silence=";
    const auto& turns = settings.live.turn_detection;
    if (!turns) return text + "none";
    text += std::to_string(turns->silence_duration_ms);
    if (turns->unfinished_silence_ms) text += "/" + std::to_string(*turns->unfinished_silence_ms);
    return text;
  }
  static std::string line_of(const live::Open& open) {
    return "= open " + (open.model.empty() ? "default" : open.model) + settings_of(open.settings);
  }
  static std::string line_of(const live::Sound& sound) {
    return "= sound " + std::to_string(sound.bytes.size());
  }
  static std::string line_of(const live::Encoded&) { return "= encoded"; }
  static std::string line_of(const live::Commit&) { return "= commit"; }
  static std::string line_of(const live::Clear&) { return "= clear"; }
  static std::string line_of(const live::Configure& configure) {
    return "= configure" + settings_of(configure.settings);
  }
  static std::string line_of(const live::Keep& keep) {
    return "= keep " + (keep.model.empty() ? "default" : keep.model) + " \"" + keep.title + "\"";
  }
  static std::string line_of(const live::Finish&) { return "= finish"; }
  static std::string line_of(const live::Close& close) {
    return "= close " + std::to_string(close.code);
  }

  // Of sessions and items only the name is written: their shapes have tests of their own.
  std::string line_of(const live::Send& send) {
    const Json frame = Json::parse(send.bytes);
    std::string text = "< " + frame["type"].get<std::string>();
    for (const auto& [name, value] : frame.items()) {
      if (name == "type" || name == "event_id" || name == "session") continue;
      if (name == "content_index") continue;
      if (name == "error") {
        text += " " + value["code"].dump();
        if (value.contains("event_id")) text += " " + value["event_id"].dump();
        continue;
      }
      const Json& shown = name == "item" ? value["id"] : value;
      text += " " + (name.ends_with("item_id") || name == "item" ? letter_of(shown) : shown.dump());
    }
    return text;
  }

  std::string letter_of(const Json& id) {
    if (id.is_null()) return "-";
    const auto [place, is_new] = letters_.emplace(id.get<std::string>(), 'A' + letters_.size());
    return std::string(1, static_cast<char>(place->second));
  }

  static constexpr std::size_t bytes_per_ms = 48;  // 16 bits at 24 kHz

  double now_ = 1'000'000;
  std::map<std::string, std::size_t> letters_{};
  RealtimeAdapter adapter_;
};

inline void expect_script(const std::string& script, RealtimeSetup setup = {}) {
  Script client(std::move(setup));
  const std::string expected = script.substr(script.find_first_not_of('\n'));
  EXPECT_EQ(client.run(script), expected);
}

}  // namespace protocol::openai::realtime
