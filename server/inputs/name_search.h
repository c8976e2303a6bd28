#pragma once

#include <string>
#include <string_view>

namespace server {

// Searches names of files for a text; letters of ASCII match in either case. A search takes linear
// time, whatever both texts are: both are a client's, and there are thousands of names.
class NameSearch {
 public:
  explicit NameSearch(std::string_view text);

  // Returns whether the name contains the text; an empty text is in every name.
  bool matches(std::string_view name) const;

 private:
  std::string text_;  // in lower case
};

}  // namespace server
