#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/environment.h"

namespace server {

enum class Style { plain, strong, good, doubtful, bad };

// Returns whether colour helps: on a terminal, and with neither NO_COLOR nor TERM=dumb.
bool wants_colour(int fd, const Environment& environment);

// Text for people: paragraphs and labelled rows, wrapped so that no line is wider than `width`.
class Page {
 public:
  using Mask = std::function<std::string(const std::string&)>;

  struct Form {
    std::size_t width = 80;
    bool coloured = false;
    Mask mask{};  // applied to everything before it is laid out
  };

  explicit Page(Form form) : form_(std::move(form)) {}

  void heading(std::string_view title);  // preceded by an empty line
  void paragraph(std::size_t indent, const std::string& text, Style style = Style::plain);
  // Adds a row with the label in a column of its own and the text beside it, also if it takes
  // several lines.
  void row(std::size_t indent, std::size_t label_width, const std::string& label,
           const std::string& text, Style label_style = Style::plain);

  const std::string& text() const { return text_; }

 private:
  std::string masked(const std::string& text) const;
  std::string styled(std::string_view text, Style style) const;

  Form form_;
  std::string text_{};
};

// Splits `text` into lines of at most `width` characters (code points), broken at spaces; a longer
// word is cut, after a slash if it has one. The result is never empty: no text is one empty
// line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace server
