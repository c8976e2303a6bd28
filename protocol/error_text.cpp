#include "protocol/error_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace protocol {
namespace {

bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

// A first word with other characters than letters is a name, and so is that of the program.
bool begins_with_a_word(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(" ,:"));
  return std::ranges::all_of(first, is_small) && first != "scribed";
}

bool has_end_mark(std::string_view text) {
  constexpr std::string_view ends = ".!?:";
  return ends.find(text.back()) != ends.npos || text.ends_with("…");
}

// Returns what to do about an error of scribed, a worker or a disk; empty: the code does not say.
std::string_view usual_fix(std::string_view code) {
  constexpr std::array fixes{
      std::pair{"cancelled", "Send the request again if you still need the text."},
      std::pair{"internal", "Read the log of scribed, and try again."},
      std::pair{"io_error", "Read the log of scribed, and check its disk."},
      std::pair{"out_of_memory", "Try again later, or use a smaller model."},
      std::pair{"read_failed", "Send the recording again."}};
  const auto found =
      std::ranges::find_if(fixes, [code](const auto& fix) { return fix.first == code; });
  return found == fixes.end() ? "" : found->second;
}

}  // namespace

std::string whole_sentence(std::string_view text) {
  std::string sentence(text);
  if (sentence.empty()) return sentence;
  if (begins_with_a_word(text) && is_small(sentence.front())) sentence.front() -= 'a' - 'A';
  if (!has_end_mark(text)) sentence += '.';
  return sentence;
}

std::string error_text(const Error& error) {
  const std::string message = whole_sentence(error.message);
  if (message.ends_with(':')) return message + " " + error.fix;  // a list follows
  const std::string fix = whole_sentence(error.fix.empty() ? usual_fix(error.code) : error.fix);
  return message.empty() || fix.empty() ? message + fix : message + " " + fix;
}

}  // namespace protocol
