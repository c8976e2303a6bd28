#include "server/commands/other_programs.h"

#include <algorithm>
#include <array>

namespace server {
namespace {

// A line's words, with spaces between them, that mean the same.
struct Guess {
  std::string_view line;
  std::string_view words;
  std::string_view instead;
};

constexpr std::array guesses{
    Guess{"scribed serve", "--port -p --host -H --bind -b --address --addr",
          "Use --listen ADDRESS:PORT, as in --listen 127.0.0.1:9000."},
    Guess{"scribed serve", "--api-key --key --token",
          "Set SCRIBED_API_KEY, or name a file of keys with --key-file FILE."},
    Guess{"scribed serve", "--workers -w", "Use --set jobs.parallel=NUMBER."},
    Guess{"scribed serve", "--detach -d --daemon",
          "Run it as a service: systemctl enable --now scribed, or in a container."},
    Guess{"scribed serve", "--verbose -v --debug", "Use --log-level debug."},
    Guess{"scribed serve", "-m", "Use --model MODEL."},
    Guess{"scribed serve", "--gpu --gpus --cuda", "Use --device cuda."},
    Guess{"scribed serve", "--model-dir --models-dir --download-root --data-dir",
          "Set SCRIBED_DATA_DIR: models are in its folder models."},
    Guess{"scribed transcribe", "--url", "Use curl -L 'URL' | scribed transcribe -"},
    Guess{"scribed transcribe", "-m", "Use --model MODEL."},
    Guess{"scribed transcribe", "-l --lang", "Use --language LANGUAGE."},
    Guess{"scribed transcribe", "-t -p --processors", "Use --threads NUMBER."},
    Guess{"scribed transcribe", "-d --gpu --cuda", "Use --device cuda."},
    Guess{"scribed transcribe", "--fp16 --half", "Use --compute-type float16, or float32."},
    Guess{"scribed transcribe", "--verbose -v", "Progress is shown; --quiet hides it."},
    Guess{"scribed transcribe", "--model-dir --download-root",
          "Give the path of a model with --model, or set SCRIBED_DATA_DIR."},
    Guess{"scribed transcribe", "--translate -tr", "Use --task translate."},
    Guess{"scribed transcribe", "--vad", "Use --vad-filter true."},
    Guess{"scribed transcribe", "--diarization --speaker-labels --speakers", "Use --diarize true."},
    Guess{"scribed transcribe", "--prompt", "Use --initial-prompt TEXT."},
    Guess{"scribed transcribe", "--file -i --input", "Name the file without an option."},
    Guess{"scribed transcribe", "--output-file", "Use --output FILE."},
    Guess{"scribed", "run", "Use scribed transcribe FILE, or scribed serve."},
    Guess{"scribed", "pull install download fetch", "Use scribed models pull NAME."},
    Guess{"scribed", "list ls images", "Use scribed models list."},
    Guess{"scribed", "rm remove delete", "Use scribed models rm NAME, or scribed jobs delete ID."},
    Guess{"scribed", "inspect info", "Use scribed models show NAME, or scribed jobs show ID."},
    Guess{"scribed", "log logs", "Use journalctl -u scribed, or the file of log.file."},
    Guess{"scribed", "start server daemon up web ui", "Use scribed serve."},
    Guess{"scribed", "stop restart down",
          "Use systemctl, or end scribed serve with Ctrl-C or SIGTERM."},
    Guess{"scribed", "live stream mic listen record",
          "Use scribed transcribe --live -, or the page of scribed serve."},
    Guess{"scribed", "translate", "Use scribed transcribe --task translate FILE."},
    Guess{"scribed", "login", "Use scribed keys add NAME."},
};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::string instead_of(std::string_view line, std::string_view word) {
  const auto found = std::ranges::find_if(guesses, [&](const Guess& guess) {
    return guess.line == line && has_word(guess.words, word);
  });
  return found == guesses.end() ? std::string() : std::string(found->instead);
}

}  // namespace server
