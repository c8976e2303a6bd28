#include <boost/asio/post.hpp>
#include <thread>

#include "tests/server/daemon/database_uploads_fixture.h"

namespace server {
namespace {

using test::DatabaseUploadsTest;
using test::run;

// An upload of ten bytes in parts, of which five are here.
class PartsOfUploadsTest : public DatabaseUploadsTest {
 protected:
  PartsOfUploadsTest() {
    EXPECT_TRUE(run(io_, all_->begin(upload_)));
    receive(0, "sound");
  }

  void receive(std::uint64_t from, std::string_view bytes) {
    ASSERT_TRUE(here_.append(upload_.id, "ada", from, bytes));
  }
  // What others have entered: it lies in the folder.
  void enter(std::uint64_t from, const std::string& bytes) {
    const UploadPart part{random_id(), from, bytes.size()};
    test::write_text(folder_ / "shared" / part.id, bytes);
    ASSERT_TRUE(catalog_->add_part(upload_.id, "ada", part, {}));
  }
  std::string bytes_here() const { return test::read_text(here_.path(upload_)); }

  const Upload upload_ = here_.begin("ada", "a.wav", 10).value();
};

TEST_F(PartsOfUploadsTest, WhatIsHereIsHandedOverOnce) {
  EXPECT_EQ(run(io_, all_->share(upload_)).value().received, 5U);
  EXPECT_EQ(run(io_, all_->share(upload_)).value().received, 5U);
  ASSERT_EQ(catalog_->entered_parts.size(), 1U);
  EXPECT_EQ(shared_files(), std::vector{catalog_->entered_parts[0].id});
  receive(5, "ing");
  EXPECT_EQ(run(io_, all_->share(upload_)).value().received, 8U);
  ASSERT_EQ(catalog_->entered_parts.size(), 2U);
  EXPECT_EQ(test::read_text(folder_ / "shared" / catalog_->entered_parts[1].id), "ing");
}

TEST_F(PartsOfUploadsTest, WhatOthersHaveReceivedIsBroughtHere) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  enter(5, "in");
  enter(7, "g");
  const auto brought = run(io_, all_->bring(catalog_->rows[upload_.id]));
  ASSERT_TRUE(brought);
  EXPECT_EQ(brought->received, 8U);
  EXPECT_EQ(bytes_here(), "sounding");
}

TEST_F(PartsOfUploadsTest, OneThatNeverWasHereIsBroughtAsAWhole) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  ASSERT_TRUE(here_.remove(upload_.id, "ada"));
  ASSERT_TRUE(run(io_, all_->bring(catalog_->rows[upload_.id])));
  EXPECT_EQ(bytes_here(), "sound");
  EXPECT_EQ(here_.find(upload_.id, "ada")->bytes, 10U);
}

TEST_F(PartsOfUploadsTest, APartWhoseBytesAreGoneIsNoEndlessWait) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  enter(5, "in");
  test::write_text(folder_ / "shared" / catalog_->entered_parts[1].id, "");
  EXPECT_EQ(run(io_, all_->bring(catalog_->rows[upload_.id])).error().code, errc::upload_not_found);
}

// Two clients may send other bytes by one name: those of the second are forgotten.
TEST_F(PartsOfUploadsTest, WhatCameHereMeanwhileIsForgottenWhereOthersWentOn) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  enter(5, "in");
  receive(5, "ly.");
  EXPECT_EQ(run(io_, all_->share(upload_)).error().code, errc::wrong_offset);
  EXPECT_EQ(bytes_here(), "sound");
  ASSERT_TRUE(run(io_, all_->bring(catalog_->rows[upload_.id])));
  EXPECT_EQ(bytes_here(), "soundin");
}

TEST_F(PartsOfUploadsTest, LittleThatIsLeftHereIsNoPartForWhoLooks) {
  EXPECT_EQ(run(io_, all_->look(*here_.find(upload_.id, "ada"))).value().received, 0U);
  EXPECT_TRUE(catalog_->entered_parts.empty());
  ASSERT_TRUE(run(io_, all_->bring(catalog_->rows[upload_.id])));
  EXPECT_EQ(bytes_here(), "");
}

