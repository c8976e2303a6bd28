#include "engine/weights/zip_archive.h"

#include <gtest/gtest.h>

#include "engine/weights/byte_reader.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;

engine::Error zip_error(const std::string& file) {
  return toy::error_of([&] { engine::read_stored_zip(toy::bytes(file)); });
}

TEST(ZipArchive, GivesMembersWithOrWithoutZip64) {
  for (const bool zip64 : {false, true}) {
    const std::string file = toy::zip_file({{"a/b", "hello"}, {"empty", ""}}, zip64);
    const auto members = engine::read_stored_zip(toy::bytes(file));
    ASSERT_EQ(members.size(), 2u) << zip64;
    EXPECT_EQ(engine::as_text(members.at("a/b")), "hello");
    EXPECT_TRUE(members.at("empty").empty());
  }
}

TEST(ZipArchive, FindsTheDirectoryBeforeAComment) {
  const std::string file = toy::zip_file({{"a", "hello"}}) + std::string(1000, 'x');
  EXPECT_EQ(engine::read_stored_zip(toy::bytes(file)).size(), 1u);
}

TEST(ZipArchive, RefusesCompressedMembers) {
  const auto error = zip_error(toy::zip_file({{"a/data.pkl", "hello", 8}}));
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_EQ(error.message, "[weights] zip: a/data.pkl is compressed or encrypted");
}

TEST(ZipArchive, RefusesAMemberThatAppearsTwice) {
  EXPECT_EQ(zip_error(toy::zip_file({{"a", "1"}, {"a", "2"}})).message,
            "[weights] zip: a appears twice");
}

TEST(ZipArchive, TellsTruncationWhereverItHappens) {
  for (const bool zip64 : {false, true}) {
    const std::string file = toy::zip_file({{"a/b", "hello"}, {"c", "world"}}, zip64);
    for (std::size_t size = 0; size < file.size(); ++size) {
      EXPECT_EQ(zip_error(file.substr(0, size)).code, Errc::damaged_model) << size;
    }
  }
}

TEST(ZipArchive, RefusesOffsetsBeyondTheFile) {
  // The last bytes are the directory's offset and the length of the comment.
  std::string file = toy::zip_file({{"a", "hello"}});
  file[file.size() - 4] = '\x7f';
  EXPECT_EQ(zip_error(file).message, "[weights] zip: an offset lies beyond the end of the file");
}

}  // namespace
