// Texts that this browser keeps. It may refuse to; then they hold until the page is closed.
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`scribed.${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`scribed.${name}`, value);
  } catch {
    // Nothing is lost but the choice.
  }
}
