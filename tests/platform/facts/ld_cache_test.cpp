#include "platform/facts/ld_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "tests/platform/facts/ld_cache_builder.h"

namespace platform {
namespace {

const std::vector<CachedLibrary> entries{
    {"libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1", own_flags},
    {"libcuda.so.1", "/usr/lib/i386-linux-gnu/libcuda.so.1", 0x0003},
    {"libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6", own_flags}};

void expect_entries(const std::vector<CachedLibrary>& libraries) {
  ASSERT_EQ(libraries.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(libraries[i].soname, entries[i].soname);
    EXPECT_EQ(libraries[i].path, entries[i].path);
    EXPECT_EQ(libraries[i].flags, entries[i].flags);
  }
}

TEST(LdCache, ReadsThePresentFormat) {
  expect_entries(parse_ld_cache(build_ld_cache(entries)));
}

TEST(LdCache, ReadsItBehindTheOlderTable) {
  expect_entries(parse_ld_cache(build_double_ld_cache(entries)));
}

TEST(LdCache, KnowsWhatIsForThisProgram) {
  EXPECT_TRUE(fits_this_program(entries[0]));
  EXPECT_FALSE(fits_this_program(entries[1]));
}

TEST(LdCache, GarbageIsNoCache) {
  EXPECT_TRUE(parse_ld_cache("").empty());
  EXPECT_TRUE(parse_ld_cache("glibc-ld.so.cache1.1").empty());
  EXPECT_TRUE(parse_ld_cache(std::string("ld.so-1.7.0\0\1\0\0\0", 16)).empty());
  EXPECT_TRUE(parse_ld_cache(std::string(1000, '\xff')).empty());
}

TEST(LdCache, ACutFileGivesNothingFalse) {
  const auto whole = build_ld_cache(entries);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    for (const auto& library : parse_ld_cache(whole.substr(0, size))) {
      EXPECT_TRUE(library.soname == "libcuda.so.1" || library.soname == "libc.so.6");
      EXPECT_TRUE(library.path.ends_with(library.soname));
    }
  }
}

TEST(LdCache, EntriesThatPointOutsideAreLeftOut) {
  auto bytes = build_ld_cache(entries);
  const std::uint32_t outside = 0xfffffff0;
  std::memcpy(bytes.data() + 48 + 8, &outside, sizeof(outside));  // the first path
  const auto libraries = parse_ld_cache(bytes);
  ASSERT_EQ(libraries.size(), 2U);
  EXPECT_EQ(libraries[0].path, entries[1].path);
}

TEST(LdCache, ACountThatIsTooLargeIsCut) {
  auto bytes = build_ld_cache({entries[0]});
  const std::uint32_t many = 0xffffffff;
  std::memcpy(bytes.data() + 20, &many, sizeof(many));
  const auto libraries = parse_ld_cache(bytes);
  ASSERT_FALSE(libraries.empty());
  EXPECT_EQ(libraries[0].soname, "libcuda.so.1");
}

TEST(LdCache, ReadsTheOneOfThisMachine) {
  std::ifstream file("/etc/ld.so.cache", std::ios::binary);
  if (!file) GTEST_SKIP() << "this system has no /etc/ld.so.cache";
  std::ostringstream bytes;
  bytes << file.rdbuf();
  int fitting = 0;
  for (const auto& library : parse_ld_cache(bytes.str())) {
    EXPECT_TRUE(library.path.starts_with('/')) << library.path;
    fitting += fits_this_program(library);
  }
  EXPECT_GT(fitting, 0);
}

}  // namespace
}  // namespace platform
