#include "protocol/docx/transcript_files.h"

#include <gtest/gtest.h>
#include <zip.h>

#include <memory>

#include "protocol/docx/zip_archive.h"

namespace protocol {
namespace {

using docx::zip_archive;
using docx::ZipEntry;

// Returns the names and contents of an archive as libzip reads them.
std::vector<ZipEntry> unpacked(const std::string& bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(
      zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error), zip_discard);
  EXPECT_TRUE(archive) << zip_error_strerror(&error);
  std::vector<ZipEntry> entries;
  for (zip_int64_t i = 0; archive && i < zip_get_num_entries(archive.get(), 0); ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    zip_stat_t facts;
    zip_stat_index(archive.get(), index, 0, &facts);
    std::string content(facts.size, '\0');
    zip_file_t* file = zip_fopen_index(archive.get(), index, 0);
    EXPECT_EQ(zip_fread(file, content.data(), content.size()),
              static_cast<zip_int64_t>(content.size()));
    zip_fclose(file);
    entries.push_back({facts.name, std::move(content)});
  }
  return entries;
}

TEST(ZipArchive, GivesBackWhatWasPacked) {
  const std::vector<ZipEntry> entries{
      {"a/b.xml", "some text"}, {"empty", ""}, {"ü.txt", std::string(100'000, 'x')}};
  const auto bytes = zip_archive(entries);
  ASSERT_TRUE(bytes);
  EXPECT_LT(bytes->size(), 2'000U);
  const auto read = unpacked(*bytes);
  ASSERT_EQ(read.size(), entries.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, entries[i].name);
    EXPECT_EQ(read[i].content, entries[i].content);
  }
}

Transcript talk() {
  Segment segment;
  segment.end = 1;
  segment.text = " Hello.";
  return {.text = " Hello.", .segments = {segment}, .language = "en"};
}

TEST(TranscriptFiles, OfTheSameTranscriptAreTheSameBytes) {
  const auto file = write_transcript_file("docx", talk(), {.recording = "talk"});
  ASSERT_TRUE(file);
  EXPECT_EQ(*file, write_transcript_file("docx", talk(), {.recording = "talk"}).value());
  auto writer = make_file_writer("docx", {.recording = "talk"}).value();
  std::string written = writer->begin({});
  written += writer->segment(talk().segments[0]);
  EXPECT_EQ(written, "");
  EXPECT_EQ(writer->finish(talk()), *file);
}

TEST(TranscriptFiles, AreDocumentsOrTexts) {
  EXPECT_EQ(unpacked(write_transcript_file("docx", talk()).value())[0].name, "[Content_Types].xml");
  EXPECT_EQ(write_transcript_file("txt", talk()).value(), write_transcript("txt", talk()).value());
  EXPECT_EQ(write_transcript_file("doc", talk()).error().code, unknown_format);
  EXPECT_EQ(file_formats().size(), writer_formats().size() + 1);
  EXPECT_EQ(file_formats().back(), "docx");
}

}  // namespace
}  // namespace protocol
