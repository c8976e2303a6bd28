#include "protocol/docx/zip_archive.h"

#include <zip.h>

#include <cstring>
#include <memory>
#include <vector>

namespace protocol::docx {
namespace {

constexpr zip_uint16_t first_day = (0 << 9) | (1 << 5) | 1;  // 1980-01-01, the first that zip has

struct Discard {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
struct Free {
  void operator()(zip_source_t* source) const noexcept { zip_source_free(source); }
};

Error failed(const char* what) {
  return {"internal", std::string("the document could not be packed: ") + what, ""};
}

bool add(zip_t* archive, const ZipEntry& entry) {
  zip_source_t* source =
      zip_source_buffer(archive, entry.content.data(), entry.content.size(), /*freep=*/0);
  if (source == nullptr) return false;
  const auto index = zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  const auto number = static_cast<zip_uint64_t>(index);
  return zip_file_set_dostime(archive, number, 0, first_day, 0) == 0 &&
         zip_set_file_compression(archive, number, ZIP_CM_DEFLATE, 6) == 0;
}

// Returns what was written into the source.
Result<std::string> content_of(zip_source_t* source) {
  zip_stat_t facts;
  zip_stat_init(&facts);
  if (zip_source_stat(source, &facts) != 0 || zip_source_open(source) != 0) return failed("read");
  std::string bytes(facts.size, '\0');
  const auto got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(bytes.size())) return failed("read");
  return bytes;
}

}  // namespace

Result<std::string> zip_archive(std::span<const ZipEntry> entries) {
  zip_error_t error;
  zip_error_init(&error);
  const std::unique_ptr<zip_source_t, Free> target(
      zip_source_buffer_create(nullptr, 0, /*freep=*/0, &error));
  if (!target) return failed(zip_error_strerror(&error));
  std::unique_ptr<zip_t, Discard> archive(
      zip_open_from_source(target.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive) return failed(zip_error_strerror(&error));
  zip_source_keep(target.get());  // the archive owns one reference, and we the other
  for (const auto& entry : entries) {
    if (!add(archive.get(), entry)) return failed(zip_strerror(archive.get()));
  }
  if (zip_close(archive.get()) != 0) return failed(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // zip_close() has freed it
  return content_of(target.get());
}

}  // namespace protocol::docx
