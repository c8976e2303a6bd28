#include "platform/child_environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

namespace platform {
namespace {

TEST(ChildEnvironment, KeepsSecretsFromEveryChild) {
  for (const char* name :
       {"SCRIBED_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID",
        "OPENAI_API_KEY", "NVIDIA_API_KEY", "GITHUB_TOKEN", "PGPASSWORD", "DATABASE_URL",
        "SCRIBED_WEBHOOKS_SECRET_FILE", "CUDA_my_token", "SSH_AUTH_SOCK", "LD_PRELOAD"}) {
    for (const auto kind : {ChildKind::decoder, ChildKind::worker, ChildKind::packages}) {
      EXPECT_FALSE(is_for_child(kind, name)) << name;
    }
  }
}

TEST(ChildEnvironment, GivesTheDecoderNextToNothing) {
  EXPECT_TRUE(is_for_child(ChildKind::decoder, "LD_LIBRARY_PATH"));
  EXPECT_TRUE(is_for_child(ChildKind::decoder, "TZ"));
  for (const char* name : {"HOME", "PATH", "CUDA_VISIBLE_DEVICES", "SCRIBED_DATA_DIR", "LANG"}) {
    EXPECT_FALSE(is_for_child(ChildKind::decoder, name)) << name;
  }
}

TEST(ChildEnvironment, PutsTheFoldersOfAPackBeforeThoseOfTheUser) {
  const auto entry = [](const std::string& folders) {
    for (const auto& one : worker_environment(folders)) {
      if (one.starts_with("LD_LIBRARY_PATH=")) return one;
    }
    return std::string();
  };
  const char* own = ::getenv("LD_LIBRARY_PATH");
  const std::string before = own == nullptr ? "" : own;
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(entry(""), "");
  EXPECT_EQ(entry("/a:/b"), "LD_LIBRARY_PATH=/a:/b");
  ::setenv("LD_LIBRARY_PATH", "/mine", 1);
  EXPECT_EQ(entry(""), "LD_LIBRARY_PATH=/mine");
  EXPECT_EQ(entry("/a:/b"), "LD_LIBRARY_PATH=/a:/b:/mine");
  ::setenv("LD_LIBRARY_PATH", "", 1);
  EXPECT_EQ(entry("/a"), "LD_LIBRARY_PATH=/a");
  ::setenv("LD_LIBRARY_PATH", before.c_str(), 1);
  if (own == nullptr) ::unsetenv("LD_LIBRARY_PATH");
}

TEST(ChildEnvironment, GivesAWorkerWhatItsLibrariesRead) {
  for (const char* name :
       {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
        "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
        "ROCR_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION", "LD_LIBRARY_PATH", "XDG_CACHE_HOME",
        "TMPDIR", "CACHE_DIRECTORY", "SCRIBED_DATA_DIR", "PYTORCH_CUDA_ALLOC_CONF"}) {
    EXPECT_TRUE(is_for_child(ChildKind::worker, name)) << name;
  }
  EXPECT_FALSE(is_for_child(ChildKind::worker, "https_proxy"));
}

TEST(ChildEnvironment, GivesAPackageClientProxiesAndItsOwnSettings) {
  for (const char* name :
       {"PATH", "HOME", "https_proxy", "HTTPS_PROXY", "no_proxy", "PIP_INDEX_URL",
        "PIP_KEYRING_PROVIDER", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"}) {
    EXPECT_TRUE(is_for_child(ChildKind::packages, name)) << name;
  }
  for (const char* name : {"PYTHONPATH", "PYTHONSTARTUP", "SCRIBED_DATA_DIR"}) {
    EXPECT_FALSE(is_for_child(ChildKind::packages, name)) << name;
  }
}

TEST(ChildEnvironment, IsTakenFromOurs) {
  ::setenv("SCRIBED_API_KEY", "hidden", 1);
  ::setenv("TZ", "Europe/Vienna", 1);
  const auto kept = child_environment(ChildKind::decoder);
  EXPECT_NE(std::ranges::find(kept, "TZ=Europe/Vienna"), kept.end());
  EXPECT_TRUE(std::ranges::none_of(
      kept, [](const std::string& entry) { return entry.find("hidden") != entry.npos; }));
  ::unsetenv("SCRIBED_API_KEY");
  ::unsetenv("TZ");
}

}  // namespace
}  // namespace platform
