// Addresses of screens are in the part behind the #, so identifiers stay out of logs and the daemon
// serves one page alone.
import { computed, signal } from "@preact/signals";

export type Route =
  | { screen: "recordings" }
  | { screen: "reader"; id: string }
  | { screen: "shared"; token: string } // a reader for whoever has the link
  | { screen: "live" }
  | { screen: "models" }
  | { screen: "system" }
  | { screen: "storage" }
  | { screen: "unknown" };

export type ScreenName = Route["screen"];

export function parseRoute(hash: string): Route {
  const [path = ""] = hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter((part) => part !== "");
  const [first, second] = parts;
  if (first === undefined) return { screen: "recordings" };
  if (parts.length === 1 && isPlain(first)) return { screen: first };
  if (parts.length === 2 && second !== undefined) {
    if (first === "r") return { screen: "reader", id: decoded(second) };
    if (first === "s") return { screen: "shared", token: decoded(second) };
  }
  return { screen: "unknown" };
}

const plainScreens = ["live", "models", "system", "storage"] as const;

function isPlain(name: string): name is (typeof plainScreens)[number] {
  return (plainScreens as readonly string[]).includes(name);
}

export function hrefOf(route: Exclude<Route, { screen: "unknown" }>): string {
  switch (route.screen) {
    case "recordings":
      return "#/";
    case "reader":
      return `#/r/${encodeURIComponent(route.id)}`;
    case "shared":
      return `#/s/${encodeURIComponent(route.token)}`;
    default:
      return `#/${route.screen}`;
  }
}

// Returns a value behind the ? of an address: "34.2" for t in #/r/ID?t=34.2.
export function parameterOf(hash: string, name: string): string | null {
  const query = hash.split("?")[1];
  return query === undefined ? null : new URLSearchParams(query).get(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const hash = signal(globalThis.location?.hash ?? "");

export const route = computed(() => parseRoute(hash.value));

export const parameter = (name: string) => parameterOf(hash.value, name);

export function goTo(target: Exclude<Route, { screen: "unknown" }>): void {
  location.hash = hrefOf(target);
}

globalThis.addEventListener?.("hashchange", () => {
  hash.value = location.hash;
});
