#include "server/commands/form_fields.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

#include "server/commands/speaker_options.h"

namespace server {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

// Options that are about this command and not about the transcription.
constexpr std::array<std::string_view, 17> local_options{"FILE",
                                                         "server",
                                                         "api-key-file",
                                                         "config",
                                                         "format",
                                                         "output",
                                                         "keep-partial",
                                                         "skip-existing",
                                                         "quiet",
                                                         "json",
                                                         "highlight-words",
                                                         "max-line-width",
                                                         "max-line-count",
                                                         "webhook",
                                                         "priority",
                                                         "max-words-per-line",
                                                         "help"};

// Decoding options that forms have, and that the table does not offer them because they read them
// in a way of OpenAI's own.
constexpr std::array<std::string_view, 4> openai_options{"language", "languages", "multilingual",
                                                         "task"};

std::string option_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : option.get_lnames().front();
}

void add_list(Fields& fields, const std::string& name, const std::string& text) {
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) fields.emplace_back(name + "[]", item);
}

// Returns false for an option that forms do not have.
bool add_decoding_field(Fields& fields, std::string name, const std::string& text) {
  std::ranges::replace(name, '-', '_');
  const protocol::Option* option = protocol::find_option(name);
  if (option == nullptr || !is_in_forms(*option)) return false;
  if (name == "languages") {
    add_list(fields, name, text);
  } else {
    fields.emplace_back(option->client_name(), text);
  }
  return true;
}

bool add_field(Fields& fields, const std::string& name, const std::string& text) {
  if (name == "model" || name == "channels" || name == "timeline") {
    fields.emplace_back(name, text);
  } else if (name == "audio-track" || name == "track") {
    fields.emplace_back("audio_track", text);
  } else if (name == "channel-labels") {
    add_list(fields, "channel_labels", text);
  } else if (name == "temperature" && text.find(',') == text.npos) {
    fields.emplace_back(name, text);
  } else {
    return add_decoding_field(fields, name, text);
  }
  return true;
}

}  // namespace

bool is_in_forms(const protocol::Option& option) {
  return option.offered.in_forms ||
         std::ranges::find(openai_options, option.name) != openai_options.end();
}

Result<Fields> form_fields(const CLI::App& command) {
  Fields fields;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option_name(*option);
    if (option->count() == 0 || std::ranges::find(local_options, name) != local_options.end()) {
      continue;
    }
    if (name == "speaker") {
      auto speakers = speaker_fields(option->results());
      if (!speakers) return speakers.error();
      std::ranges::move(*speakers, std::back_inserter(fields));
      continue;
    }
    if (add_field(fields, name, option->results().back())) continue;
    const std::string& value = option->results().back();
    const bool is_list = name == "temperature";
    return Error{errc::usage,
                 is_list ? "--temperature " + value + ": a server takes one temperature"
                         : "--" + name + " cannot be asked of a server",
                 "Leave it out, or transcribe on this machine."};
  }
  return fields;
}

}  // namespace server
