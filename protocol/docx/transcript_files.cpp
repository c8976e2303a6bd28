#include "protocol/docx/transcript_files.h"

#include <utility>
#include <vector>

#include "protocol/docx/document.h"

namespace protocol {
namespace {

docx::DocumentOptions document_options(const WriterOptions& options) {
  return {.title = options.recording, .channel_labels = options.channel_labels};
}

// A document is packed as a whole when all of it is known.
class DocxWriter final : public Writer {
 public:
  explicit DocxWriter(WriterOptions options) : options_(std::move(options)) {}

  std::string begin(const WriterMeta&) override { return {}; }
  std::string segment(const Segment&) override { return {}; }
  std::string finish(const Transcript& transcript) override {
    return write_docx(transcript, document_options(options_)).value();
  }

 private:
  WriterOptions options_;
};

}  // namespace

Result<std::string> write_docx(const Transcript& transcript, const docx::DocumentOptions& options) {
  return docx::zip_archive(docx::document_files(transcript, options));
}

std::span<const std::string_view> file_formats() {
  static const std::vector<std::string_view> formats = [] {
    std::vector<std::string_view> all(writer_formats().begin(), writer_formats().end());
    all.push_back(docx_format);
    return all;
  }();
  return formats;
}

Result<std::unique_ptr<Writer>> make_file_writer(std::string_view format,
                                                 const WriterOptions& options) {
  if (format == docx_format) return std::make_unique<DocxWriter>(options);
  return make_writer(format, options);
}

Result<std::string> write_transcript_file(std::string_view format, const Transcript& transcript,
                                          const WriterOptions& options) {
  if (format == docx_format) return write_docx(transcript, document_options(options));
  return write_transcript(format, transcript, options);
}

}  // namespace protocol
