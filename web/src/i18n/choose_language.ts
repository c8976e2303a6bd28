export type Language = "en" | "de";

const languages: readonly Language[] = ["en", "de"];

// Returns the first of the wanted languages that there is, English where there is none.
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((one) => tag.toLowerCase().split("-")[0] === one);
    if (found) return found;
  }
  return "en";
}
