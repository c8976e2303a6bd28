import type { signIn as english } from "../en/sign_in.ts";

export const signIn: typeof english = {
  title: "Dieser Server fragt nach einem Schlüssel.",
  text: "Wer ihn betreibt, hat einen für Sie.",
  key: "Schlüssel",
  button: "Anmelden",
  empty: "Bitte den Schlüssel eintippen oder einfügen.",
  unknown: "Dieser Schlüssel ist hier nicht bekannt.",
};
