#include "protocol/languages.h"

#include <algorithm>
#include <string>

namespace protocol {
namespace {

constexpr Language language_table[] = {
    {"en", "english"},        {"zh", "chinese"},     {"de", "german"},        {"es", "spanish"},
    {"ru", "russian"},        {"ko", "korean"},      {"fr", "french"},        {"ja", "japanese"},
    {"pt", "portuguese"},     {"tr", "turkish"},     {"pl", "polish"},        {"ca", "catalan"},
    {"nl", "dutch"},          {"ar", "arabic"},      {"sv", "swedish"},       {"it", "italian"},
    {"id", "indonesian"},     {"hi", "hindi"},       {"fi", "finnish"},       {"vi", "vietnamese"},
    {"he", "hebrew"},         {"uk", "ukrainian"},   {"el", "greek"},         {"ms", "malay"},
    {"cs", "czech"},          {"ro", "romanian"},    {"da", "danish"},        {"hu", "hungarian"},
    {"ta", "tamil"},          {"no", "norwegian"},   {"th", "thai"},          {"ur", "urdu"},
    {"hr", "croatian"},       {"bg", "bulgarian"},   {"lt", "lithuanian"},    {"la", "latin"},
    {"mi", "maori"},          {"ml", "malayalam"},   {"cy", "welsh"},         {"sk", "slovak"},
    {"te", "telugu"},         {"fa", "persian"},     {"lv", "latvian"},       {"bn", "bengali"},
    {"sr", "serbian"},        {"az", "azerbaijani"}, {"sl", "slovenian"},     {"kn", "kannada"},
    {"et", "estonian"},       {"mk", "macedonian"},  {"br", "breton"},        {"eu", "basque"},
    {"is", "icelandic"},      {"hy", "armenian"},    {"ne", "nepali"},        {"mn", "mongolian"},
    {"bs", "bosnian"},        {"kk", "kazakh"},      {"sq", "albanian"},      {"sw", "swahili"},
    {"gl", "galician"},       {"mr", "marathi"},     {"pa", "punjabi"},       {"si", "sinhala"},
    {"km", "khmer"},          {"sn", "shona"},       {"yo", "yoruba"},        {"so", "somali"},
    {"af", "afrikaans"},      {"oc", "occitan"},     {"ka", "georgian"},      {"be", "belarusian"},
    {"tg", "tajik"},          {"sd", "sindhi"},      {"gu", "gujarati"},      {"am", "amharic"},
    {"yi", "yiddish"},        {"lo", "lao"},         {"uz", "uzbek"},         {"fo", "faroese"},
    {"ht", "haitian creole"}, {"ps", "pashto"},      {"tk", "turkmen"},       {"nn", "nynorsk"},
    {"mt", "maltese"},        {"sa", "sanskrit"},    {"lb", "luxembourgish"}, {"my", "myanmar"},
    {"bo", "tibetan"},        {"tl", "tagalog"},     {"mg", "malagasy"},      {"as", "assamese"},
    {"tt", "tatar"},          {"haw", "hawaiian"},   {"ln", "lingala"},       {"ha", "hausa"},
    {"ba", "bashkir"},        {"jw", "javanese"},    {"su", "sundanese"},     {"yue", "cantonese"},
};

// Codes of ISO 639-2 and 639-3, those of bibliographies ("fre") too, and old or narrower codes.
constexpr Language other_codes[] = {
    {"en", "eng"}, {"zh", "zho"}, {"zh", "chi"}, {"zh", "cmn"}, {"de", "deu"}, {"de", "ger"},
    {"es", "spa"}, {"ru", "rus"}, {"ko", "kor"}, {"fr", "fra"}, {"fr", "fre"}, {"ja", "jpn"},
    {"pt", "por"}, {"tr", "tur"}, {"pl", "pol"}, {"ca", "cat"}, {"nl", "nld"}, {"nl", "dut"},
    {"ar", "ara"}, {"sv", "swe"}, {"it", "ita"}, {"id", "ind"}, {"hi", "hin"}, {"fi", "fin"},
    {"vi", "vie"}, {"he", "heb"}, {"he", "iw"},  {"uk", "ukr"}, {"el", "ell"}, {"el", "gre"},
    {"ms", "msa"}, {"ms", "may"}, {"ms", "zsm"}, {"cs", "ces"}, {"cs", "cze"}, {"ro", "ron"},
    {"ro", "rum"}, {"ro", "mol"}, {"da", "dan"}, {"hu", "hun"}, {"ta", "tam"}, {"no", "nor"},
    {"no", "nob"}, {"no", "nb"},  {"th", "tha"}, {"ur", "urd"}, {"hr", "hrv"}, {"bg", "bul"},
    {"lt", "lit"}, {"la", "lat"}, {"mi", "mri"}, {"mi", "mao"}, {"ml", "mal"}, {"cy", "cym"},
    {"cy", "wel"}, {"sk", "slk"}, {"sk", "slo"}, {"te", "tel"}, {"fa", "fas"}, {"fa", "per"},
    {"lv", "lav"}, {"bn", "ben"}, {"sr", "srp"}, {"az", "aze"}, {"sl", "slv"}, {"kn", "kan"},
    {"et", "est"}, {"mk", "mkd"}, {"mk", "mac"}, {"br", "bre"}, {"eu", "eus"}, {"eu", "baq"},
    {"is", "isl"}, {"is", "ice"}, {"hy", "hye"}, {"hy", "arm"}, {"ne", "nep"}, {"mn", "mon"},
    {"bs", "bos"}, {"kk", "kaz"}, {"sq", "sqi"}, {"sq", "alb"}, {"sw", "swa"}, {"gl", "glg"},
    {"mr", "mar"}, {"pa", "pan"}, {"si", "sin"}, {"km", "khm"}, {"sn", "sna"}, {"yo", "yor"},
    {"so", "som"}, {"af", "afr"}, {"oc", "oci"}, {"ka", "kat"}, {"ka", "geo"}, {"be", "bel"},
    {"tg", "tgk"}, {"sd", "snd"}, {"gu", "guj"}, {"am", "amh"}, {"yi", "yid"}, {"lo", "lao"},
    {"uz", "uzb"}, {"fo", "fao"}, {"ht", "hat"}, {"ps", "pus"}, {"tk", "tuk"}, {"nn", "nno"},
    {"mt", "mlt"}, {"sa", "san"}, {"lb", "ltz"}, {"my", "mya"}, {"my", "bur"}, {"bo", "bod"},
    {"bo", "tib"}, {"tl", "tgl"}, {"tl", "fil"}, {"mg", "mlg"}, {"as", "asm"}, {"tt", "tat"},
    {"ln", "lin"}, {"ha", "hau"}, {"ba", "bak"}, {"jw", "jav"}, {"jw", "jv"},  {"su", "sun"},
};

constexpr Language other_names[] = {
    {"my", "burmese"},       {"ca", "valencian"}, {"nl", "flemish"},   {"ht", "haitian"},
    {"lb", "letzeburgesch"}, {"ps", "pushto"},    {"pa", "panjabi"},   {"ro", "moldavian"},
    {"ro", "moldovan"},      {"si", "sinhalese"}, {"es", "castilian"}, {"zh", "mandarin"},
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return result;
}

}  // namespace

std::span<const Language> languages() {
  return language_table;
}

std::optional<std::string_view> language_code(std::string_view code_or_name) {
  const std::string wanted = lower(code_or_name);
  for (const Language& language : language_table) {
    if (language.code == wanted || language.name == wanted) return language.code;
  }
  for (const auto others :
       {std::span<const Language>(other_names), std::span<const Language>(other_codes)}) {
    const auto found = std::ranges::find(others, wanted, &Language::name);
    if (found != others.end()) return found->code;
  }
  // A tag of BCP 47 or a POSIX locale: the language comes first.
  const auto subtag = wanted.find_first_of("-_");
  return subtag == wanted.npos ? std::nullopt : language_code(wanted.substr(0, subtag));
}

std::string_view language_name(std::string_view code) {
  const auto* found = std::ranges::find(language_table, code, &Language::code);
  return found == std::end(language_table) ? std::string_view() : found->name;
}

}  // namespace protocol
