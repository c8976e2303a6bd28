#include "protocol/wyoming/utterance.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "protocol/languages.h"

namespace protocol::wyoming {
namespace {

// As much as a form may have; the model takes less.
constexpr std::size_t max_hotword_bytes = 8192;

std::string text_in(const nlohmann::json& data, const char* name) {
  const auto found = data.find(name);
  return found != data.end() && found->is_string() ? found->get<std::string>() : "";
}

// "en-US" is English: Whisper knows no regions.
std::string code_of(const std::string& name) {
  auto code = language_code(name);
  if (!code) code = language_code(name.substr(0, name.find_first_of("-_")));
  return std::string(code.value_or(""));
}

void add_hotwords(const nlohmann::json& data, const char* name, std::string& hotwords) {
  const auto found = data.find(name);
  if (found == data.end() || !found->is_array()) return;
  for (const auto& item : *found) {
    if (!item.is_string()) continue;
    const auto& word = item.get_ref<const std::string&>();
    if (word.empty() || hotwords.size() + word.size() + 2 > max_hotword_bytes) continue;
    if (!hotwords.empty()) hotwords += ", ";
    hotwords += word;
  }
}

// These are Home Assistant's own times.
int silence_for(const std::string& sensitivity) {
  if (sensitivity == "relaxed") return 1250;
  return sensitivity == "aggressive" ? 250 : 700;
}

// Returns a whole number; nothing: it is none, or outside of the limits.
std::optional<int> number_in(const nlohmann::json& data, const char* name, int usual, int least,
                             int most) {
  const auto found = data.find(name);
  if (found == data.end() || found->is_null()) return usual;
  if (!found->is_number_integer()) return std::nullopt;
  const auto value = found->get<std::int64_t>();
  if (value < least || value > most) return std::nullopt;
  return static_cast<int>(value);
}

constexpr std::array types_by_width{live::SampleType::s8, live::SampleType::s16le,
                                    live::SampleType::s24le, live::SampleType::s32le};

int width_of(live::SampleType type) {
  const auto found = std::ranges::find(types_by_width, type);
  return static_cast<int>(found - types_by_width.begin()) + 1;
}

Error wrong_sound(const char* what) {
  return {bad_message, std::string("The sound's ") + what + "."};
}

}  // namespace

Wish read_wish(const nlohmann::json& data) {
  // A longer name is nobody's, and would be looked for and sent back.
  constexpr std::size_t most_name_bytes = 255;
  Wish wish{.model = text_in(data, "name").substr(0, most_name_bytes),
            .language = code_of(text_in(data, "language")),
            .silence_ms = silence_for(text_in(data, "vad_sensitivity"))};
  add_hotwords(data, "transcript_names", wish.hotwords);
  add_hotwords(data, "transcript_terms", wish.hotwords);
  return wish;
}

Result<live::SoundFormat> read_format(const nlohmann::json& data, const live::SoundFormat& usual) {
  const auto rate = number_in(data, "rate", usual.rate, 4000, 192'000);
  if (!rate) return wrong_sound("rate must be from 4000 to 192000");
  const auto width = number_in(data, "width", width_of(usual.type), 1, 4);
  if (!width) return wrong_sound("width must be 1, 2, 3 or 4 bytes");
  const auto channels = number_in(data, "channels", usual.channels, 1, 8);
  if (!channels) return wrong_sound("channels must be from 1 to 8");
  const auto type = types_by_width[static_cast<std::size_t>(*width - 1)];
  return live::SoundFormat{.type = type, .rate = *rate, .channels = *channels};
}

int bytes_of_frame(const live::SoundFormat& format) {
  return width_of(format.type) * format.channels;
}

void Utterance::begin(std::vector<Message>& messages) {
  if (std::exchange(is_told_, true)) return;
  messages.push_back({.type = "transcript-start"});
}

std::vector<Message> Utterance::add(const LiveWords& words) {
  std::string text;
  for (const auto& word : words.words) text += word.word;
  if (!has_chunk_ && text.starts_with(' ')) text.erase(0, 1);
  if (text.empty() || is_sealed_) return {};
  has_chunk_ = true;
  std::vector<Message> messages;
  begin(messages);
  messages.push_back({.type = "transcript-chunk", .data = {{"text", text}}});
  return messages;
}

void Utterance::add(const TurnEnded& turn) {
  if (is_sealed_ || turn.text.empty()) return;
  const bool has_space = turn.words.empty() || turn.words.front().word.starts_with(' ');
  if (!text_.empty() && has_space) text_ += ' ';
  text_ += turn.text;
  language_ = turn.language;
}

std::vector<Message> Utterance::finish() {
  std::vector<Message> messages;
  begin(messages);
  Message transcript{.type = "transcript", .data = {{"text", text_}}};
  if (!language_.empty()) transcript.data["language"] = language_;
  messages.push_back(std::move(transcript));
  messages.push_back({.type = "transcript-stop"});
  return messages;
}

}  // namespace protocol::wyoming
