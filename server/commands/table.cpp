#include "server/commands/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "server/commands/columns.h"
#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr char gap[] = "  ";

std::string cut_line(const std::string& line, int width) {
  if (width <= 0 || columns(line) <= width) return line;
  return std::string(first_columns(line, width - 1)) + "…";
}

}  // namespace

void Table::add(const std::vector<std::string>& cells) {
  std::vector<std::string> row;
  for (const auto& cell : cells) row.push_back(printable_line(cell));
  rows_.push_back(std::move(row));
}

std::string Table::text(int width) const {
  const std::size_t last = rows_.front().size() - 1;
  std::vector<int> widths(last + 1, 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i <= last; ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < last; ++i) {
      line +=
          row[i] + std::string(static_cast<std::size_t>(widths[i] - columns(row[i])), ' ') + gap;
    }
    line += row[last];
    line.erase(line.find_last_not_of(' ') + 1);
    text += cut_line(line, width) + "\n";
  }
  return text;
}

int table_width() {
  winsize size{};
  const bool is_terminal = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_terminal ? size.ws_col : 0;
}

}  // namespace server
