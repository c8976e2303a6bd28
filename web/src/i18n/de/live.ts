import type { live as english } from "../en/live.ts";

export const live: typeof english = {
  title: "Live",
  insecure: "Browser geben ein Mikrofon nur über https und localhost her.",
};
