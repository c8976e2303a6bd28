#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstddef>
#include <string>

namespace server {

// The form of every --help: what is said of an option or a command ends within `width` columns, and
// goes on below its beginning. Width 0 leaves it in one line, as programs that read it expect.
class HelpForm : public CLI::Formatter {
 public:
  explicit HelpForm(std::size_t width) : width_(width) {}

  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;

 private:
  std::string wrapped(const std::string& description) const;

  std::size_t width_;
};

}  // namespace server
