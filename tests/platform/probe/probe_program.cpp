// The child's side as a program of its own: scribed-probe-test probe KIND [FOLDER…], as `scribed`
// offers it. It appends a line with KIND to the file that $SCRIBED_PROBE_LOG names, so that a test
// can count the questions.
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "platform/probe/probe.h"

int main(int count, char** arguments) {
  if (count < 3 || std::string(arguments[1]) != "probe") return 64;
  if (const char* log = std::getenv("SCRIBED_PROBE_LOG")) {
    std::ofstream(log, std::ios::app) << arguments[2] << '\n';
  }
  return platform::run_probe(arguments[2], {arguments + 3, arguments + count}, STDOUT_FILENO);
}
