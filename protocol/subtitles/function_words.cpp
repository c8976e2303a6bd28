#include "protocol/subtitles/function_words.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>

namespace protocol::subtitles {
namespace {

// Each list has spaces between its words and at its ends.
struct Language {
  std::string_view code;
  std::string_view articles;
  std::string_view leading;
  std::string_view clauses;  // words that begin a clause, which lead as well
  std::string_view following = {};
};

constexpr std::array<Language, 14> language_table{{
    {"en", " a an the my your his her its our their this that's these those no every each ",
     " of to in on at by for from with into about as than not very so is are was were be been am "
     "have has had will would can could should may might must do does did i you he she it we they "
     "mr mrs ms dr i'm it's ",
     " and or but because if when while where which who that although though since until before "
     "after unless so "},
    {"es", " el la los las un una unos unas mi mis tu tus su sus este esta estos estas cada ",
     " de del a al en con por para sin sobre entre desde hasta no muy más se lo le me te nos es "
     "son "
     "ha han he hay ",
     " y e o u pero porque si cuando mientras donde que aunque como sino pues "},
    {"fr",
     " le la les l un une des du mon ma mes ton ta tes son sa ses notre nos votre vos leur "
     "leurs ce cet cette ces chaque au aux ",
     " de d à en dans par pour sur sous avec sans chez vers entre ne n se s me m te t je j tu il "
     "elle on nous vous ils elles est sont a ont très plus ",
     " et ou mais car parce si quand lorsque où qui que qu dont donc puis comme "},
    {"pt",
     " o a os as um uma uns umas meu minha meus minhas seu sua seus suas este esta esse essa "
     "cada ",
     " de do da dos das em no na nos nas por pelo pela para com sem sobre entre até não muito mais "
     "se me te lhe é são foi há ",
     " e ou mas porque se quando enquanto onde que embora como pois "},
    {"de",
     " der die das den dem des ein eine einen einem einer eines mein meine meinen meinem sein "
     "seine seinen ihr ihre ihren unser unsere kein keine keinen dieser diese dieses diesen ",
     " in im an am auf aus bei beim mit nach von vom zu zum zur für über unter vor durch gegen "
     "ohne "
     "um nicht sehr so zu ich du er sie es wir ist sind war hat haben ",
     " und oder aber denn weil wenn als dass ob während obwohl sondern damit bevor nachdem wo "},
    {"it",
     " il lo la i gli le l un uno una mio mia miei mie tuo tua suo sua suoi sue questo questa "
     "ogni ",
     " di del della dei delle dello a al alla ai alle da dal dalla in nel nella con su sul sulla "
     "per "
     "tra fra non molto più si mi ti ci vi è sono ha ho hanno ",
     " e ed o ma perché se quando mentre dove che anche come quindi però "},
    {"ru", " этот эта это эти мой моя твой его её наш ваш их каждый ",
     " в во на с со к ко о об от до из у за по под над при для без про через не ни очень я ты он "
     "она "
     "мы вы они ",
     " и а но или что чтобы если когда потому где который которая которые пока хотя как "},
    {"id", " sebuah seorang para setiap ",
     " di ke dari pada untuk dengan oleh dalam tentang tidak sangat adalah saya kamu dia kita kami "
     "mereka ",
     " dan atau tetapi tapi karena jika kalau ketika saat yang bahwa meskipun sehingga ",
     " ini itu "},
    {"ar", " هذا هذه ذلك تلك هؤلاء كل ", " في من إلى على عن مع بين عند حتى لا لم لن ما هو هي قد ",
     " و أو لكن لأن إذا عندما حيث الذي التي الذين أن بينما ثم كما "},
    {"hi", " एक यह वह ये वे हर मेरा मेरी मेरे आपका आपकी ", " नहीं बहुत ",
     " और या लेकिन मगर क्योंकि अगर जब कि जो तो जबकि ", " का की के को से में पर ने तक है हैं था थी थे ही भी "},
    {"ur", " ایک یہ وہ ہر میرا میری میرے ", " نہیں بہت ",
     " اور یا لیکن مگر کیونکہ اگر جب کہ جو تو ",
     " کا کی کے کو سے میں پر نے تک ہے ہیں تھا تھی تھے ہی بھی "},
    {"bn", " একটি একটা এই সেই ওই প্রতি ", " না খুব ", " এবং ও আর বা কিন্তু কারণ যদি যখন যে তাই তবে ",
     " থেকে জন্য সঙ্গে সাথে মধ্যে পর্যন্ত ই "},
    {"zh", " 这 那 每 一个 这个 那个 ", " 在 从 对 把 被 和 与 不 没 很 是 我 你 他 她 们 ",
     " 但 但是 因为 所以 如果 而 而且 虽然 或者 ", " 的 了 着 过 吗 呢 吧 啊 们 里 上 下 "},
    {"ja", " この その あの どの ", " 約 第 ", " そして しかし でも だから また ",
     " は が を に で と も の へ や か ね よ ます です た て から まで より な "},
}};

bool has(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != list.npos;
}

}  // namespace

std::string bare_word(std::string_view word) {
  auto text = icu::UnicodeString::fromUTF8({word.data(), static_cast<int>(word.size())});
  text.toLower(icu::Locale::getRoot());
  const auto is_letter = [](UChar32 letter) {
    return (U_GET_GC_MASK(letter) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) != 0;
  };
  int begin = 0, end = text.length();
  while (begin < end && !is_letter(text.char32At(begin))) begin = text.moveIndex32(begin, 1);
  while (begin < end && !is_letter(text.char32At(text.moveIndex32(end, -1)))) {
    end = text.moveIndex32(end, -1);
  }
  std::string bare;
  text.tempSubStringBetween(begin, end).toUTF8String(bare);
  return bare;
}

WordBinding binding_of(std::string_view word, std::string_view language) {
  const auto* found = std::ranges::find(language_table, language, &Language::code);
  if (word.empty() || found == language_table.end()) return {};
  const bool begins_clause = has(found->clauses, word);
  return {.is_article = has(found->articles, word),
          .leads = begins_clause || has(found->leading, word),
          .follows = has(found->following, word),
          .begins_clause = begins_clause};
}

}  // namespace protocol::subtitles
