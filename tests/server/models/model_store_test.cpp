#include "server/models/model_store.h"

#include <gtest/gtest.h>

#include "server/models/install_lock.h"
#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryStore;

TEST(ModelStore, ListsWhatIsInstalled) {
  TemporaryStore here;
  EXPECT_TRUE(here.store().list().models.empty()) << "a store that does not exist yet is empty";
  ASSERT_TRUE(here.install("tiny", "t"));
  ASSERT_TRUE(here.install("base", "b"));
  fs::create_directories(here.root() / "half");
  const auto listing = here.store().list();
  ASSERT_EQ(listing.models.size(), 2u);
  EXPECT_EQ(listing.models[0].manifest.name, "base");
  ASSERT_EQ(listing.broken.size(), 1u);
  EXPECT_NE(listing.broken[0].message.find("half"), std::string::npos);
}

TEST(ModelStore, ResolvesNamesAndAliases) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("large-v3-turbo", "t"));
  for (const char* name : {"large-v3-turbo", "turbo", "openai/whisper-large-v3-turbo"}) {
    const auto location = here.store().resolve(name);
    ASSERT_TRUE(location) << name;
    EXPECT_EQ(location->name, "large-v3-turbo");
    EXPECT_EQ(location->path, here.root() / "large-v3-turbo");
  }
}

TEST(ModelStore, TakesWhatTellsWhereSpeechIsForNoModelToTranscribeWith) {
  TemporaryStore here;
  for (const bool installed : {false, true}) {
    if (installed) {
      ASSERT_TRUE(here.install("silero-vad", "v"));
    }
    EXPECT_EQ(here.store().find_whole("silero-vad").has_value(), installed);
    EXPECT_TRUE(here.store().list().models.empty());
    const auto location = here.store().resolve("silero");
    ASSERT_FALSE(location);
    EXPECT_EQ(location.error().code, StoreErrc::invalid_model);
    EXPECT_NE(location.error().message.find("cannot transcribe"), std::string::npos);
  }
}

TEST(ModelStore, ResolvesPathsOfFilesAndFolders) {
  TemporaryStore here;
  const testing::TemporaryFolder folder;
  testing::write(folder.path() / "mine" / "model.pt", "x");
  const auto file = here.store().resolve((folder.path() / "mine" / "model.pt").string());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->name, "model.pt");
  const auto inside = here.store().resolve((folder.path() / "mine" / "").string());
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->name, "mine");
  EXPECT_TRUE(fs::equivalent(inside->path, folder.path() / "mine"));
}

struct MissingCase {
  const char* name;
  StoreErrc code;
  const char* fix;
};

TEST(ModelStore, SaysWhatToDoAboutAMissingModel) {
  const MissingCase cases[] = {
      {"base", StoreErrc::not_installed, "scribed models pull base"},
      {"turbo", StoreErrc::not_installed, "scribed models pull large-v3-turbo"},
      {"bsae", StoreErrc::unknown_model, "Did you mean base"},
      {"smal.en", StoreErrc::unknown_model, "small.en"},
      {"no/such/file.pt", StoreErrc::unknown_model, "scribed models list"},
      {"../tiny", StoreErrc::unknown_model, "scribed models list"},
      {"", StoreErrc::unknown_model, "scribed models list"},
  };
  TemporaryStore here;
  EXPECT_EQ(here.store().find("huge").error().message, "there is no model named 'huge'");
  EXPECT_EQ(here.store().resolve("huge").error().message, "there is no model or path named 'huge'");
  for (const auto& wanted : cases) {
    const auto location = here.store().resolve(wanted.name);
    ASSERT_FALSE(location) << wanted.name;
    EXPECT_EQ(location.error().code, wanted.code) << wanted.name;
    EXPECT_NE(location.error().fix.find(wanted.fix), std::string::npos) << location.error().fix;
  }
}

TEST(ModelStore, NamesATruncatedFile) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "weights"));
  fs::resize_file(here.root() / "base" / "model.bin", 3);
  const auto location = here.store().resolve("base");
  ASSERT_FALSE(location);
  EXPECT_EQ(location.error().code, StoreErrc::damaged);
  EXPECT_NE(location.error().message.find("model.bin: expected 7 bytes, found 3 bytes"),
            std::string::npos)
      << location.error().message;
  EXPECT_NE(location.error().fix.find("scribed models pull base --force"), std::string::npos);
}

TEST(ModelStore, NamesAFileThatIsGone) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "weights"));
  fs::remove(here.root() / "base" / "model.bin");
  const auto location = here.store().resolve("base");
  ASSERT_FALSE(location);
  EXPECT_EQ(location.error().code, StoreErrc::damaged);
  EXPECT_NE(location.error().message.find("model.bin"), std::string::npos);
}

TEST(ModelStore, FindsAChangedByteWhenItVerifies) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "weights"));
  const auto model = here.store().find("base");
  ASSERT_TRUE(model);
  EXPECT_TRUE(here.store().verify(*model));
  testing::write(here.root() / "base" / "model.bin", "weightz");
  EXPECT_TRUE(here.store().resolve("base")) << "the quick check sees sizes only";
  const auto verified = here.store().verify(*model);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code, StoreErrc::damaged);
  EXPECT_NE(verified.error().message.find("model.bin: expected sha256"), std::string::npos);
}

TEST(ModelStore, ADamagedManifestIsNotAMissingModel) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "weights"));
  testing::write(here.root() / "base" / manifest_file, "{");
  const auto location = here.store().resolve("base");
  ASSERT_FALSE(location);
  EXPECT_EQ(location.error().code, StoreErrc::damaged);
}

TEST(ModelStore, RemovesAlsoWhatIsDamaged) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "weights"));
  testing::write(here.root() / "base" / manifest_file, "{");
  ASSERT_TRUE(here.store().remove("base"));
  EXPECT_FALSE(fs::exists(here.root() / "base"));
  const auto again = here.store().remove("base");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, StoreErrc::not_installed);
}

TEST(ModelStore, DoesNotRemoveWhatSomebodyInstalls) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "weights"));
  const auto lock = InstallLock::acquire(here.root(), "base");
  const auto removed = here.store().remove("base");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, StoreErrc::busy);
  EXPECT_TRUE(here.store().resolve("base"));
}

TEST(StoreName, IsOneHarmlessPathComponent) {
  for (const char* good : {"base", "tiny.en", "my_model-2"}) EXPECT_TRUE(is_store_name(good));
  for (const char* bad : {"", ".", "..", ".partial", "a/b", "-x", "a b", "\xc3\xa9"}) {
    EXPECT_FALSE(is_store_name(bad)) << bad;
  }
}

}  // namespace
}  // namespace server
