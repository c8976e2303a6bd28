// The first file of the page: it chooses the language, in which there is a whole set of files.
import { chooseLanguage } from "./i18n/choose_language.ts";
import { readStored } from "./state/stored.ts";

const stored = readStored("language") ?? "auto";
const language = chooseLanguage(stored === "auto" ? navigator.languages : [stored]);
document.documentElement.lang = language;
const main = `./${language}/main.js`; // named here, so that the build leaves it to the browser
void import(main);
