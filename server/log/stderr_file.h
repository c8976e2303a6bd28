#pragma once

#include <sys/types.h>

#include <string>

namespace server {

// The file that stderr goes to, where it goes to one. Whoever rotates logs renames it and sends
// SIGHUP: from then on lines belong into a new file of the old name.
class StderrFile {
 public:
  StderrFile();

  // Nothing happens where stderr is no file. False: there can be none of that name, and the old one
  // stays.
  bool reopen() const;

 private:
  std::string path_{};  // empty: stderr is no file
  mode_t mode_ = 0;
};

}  // namespace server
