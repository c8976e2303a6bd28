#include "engine/weights/unpickler.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;
using engine::PickleValue;
using engine::Unpickler;
using Kind = engine::PickleValue::Kind;

engine::Error unpickling_error(const std::string& pickle) {
  return toy::error_of([&] { Unpickler(toy::bytes(pickle), "pickle").load(); });
}

std::int64_t integer_in(const std::string& pickle) {
  Unpickler unpickler(toy::bytes(pickle), "pickle");
  const PickleValue& value = unpickler.load();
  EXPECT_EQ(value.kind, Kind::integer);
  return value.integer;
}

TEST(Unpickler, ReadsIntegersOfEveryWidth) {
  EXPECT_EQ(integer_in("K\xff."), 255);
  EXPECT_EQ(integer_in("M\xff\xff."), 65535);
  EXPECT_EQ(integer_in("J\xfe\xff\xff\xff."), -2);
  EXPECT_EQ(integer_in(std::string("\x8a\x00.", 3)), 0);
  EXPECT_EQ(integer_in("\x8a\x01\x80."), -128);
  EXPECT_EQ(integer_in(std::string("\x8a\x05\x00\x00\x00\x00\x01.", 8)), 1LL << 32);
}

TEST(Unpickler, ReadsNestedContainersAndTheMemo) {
  // {"a": [1, (2, None)], "b": <the same list>}
  const std::string text_a(
      "X\x01\x00\x00\x00"
      "a",
      6);
  const std::string text_b(
      "X\x01\x00\x00\x00"
      "b",
      6);
  const std::string pickle = "\x80\x02}(" + text_a +
                             "]q\x07(K\x01K\x02N\x86"
                             "e" +
                             text_b + "h\x07u.";
  Unpickler unpickler(toy::bytes(pickle), "pickle");
  const PickleValue& dict = unpickler.load();
  const PickleValue* list = dict.find("a");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list, dict.find("b"));
  ASSERT_EQ(list->items.size(), 2u);
  EXPECT_EQ(list->items[0]->integer, 1);
  ASSERT_EQ(list->items[1]->kind, Kind::tuple);
  EXPECT_EQ(list->items[1]->items[1]->kind, Kind::none);
  EXPECT_EQ(dict.find("c"), nullptr);
  EXPECT_EQ(unpickler.offset(), pickle.size());
}

TEST(Unpickler, RefusesEveryGlobalButThoseOfTensorTables) {
  for (const auto& [pickle, shown] :
       {std::pair{"cos\nsystem\n.", "os.system"},
        {"cbuiltins\neval\n.", "builtins.eval"},
        {"ctorch\nload\n.", "torch.load"},
        {"ctorch._utils\n_rebuild_tensor\n.", "torch._utils._rebuild_tensor,"},
        {"c\n\n.", "refers to ."}}) {
    const auto error = unpickling_error(pickle);
    EXPECT_EQ(error.code, Errc::refused_model) << pickle;
    EXPECT_NE(error.message.find(shown), std::string::npos) << error.message;
  }
}

TEST(Unpickler, RefusesOpcodesThatBuildObjects) {
  // INST, OBJ, NEWOBJ, STACK_GLOBAL, EXT1, PERSID, and a later protocol.
  for (const std::string pickle :
       {"(ios\nsystem\n.", "(o.", ")\x81.", "\x93.", "\x82\x01.", "Pid\n.", "\x80\x04."}) {
    EXPECT_EQ(unpickling_error(pickle).code, Errc::refused_model) << pickle;
  }
}

TEST(Unpickler, RefusesStateForAnythingButADict) {
  EXPECT_EQ(unpickling_error("]}b.").code, Errc::refused_model);
}

TEST(Unpickler, FindsStacksThatDoNotFit) {
  for (const std::string pickle : {".", "a.",
                                   "K\x01"
                                   "a.",
                                   "t.", "(.", "]K\x01s.", "}K\x01u.", "h\x05.", "K\x01\x86.",
                                   "NNR.", "cos", "NQ.", "q\x01.", "}(K\x01u."}) {
    EXPECT_EQ(unpickling_error(pickle).code, Errc::damaged_model) << pickle;
  }
}

TEST(Unpickler, SurvivesNestingAndCycles) {
  std::string deep(100000, ']');
  deep += std::string(99999, 'a') + ".";
  Unpickler(toy::bytes(deep), "pickle").load();
  const std::string cycle =
      "]q\x01h\x01"
      "a.";
  Unpickler(toy::bytes(cycle), "pickle").load();
}

TEST(Unpickler, TakesNoMemoNumbersBeyondThoseThatWritersCount) {
  EXPECT_EQ(integer_in(std::string("K\x05r\xff\xff\0\0j\xff\xff\0\0.", 13)), 5);
  // Numbers far apart, which would all fall into one bucket of a hash table.
  EXPECT_EQ(unpickling_error("K\x05r\xff\xff\xff\xff.").code, Errc::damaged_model);
  EXPECT_EQ(unpickling_error(std::string("K\x05r\0\0\x10\0.", 8)).code, Errc::damaged_model);
  EXPECT_EQ(unpickling_error(std::string("K\x05q\x05h\x04.", 7)).code, Errc::damaged_model);
}

TEST(Unpickler, RefusesTextsThatAreNoNames) {
  std::string pickle = "X";
  toy::put(pickle, std::uint32_t{4097});
  EXPECT_NE(
      unpickling_error(pickle + std::string(4097, 'a') + ".").message.find("too long for a name"),
      std::string::npos);
}

TEST(Unpickler, EndsAPickleThatIsFarTooLong) {
  EXPECT_NE(unpickling_error(std::string(3'000'000, 'N')).message.find("too long"),
            std::string::npos);
}

}  // namespace
