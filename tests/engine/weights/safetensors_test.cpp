#include "engine/weights/safetensors.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;

std::string file_of(const std::string& header, const std::string& data) {
  std::string out;
  toy::put(out, static_cast<std::uint64_t>(header.size()));
  return out + header + data;
}

TEST(Safetensors, NamesTheTensorThatIsDamaged) {
  struct Case {
    const char* header;
    const char* message;
    Errc code = Errc::damaged_model;
  };
  const Case cases[]{
      {R"([])", "This is no JSON object"},
      {R"({"t":1})", "t: is not an object"},
      {R"({"t":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", "t: numbers of type F64",
       Errc::refused_model},
      {R"({"t":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})",
       "t: truncated: ends at byte "
       "12 of 8"},
      {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", "t: expected 4 bytes, got 8"},
      {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "t: bad data_offsets"},
      {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", "t: bad data_offsets"},
      {R"({"t":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "t: bad shape"},
      {R"({"t":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", "t: bad shape"},
      {R"({"t":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})",
       "t: impossible shape"},
      {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
       R"("t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
       "t: appears twice"},
      {R"({"t":[[[[[[]]]]]]})", "nested deeper than 4 levels"}};
  for (const Case& c : cases) {
    const std::string file = file_of(c.header, std::string(8, '\0'));
    const auto error = toy::error_of([&] { engine::parse_safetensors(toy::bytes(file)); });
    EXPECT_EQ(error.code, c.code) << c.header;
    EXPECT_NE(error.message.find(c.message), std::string::npos) << error.message;
  }
}

// {"0":{},"1":{},…}
std::string names(int count) {
  std::string header = "{";
  for (int i = 0; i < count; ++i) {
    header += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":{}";
  }
  return header + "}";
}

// A parser that looks at all names behind each tensor takes minutes for the first, and half an hour
// for the second.
TEST(Safetensors, ReadsManyNamesAndCountsThem) {
  const std::pair<int, const char*> cases[] = {{100'000, "numbers of type nothing"},
                                               {333'000, "more than 200000 values"}};
  for (const auto& [count, message] : cases) {
    const std::string file = file_of(names(count), "");
    const auto error = toy::error_of([&] { engine::parse_safetensors(toy::bytes(file)); });
    EXPECT_NE(error.message.find(message), std::string::npos) << error.message;
    EXPECT_EQ(toy::error_of([&] { engine::parse_shard_index(names(count)); }).code,
              Errc::damaged_model);
  }
}

TEST(Safetensors, NeverQuotesANameOfManyBytes) {
  const std::string file = file_of("{\"" + std::string(1 << 20, 'a') + "\":1}", "");
  const auto error = toy::error_of([&] { engine::parse_safetensors(toy::bytes(file)); });
  EXPECT_NE(error.message.find("a name of 1048576 bytes"), std::string::npos);
  EXPECT_LT(error.message.size(), 200u);
}

TEST(Safetensors, RefusesAHeaderBeyondTheFile) {
  std::string file;
  toy::put(file, std::uint64_t{100});
  file += "{}";
  EXPECT_NE(
      toy::error_of([&] { engine::parse_safetensors(toy::bytes(file)); }).message.find("truncated"),
      std::string::npos);
}

TEST(ShardIndex, ListsEachFileOnce) {
  EXPECT_EQ(
      engine::parse_shard_index(R"({"metadata":{},"weight_map":{"a":"two","b":"one","c":"two"}})"),
      (std::vector<std::string>{"one", "two"}));
}

TEST(ShardIndex, RefusesFilesOutsideItsFolder) {
  for (const char* name : {"\"../x\"", "\"/etc/passwd\"", "\"\"", "\"..\"", "7", "\"a\\u0000b\""}) {
    const std::string json = std::string(R"({"weight_map":{"t":)") + name + "}}";
    EXPECT_EQ(toy::error_of([&] { engine::parse_shard_index(json); }).code, Errc::damaged_model)
        << name;
  }
}

}  // namespace
