import { useEffect, useState } from "preact/hooks";

// False at first, true when it has taken longer than anyone notices: for words such as "Loading".
export function useLater(milliseconds = 300): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return late;
}
