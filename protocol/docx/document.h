#pragma once

#include <string>
#include <vector>

#include "protocol/docx/zip_archive.h"
#include "protocol/transcript.h"

namespace protocol::docx {

struct DocumentOptions {
  std::string title{};
  std::vector<std::string> channel_labels{};  // as in WriterOptions
  bool times = true;                          // before each paragraph
};

// Returns the files of a transcript as an Office Open XML text document: its title, and paragraphs
// with who speaks and when. A speaker's text is cut where there is a pause, and where it gets long.
// Arabic, Hebrew and other such scripts run from right to left.
std::vector<ZipEntry> document_files(const Transcript& transcript, const DocumentOptions& options);

}  // namespace protocol::docx
