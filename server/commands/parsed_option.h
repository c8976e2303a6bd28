#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/error.h"

namespace server {

// Adds an option whose text `parse` reads into `target`; a parse error becomes a usage error.
template <class T>
CLI::Option* add_parsed(CLI::App& command, const std::string& name, T& target,
                        Result<T> (*parse)(std::string_view), const std::string& help) {
  return command.add_option_function<std::string>(
      name,
      [&target, parse, name](const std::string& text) {
        auto value = parse(text);
        if (!value) {
          const Error& error = value.error();
          throw CLI::ValidationError(
              name, error.fix.empty() ? error.message : error.message + "\n" + error.fix);
        }
        target = *std::move(value);
      },
      help);
}

}  // namespace server
