#include "server/metrics/worker_speed.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(WorkerSpeed, OfOneJobIsItsSoundByItsTime) {
  WorkerSpeed speed;
  EXPECT_EQ(speed.value(), 0);
  speed.add(1010, 10, 200);
  EXPECT_DOUBLE_EQ(speed.value(), 20);
}

TEST(WorkerSpeed, JobsSideBySideShareTheirTime) {
  WorkerSpeed speed;
  for (int i = 0; i < 4; ++i) speed.add(1010, 10, 200);
  EXPECT_NEAR(speed.value(), 80, 1e-9);
}

TEST(WorkerSpeed, ThePauseBetweenJobsIsNoWork) {
  WorkerSpeed speed;
  speed.add(1010, 10, 200);
  speed.add(9010, 10, 200);
  EXPECT_NEAR(speed.value(), 20, 1e-9);
}

TEST(WorkerSpeed, WhatIsLongAgoCountsLittle) {
  WorkerSpeed speed;
  double end = 0;
  for (int i = 0; i < 100; ++i) speed.add(end += 60, 60, 600);
  for (int i = 0; i < 60; ++i) speed.add(end += 60, 60, 6000);
  EXPECT_NEAR(speed.value(), 100, 1);
}

}  // namespace
}  // namespace server
