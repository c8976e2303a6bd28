#pragma once

#include <string>
#include <vector>

namespace server {

// A table for people: a heading above each column, columns as wide as their widest cell. What
// stands in cells may come from outside, so controls in it are escaped.
class Table {
 public:
  explicit Table(std::vector<std::string> headings) { rows_.push_back(std::move(headings)); }

  // `cells` are as many as the headings.
  void add(const std::vector<std::string>& cells);

  // Returns lines of at most `width` columns, whose last cell is cut where it must be; 0: of any
  // width.
  std::string text(int width) const;

 private:
  std::vector<std::vector<std::string>> rows_{};
};

// Returns the columns of the terminal that stdout is; 0 where it is none.
int table_width();

}  // namespace server
