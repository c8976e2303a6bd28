import assert from "node:assert/strict";
import { test } from "node:test";
import { hrefOf, parameterOf, parseRoute, type Route } from "../src/router.ts";

test("an address without a part behind the # is the list", () => {
  for (const hash of ["", "#", "#/"]) assert.deepEqual(parseRoute(hash), { screen: "recordings" });
});

test("every address leads back to its route", () => {
  const routes: Exclude<Route, { screen: "unknown" }>[] = [
    { screen: "recordings" },
    { screen: "reader", id: "a/b c?d#e" },
    { screen: "shared", token: "t%20" },
    { screen: "live" },
    { screen: "models" },
    { screen: "system" },
    { screen: "storage" },
  ];
  for (const route of routes) assert.deepEqual(parseRoute(hrefOf(route)), route);
});

test("an address that nobody made is told as such", () => {
  for (const hash of ["#/none", "#/r", "#/r/a/b", "#/live/x"]) {
    assert.deepEqual(parseRoute(hash), { screen: "unknown" });
  }
  assert.deepEqual(parseRoute("#/r/%E0%A4%A"), { screen: "reader", id: "%E0%A4%A" });
});

test("parameters stand behind the route and change nothing of it", () => {
  assert.equal(parameterOf("#/r/x?t=34.2", "t"), "34.2");
  assert.equal(parameterOf("#/r/x", "t"), null);
  assert.deepEqual(parseRoute("#/r/x?t=34.2"), { screen: "reader", id: "x" });
});
