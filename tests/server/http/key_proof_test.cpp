#include "server/http/key_proof.h"

#include <gtest/gtest.h>

#include "server/http/api_keys.h"

namespace server {
namespace {

constexpr char nonce[] = "00112233445566778899aabbccddeeff";

TEST(KeyProof, IsOfTheKeyTheNumberAndTheAddress) {
  const KeyHash key = hash_of_key("0123456789abcdef");
  const std::string proof = key_proof(key, nonce, "127.0.0.1:8080");
  // printf 'scribed proof 1\n%s\n127.0.0.1:8080' NONCE | openssl dgst -sha256 -mac hmac, with the
  // key's SHA-256 as hexkey.
  EXPECT_EQ(proof, "a81c647c297b59d382a81f0ae635104dcdb07582e118b2021dbba7d7df11c826");
  EXPECT_NE(key_proof(hash_of_key("0123456789abcdeg"), nonce, "127.0.0.1:8080"), proof);
  EXPECT_NE(key_proof(key, "10112233445566778899aabbccddeeff", "127.0.0.1:8080"), proof);
  EXPECT_NE(key_proof(key, nonce, "[::1]:8080"), proof);
}

TEST(KeyProof, IsAskedForByNextToNothingOfTheKey) {
  const KeyHash key = hash_of_key("0123456789abcdef");
  EXPECT_EQ(key_id(key), "9f9f");
  EXPECT_TRUE(is_proof_nonce(nonce));
  for (const char* text :
       {"", "0011", "00112233445566778899AABBCCDDEEFF", "00112233445566778899aabbccddeef\n",
        "00112233445566778899aabbccddeeff0"}) {
    EXPECT_FALSE(is_proof_nonce(text)) << text;
  }
}

TEST(KeyProof, IsGivenForEachKeyOfThatIdThatLasts) {
  ApiKeys keys;
  ASSERT_TRUE(keys.add_lines("ada 0123456789abcdef\nbob bobbobbobbobbobbob until=2027-01-31"));
  const std::string adas = key_id(hash_of_key("0123456789abcdef"));
  const std::string bobs = key_id(hash_of_key("bobbobbobbobbobbob"));
  EXPECT_EQ(keys.proofs(adas, nonce, "127.0.0.1:1"),
            std::vector{key_proof(hash_of_key("0123456789abcdef"), nonce, "127.0.0.1:1")});
  EXPECT_EQ(keys.proofs(bobs, nonce, "127.0.0.1:1", 1'800'000'000).size(), 1U);
  EXPECT_TRUE(keys.proofs(bobs, nonce, "127.0.0.1:1", 1'900'000'000).empty()) << "it has ended";
  EXPECT_TRUE(keys.proofs("0000", nonce, "127.0.0.1:1").empty());
  EXPECT_TRUE(keys.proofs("", nonce, "127.0.0.1:1").empty());
}

}  // namespace
}  // namespace server
