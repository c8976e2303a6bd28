#include "server/models/import.h"

#include <gtest/gtest.h>

#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

struct NameCase {
  const char* path;
  const char* name;
};

TEST(SuggestedName, IsThatOfTheModel) {
  constexpr NameCase cases[] = {
      {"downloads/base.pt", "base"},
      {"ggml-small.en.bin", "small.en"},
      {"ggml-base-q5_0.bin", "base-q5_0"},
      {"mine/model.bin", "mine"},
      {"faster-whisper-tiny/model.safetensors", "tiny"},
      {"my-fine-tune.pt", "my-fine-tune"},
      {"mine/model.fp16.safetensors", "mine"},
      {"mine/pytorch_model.bin.index.json", "mine"},
      {"mine/adapter_model.safetensors", "mine"},
  };
  for (const auto& [path, name] : cases) EXPECT_EQ(suggested_name(path), name) << path;
}

TEST(SuggestedName, OfAFolderIsTheFolders) {
  const testing::TemporaryFolder folder;
  testing::write(folder.path() / "whisper-medium.en" / "model.bin", "x");
  EXPECT_EQ(suggested_name(folder.path() / "whisper-medium.en"), "medium.en");
  EXPECT_EQ(suggested_name(folder.path() / "whisper-medium.en" / ""), "medium.en");
}

TEST(ImportModel, LeavesNothingBehindWhenItRefuses) {
  testing::TemporaryStore here;
  const testing::TemporaryFolder folder;
  testing::write(folder.path() / "base.pt", "no model");
  const auto imported = import_model(here.store(), folder.path() / "base.pt", {}, {});
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().code, StoreErrc::invalid_model);
  EXPECT_FALSE(std::filesystem::exists(here.root()));
}

}  // namespace
}  // namespace server
