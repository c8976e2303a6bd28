// The addresses that a text consists of; none if there is anything else in it.
export function addressesIn(text: string): string[] {
  const parts = text.split(/\s+/).filter(Boolean);
  return parts.every((part) => /^https:\/\/[^/]+/i.test(part) && URL.canParse(part)) ? parts : [];
}