TEST_F(PartsOfUploadsTest, OneThatBecomesWholeElsewhereWhileItIsBroughtIsAWrongOffset) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  const Upload seen = catalog_->rows[upload_.id];
  ASSERT_TRUE(here_.remove(upload_.id, "ada"));
  catalog_->rows[upload_.id].received = 10;
  catalog_->entered_parts.clear();
  EXPECT_EQ(run(io_, all_->bring(seen)).error().code, errc::wrong_offset);
}

// A client whose connection broke asks, hears of nothing, and begins again, while what came by the
// broken connection is entered.
TEST_F(PartsOfUploadsTest, OneThatGetsMoreWhileItIsBroughtIsAWrongOffset) {
  const Upload seen = catalog_->rows[upload_.id];
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  EXPECT_EQ(run(io_, all_->bring(seen)).error().code, errc::wrong_offset);
  EXPECT_EQ(bytes_here(), "sound");
}

// It was begun before its daemon had a database.
TEST_F(DatabaseUploadsTest, OneThatWasNeverEnteredIsEnteredWhenSomebodyLooks) {
  const Upload upload = here_.begin("ada", "a.wav", 10).value();
  ASSERT_TRUE(here_.append(upload.id, "ada", 0, std::string_view("sound")));
  EXPECT_EQ(run(io_, all_->look(*here_.find(upload.id, "ada"))).value().received, 5U);
  EXPECT_EQ(catalog_->rows[upload.id].received, 5U);
}

TEST_F(DatabaseUploadsTest, AWholeOneThatCameInPartsAndWasNeverEnteredIsHandedOver) {
  const Upload upload = here_.begin("ada", "a.wav", 5).value();
  ASSERT_TRUE(here_.append(upload.id, "ada", 0, std::string_view("sound")));
  may_add_.set_value();
  run(io_, tidied_up());
  EXPECT_EQ(shared_files(), std::vector{upload.id});
  EXPECT_TRUE(catalog_->rows.contains(upload.id));
}

// The last bytes may come while it is asked what is still coming.
TEST_F(PartsOfUploadsTest, OneThatBecomesWholeHereMeanwhileIsNotTidiedUp) {
  catalog_->rows[upload_.id].received = 10;  // another daemon was the first
  catalog_->on_unfinished = [this] {
    boost::asio::post(io_, [this] { receive(5, "ings."); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  run(io_, tidied_up());
  EXPECT_TRUE(here_.find(upload_.id, "ada"));
}

TEST_F(PartsOfUploadsTest, TheWholeRemovesItsParts) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  receive(5, "ings.");
  may_add_.set_value();
  ASSERT_TRUE(run(io_, all_->publish(*here_.find(upload_.id, "ada"))));
  EXPECT_EQ(shared_files(), std::vector{upload_.id});
  EXPECT_EQ(test::read_text(folder_ / "shared" / upload_.id), "soundings.");
}

TEST_F(PartsOfUploadsTest, OneThatWasRemovedElsewhereIsGoneHereToo) {
  ASSERT_TRUE(run(io_, all_->remove(upload_.id, "ada")));
  EXPECT_EQ(run(io_, all_->share(upload_)).error().code, errc::upload_not_found);
  EXPECT_FALSE(here_.find(upload_.id, "ada"));
  EXPECT_TRUE(shared_files().empty());
}

TEST_F(PartsOfUploadsTest, OneThatWasRemovedElsewhereDoesNotComeBackByItsEnd) {
  receive(5, "ings.");
  ASSERT_TRUE(run(io_, all_->remove(upload_.id, "ada")));
  may_add_.set_value();
  EXPECT_EQ(run(io_, all_->publish(*here_.find(upload_.id, "ada"))).error().code,
            errc::upload_not_found);
  EXPECT_FALSE(here_.find(upload_.id, "ada"));
  EXPECT_TRUE(shared_files().empty());
}

TEST_F(PartsOfUploadsTest, WhatOthersHaveFinishedIsTidiedUp) {
  const auto other = here_.begin("ada", "b.wav", 3).value();
  ASSERT_TRUE(run(io_, all_->begin(other)));
  catalog_->rows[other.id].received = 3;
  run(io_, tidied_up());
  EXPECT_FALSE(here_.find(other.id, "ada"));
  EXPECT_TRUE(here_.find(upload_.id, "ada")) << "it is still coming";
}

}  // namespace
}  // namespace server
