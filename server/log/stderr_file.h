#pragma once

#include <sys/types.h>

#include <string>

namespace server {

// The file that stderr goes to, if it goes to one. Whoever rotates logs renames it and sends
// SIGHUP: from then on lines belong into a new file of the old name.
class StderrFile {
 public:
  StderrFile();

  // Opens the new file; does nothing if stderr is no file. False: no file of that name can be
  // made, and the old one stays.
  bool reopen() const;

 private:
  std::string path_{};  // empty: stderr is no file
  mode_t mode_ = 0;
};

}  // namespace server
