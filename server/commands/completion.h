#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// A word that a shell may insert.
struct Candidate {
  std::string text;
  std::string description{};
};

struct Completion {
  std::vector<Candidate> candidates{};
  bool files = false;  // names of files fit as well, and shells complete those
};

// Returns values of a kind that complete() does not know: the type name of an option ("MODEL"), or
// the name of a positional.
using ValueSource = std::function<std::vector<Candidate>(std::string_view kind)>;

// Returns what the last of `words`, which may be empty, can become. The words are those after the
// name of the program; as bash splits them, "--format=srt" may be three. Everything is read from
// `app`, so what a command takes is declared once.
Completion complete(const CLI::App& app, const std::vector<std::string>& words,
                    const ValueSource& values);

}  // namespace server
