#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/json_fields.h"
#include "protocol/transcribe_options.h"

// The one table of decoding options. The messages between processes, the command line, the forms of
// REST, the tools of MCP, OpenAPI, the configuration and its documentation are made of it, so an
// option is a field of TranscribeOptions, a row here, and the code that follows it.
namespace protocol {

namespace json {

template <>
inline constexpr std::array names<Task> = {"transcribe", "translate"};
template <>
inline constexpr std::array names<LongForm> = {"auto", "sequential", "parallel"};
template <>
inline constexpr std::array names<Fallback> = {"best", "openai"};
template <>
inline constexpr std::array names<EncoderWindow> = {"auto", "full", "short"};
template <>
inline constexpr std::array names<SubtitleStyle> = {"default", "netflix", "bbc", "whisper"};

template <>
inline constexpr auto fields<KnownSpeaker> =
    std::tuple{Field{"name", &KnownSpeaker::name}, Field{"clip", &KnownSpeaker::clip}};

}  // namespace json

template <class T>
using OptionField = T TranscribeOptions::*;

// The field of an option; its default is that of a new TranscribeOptions.
using OptionMember =
    std::variant<OptionField<bool>, OptionField<int>, OptionField<std::uint64_t>,
                 OptionField<double>, OptionField<std::optional<int>>,
                 OptionField<std::optional<double>>, OptionField<std::string>,
                 OptionField<std::vector<std::string>>, OptionField<std::vector<double>>,
                 OptionField<std::vector<KnownSpeaker>>, OptionField<Task>, OptionField<LongForm>,
                 OptionField<Fallback>, OptionField<EncoderWindow>, OptionField<SubtitleStyle>>;

// The interfaces that offer an option. Messages between processes carry all options anyway.
struct Offered {
  bool on_command_line = false;  // --beam-size
  bool in_forms = false;         // beam_size of REST
  bool in_tools = false;         // tools of MCP, where each word takes room in a model's context
  bool in_settings = false;      // transcription.beam_size: the daemon's default
};

struct Option {
  std::string_view name{};  // "beam_size"
  OptionMember member{};
  std::string_view help{};   // one sentence without its full stop
  std::string_view group{};  // its heading in --help
  Offered offered{};
  std::string_view since = "0.1.0";                       // the first version that has it
  double min = -std::numeric_limits<double>::infinity();  // for numbers, inclusive
  double max = std::numeric_limits<double>::infinity();
  std::string_view alias{};  // its name in forms and tools, if they follow OpenAI's

  std::string_view client_name() const { return alias.empty() ? name : alias; }
  bool may_be_unset() const;  // by "none"
};

std::span<const Option> option_table();

// Returns nullptr if there is no such option.
const Option* find_option(std::string_view name);

// Describes the allowed values: "one of best, openai", "a whole number from 1 to 100, or none".
std::string allowed_values(const Option& option);

// Returns "beam_size must be a whole number from 1 to 100" for the first option beyond its limits;
// empty if all are within.
std::string option_problem(const TranscribeOptions& options);

// Returns the option's value on the wire: an unset optional is null.
nlohmann::ordered_json option_value(const Option& option, const TranscribeOptions& options);

// Returns false if the value has another type or is beyond the option's limits; `options` is
// then unchanged.
bool set_option_value(const Option& option, const nlohmann::json& value,
                      TranscribeOptions& options);

// json_fields.h writes and reads all options by these functions.
nlohmann::ordered_json fields_of(const TranscribeOptions& options);
void read_fields(json::Reader& reader, const nlohmann::json& json, const std::string& path,
                 TranscribeOptions& options);

}  // namespace protocol
