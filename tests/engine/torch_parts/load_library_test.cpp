#include "engine/torch_parts/load_library.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/torch_parts/library_entry.h"
#include "platform/runtime_pack.h"

namespace engine {
namespace {

const std::filesystem::path real_library = SCRIBED_TORCH_LIBRARY;

std::filesystem::path beside_the_program(const char* name) {
  return platform::program_folder() / name;
}

// Returns the error of loading the library, which says what to do.
Error refusal(const std::filesystem::path& file) {
  const auto parts = load_library(file);
  if (parts) return {Errc::cancelled, "it was loaded", ""};
  EXPECT_FALSE(parts.error().fix.empty());
  return parts.error();
}

TEST(LoadLibrary, TheRealOneHasEveryPart) {
  const auto loaded = load_library(real_library);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const TorchParts& parts = **loaded;
  EXPECT_NE(parts.check_device, nullptr);
  EXPECT_NE(parts.open_device, nullptr);
  EXPECT_NE(parts.try_device, nullptr);
  EXPECT_NE(parts.describe_device, nullptr);
  EXPECT_NE(parts.load_whisper, nullptr);
  EXPECT_NE(parts.load_speaker_networks, nullptr);
  EXPECT_NE(parts.bench_whisper, nullptr);
}

TEST(LoadLibrary, ThePartsOfTheRealOneAnswerInValuesOfTheProgram) {
  const TorchParts& parts = *load_library(real_library).value();
  EXPECT_TRUE(parts.check_device({}));
  const auto no_card = parts.check_device({DeviceKind::cuda, 0});
  ASSERT_FALSE(no_card);
  EXPECT_EQ(no_card.error().code, Errc::device_unavailable);
  EXPECT_FALSE(no_card.error().fix.empty());
}

TEST(LoadLibrary, TwiceGivesTheSameParts) {
  EXPECT_EQ(load_library(real_library).value(), load_library(real_library).value());
}

TEST(LoadLibrary, TheRealOneHasNoPartsForAProgramOfAnotherVersion) {
  void* const library = ::dlopen(real_library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto entry =
      reinterpret_cast<decltype(&scribed_torch_parts)>(::dlsym(library, torch_parts_function));
  ASSERT_NE(entry, nullptr) << ::dlerror();
  EXPECT_EQ(entry("0.0.0"), nullptr);
  EXPECT_NE(entry(SCRIBED_VERSION), nullptr);
}

TEST(LoadLibrary, OneOfAnotherVersionIsRefused) {
  const auto error = refusal(beside_the_program("libanother-version.so"));
  EXPECT_EQ(error.code, Errc::internal);
  EXPECT_NE(error.message.find("libanother-version.so is of another version"), std::string::npos)
      << error.message;
  EXPECT_NE(error.message.find(SCRIBED_VERSION), std::string::npos);
  EXPECT_NE(error.fix.find("Start scribed again"), std::string::npos);
}

TEST(LoadLibrary, OneThatIsNotThereIsNamedWithItsPlace) {
  const auto error = refusal("/nowhere/libscribed-torch.so");
  EXPECT_EQ(error.code, Errc::internal);
  EXPECT_NE(error.message.find("/nowhere/libscribed-torch.so"), std::string::npos);
  EXPECT_NE(error.fix.find("beside scribed-worker"), std::string::npos);
}

TEST(LoadLibrary, AFileThatIsNoLibraryIsRefused) {
  const auto file = beside_the_program("no-library.so");
  std::ofstream(file) << "no library";
  const auto error = refusal(file);
  std::filesystem::remove(file);
  EXPECT_EQ(error.code, Errc::internal);
  EXPECT_NE(error.message.find("no-library.so"), std::string::npos);
}

TEST(LoadLibrary, OneWithoutTheFunctionIsRefusedWithTheFunctionsName) {
  const auto error = refusal(beside_the_program("libwithout-parts.so"));
  EXPECT_EQ(error.code, Errc::internal);
  EXPECT_NE(error.message.find(torch_parts_function), std::string::npos) << error.message;
}

}  // namespace
}  // namespace engine
