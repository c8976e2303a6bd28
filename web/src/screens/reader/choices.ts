// What a person has chosen for reading, kept in this browser.
import { keptChoice } from "../../state/settings.ts";

export const tabPlays = keptChoice<"off" | "on">("tab_plays", ["off", "on"]);
export const unsureBelow = keptChoice<"0.3" | "0.5" | "0.7">("unsure_below", ["0.5", "0.3", "0.7"]);
