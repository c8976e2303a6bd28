#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "protocol/docx/document.h"
#include "protocol/writers.h"

// The formats of writers.h, and docx beside them, which is no text.
namespace protocol {

inline constexpr std::string_view docx_format = "docx";
inline constexpr char docx_type[] =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

// Returns the formats of writer_formats(), and docx. The name is also the file's extension.
std::span<const std::string_view> file_formats();

// These do what make_writer() and write_transcript() do. A docx is written by finish() as a whole,
// which throws where there is no memory for it.
Result<std::unique_ptr<Writer>> make_file_writer(std::string_view format,
                                                 const WriterOptions& options = {});
Result<std::string> write_transcript_file(std::string_view format, const Transcript& transcript,
                                          const WriterOptions& options = {});

Result<std::string> write_docx(const Transcript& transcript, const docx::DocumentOptions& options);

}  // namespace protocol
