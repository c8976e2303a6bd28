import { useEffect } from "preact/hooks";

// Names the window after what it shows.
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "scribed" : `${title} – scribed`;
  }, [title]);
}
