#include "engine/weights/npz.h"

#include <gtest/gtest.h>

#include "engine/weights/grouped.h"
#include "engine/weights/mapped_file.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::DType;
using engine::Errc;

// A member, with the header that NumPy gives an array.
toy::ZipMember array(const std::string& name, const std::string& header, const std::string& data) {
  std::string out = "\x93NUMPY\x01";
  out += '\0';
  toy::put(out, static_cast<std::uint16_t>(header.size()));
  return {name + ".npy", out + header + data};
}

std::string header_of(const char* descr, const char* shape, const char* order = "False") {
  return std::string("{'descr': '") + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

engine::Error npz_error(const std::vector<toy::ZipMember>& members) {
  const std::string file = toy::zip_file(members);
  return toy::error_of([&] { engine::parse_npz(toy::bytes(file)); });
}

// Written by MLX itself: see data/make_fixtures.py.
TEST(Npz, GivesTheNumbersThatMlxReadsInGroupsOfEveryWidth) {
  const engine::MappedFile file(std::string(SCRIBED_SOURCE_DIR) +
                                "/tests/engine/weights/data/groups.npz");
  ASSERT_TRUE(engine::looks_like_npz(file.bytes()));
  const auto arrays = engine::parse_npz(file.bytes());
  for (const std::string bits : {"2", "3", "4", "5", "6", "8"}) {
    engine::WeightTensor tensor = arrays.at(bits + ".weight");
    EXPECT_EQ(tensor.dtype, DType::u32);
    tensor.dtype = engine::packed_dtype("t", std::stoi(bits));
    tensor.shape = {1, 64};
    tensor.group = 32;
    tensor.scales = arrays.at(bits + ".scales").data;
    tensor.offsets = arrays.at(bits + ".biases").data;
    EXPECT_EQ(engine::byte_size("t", tensor.dtype, tensor.shape), tensor.data.size()) << bits;
    std::vector<float> numbers(64);
    std::vector<float> expected(64);
    to_float(tensor, numbers);
    to_float(arrays.at(bits + ".numbers"), expected);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_NEAR(numbers[i], expected[i], 1e-7) << bits;
  }
}

TEST(Npz, ReadsShapesOfAnyRank) {
  const std::string file =
      toy::zip_file({array("a", header_of("<f2", "(2, 1, 3)"), std::string(12, 0)),
                     array("b", header_of("<i8", "(1,)"), std::string(8, 0)),
                     array("c", header_of("<f4", "()"), std::string(4, 0))});
  const auto arrays = engine::parse_npz(toy::bytes(file));
  EXPECT_EQ(arrays.at("a").shape, (std::vector<std::int64_t>{2, 1, 3}));
  EXPECT_EQ(arrays.at("b").shape, (std::vector<std::int64_t>{1}));
  EXPECT_TRUE(arrays.at("c").shape.empty());
}

TEST(Npz, KeepsTheOrderOfCountsAndRefusesNumbersInFortransOrder) {
  const std::string counts = header_of("<i8", "(2, 2)", "True");
  const std::string file = toy::zip_file({array("a", counts, std::string(32, 0))});
  EXPECT_TRUE(engine::parse_npz(toy::bytes(file)).at("a").fortran_order);
  const std::string row =
      toy::zip_file({array("a", header_of("<f4", "(1, 4)", "True"), std::string(16, 0))});
  EXPECT_FALSE(engine::parse_npz(toy::bytes(row)).at("a").fortran_order);
  const auto error =
      npz_error({array("a", header_of("<f4", "(2, 2)", "True"), std::string(16, 0))});
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_NE(error.message.find("a: is stored in Fortran's order"), std::string::npos);
}

TEST(Npz, NamesTheArrayThatIsDamaged) {
  const std::pair<std::string, const char*> cases[]{
      {"", "a: has no descr"},
      {header_of("<f4", "2"), "a: bad shape"},
      {header_of("<f4", "(2"), "a: bad shape"},
      {header_of("<f4", "(x)"), "a: bad shape"},
      {header_of("<f4", "(-1,)"), "a: bad shape"},
      {header_of("<f4", "(99999999999999999999,)"), "a: bad shape"},
      {header_of("<f4", "(4,)"), "a: truncated"},
      {header_of("<f4", "(9223372036854775807, 4)"), "a: impossible shape"},
      {header_of("|b1", "(4,)"), "a: numbers of NumPy's type |b1"}};
  for (const auto& [header, message] : cases) {
    const auto error = npz_error({array("a", header, std::string(8, 0))});
    EXPECT_NE(error.message.find(message), std::string::npos) << header << error.message;
  }
}

TEST(Npz, RefusesOtherMembersAndPackedOnes) {
  EXPECT_NE(npz_error({{"notes.txt", "hello"}}).message.find("notes.txt, which is no array"),
            std::string::npos);
  toy::ZipMember packed = array("a", header_of("<f4", "(1,)"), std::string(4, 0));
  packed.method = 8;
  EXPECT_EQ(npz_error({packed}).code, Errc::refused_model);
}

TEST(Npz, IsToldFromOtherArchivesByItsFirstMember) {
  EXPECT_TRUE(engine::looks_like_npz(toy::bytes(toy::zip_file({{"a.npy", ""}}))));
  EXPECT_FALSE(engine::looks_like_npz(toy::bytes(toy::zip_file({{"m/data.pkl", ""}}))));
  EXPECT_FALSE(engine::looks_like_npz(toy::bytes("PK\x03\x04")));
}

}  // namespace
