#include "server/commands/help_form.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "server/commands/page.h"

namespace server {

std::string HelpForm::wrapped(const std::string& description) const {
  constexpr std::size_t narrowest = 20;  // below it lines would be torn to single words
  if (width_ < column_width_ + narrowest) return description;
  return fmt::format("{}", fmt::join(wrap(description, width_ - column_width_), "\n"));
}

std::string HelpForm::make_option_opts(const CLI::Option* option) const {
  std::string shown = CLI::Formatter::make_option_opts(option);
  // A limit of CLI11 names the type once more: INT:INT in [0 - 1024].
  for (const std::string type : {"INT", "FLOAT"}) {
    const auto twice = shown.find(type + ":" + type + " ");
    if (twice != shown.npos) shown.erase(twice, type.size() + 1);
  }
  return shown;
}

std::string HelpForm::make_option_desc(const CLI::Option* option) const {
  return wrapped(CLI::Formatter::make_option_desc(option));
}

std::string HelpForm::make_subcommand(const CLI::App* command) const {
  std::ostringstream line;
  CLI::detail::format_help(line, command->get_display_name(true),
                           wrapped(command->get_description()), column_width_);
  return line.str();
}

}  // namespace server
