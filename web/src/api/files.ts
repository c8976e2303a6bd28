// Returns the address of a file of the page that no import names, as a worklet: fileUrl("capture.js").
// main.js lies in the folder of a language, one below these files.
export const fileUrl = (name: string): string => new URL(`../${name}`, import.meta.url).href;
