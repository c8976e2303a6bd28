#include "server/models/manifest.h"

#include <gtest/gtest.h>

#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

Manifest example() {
  return {"base",
          "safetensors",
          "hub",
          "openai/whisper-base@abc",
          "2026-01-31T12:00:00Z",
          {{"n_mels", 80}, {"n_vocab", 51865}},
          {{"config.json", 3, "aa"}, {"model.safetensors", 290403936, "bb"}}};
}

TEST(Manifest, IsWrittenThoughThePathItCameFromIsNoUtf8) {
  const testing::TemporaryFolder folder;
  Manifest from_path = example();
  from_path.origin = "/models/caf\xe9";
  testing::write(folder.path() / manifest_file, manifest_text(from_path));
  const auto manifest = read_manifest(folder.path());
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->origin, "/models/caf\xEF\xBF\xBD");
}

TEST(Manifest, ReadsWhatItWrote) {
  const testing::TemporaryFolder folder;
  testing::write(folder.path() / manifest_file, manifest_text(example()));
  const auto manifest = read_manifest(folder.path());
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->name, "base");
  EXPECT_EQ(manifest->format, "safetensors");
  EXPECT_EQ(manifest->source, "hub");
  EXPECT_EQ(manifest->origin, "openai/whisper-base@abc");
  EXPECT_EQ(manifest->installed, "2026-01-31T12:00:00Z");
  EXPECT_EQ(manifest->dims, example().dims);
  EXPECT_EQ(manifest->files, example().files);
  EXPECT_EQ(manifest->total_size(), 290403939u);
}

TEST(Manifest, RefusesWhatItCannotUse) {
  std::string outside = manifest_text(example());
  outside.replace(outside.find("config.json"), 11, "../../x.json");
  std::string newer = manifest_text(example());
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 2");
  for (const std::string& text : {std::string(), std::string("{"), std::string("[]"),
                                  std::string("{\"version\": \"1\"}"), outside, newer}) {
    const testing::TemporaryFolder folder;
    testing::write(folder.path() / manifest_file, text);
    const auto manifest = read_manifest(folder.path());
    ASSERT_FALSE(manifest) << text;
    EXPECT_EQ(manifest.error().code, StoreErrc::damaged);
    EXPECT_NE(manifest.error().message.find(manifest_file), std::string::npos);
  }
}

}  // namespace
}  // namespace server
