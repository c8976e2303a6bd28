import type { signIn as english } from "../en/sign_in.ts";

export const signIn: typeof english = {
  title: "Dieser Server verlangt einen Schlüssel.",
  text: "Fragen Sie den Administrator danach.",
  key: "Schlüssel",
  button: "Anmelden",
  empty: "Bitte den Schlüssel eintippen oder einfügen.",
  unknown: "Dieser Schlüssel ist hier nicht gültig.",
};
