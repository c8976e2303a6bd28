// A button that chooses files. The browser's own field cannot be styled, so the button presses it.
import { useRef } from "preact/hooks";
import { Button } from "./button.tsx";

type FileButtonProps = {
  label: string;
  onFiles: (files: File[]) => void;
  kind?: "main";
  folder?: boolean; // a whole folder is chosen
};

export function FileButton({ label, onFiles, kind, folder = false }: FileButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  const take = () => {
    const files = [...(field.current?.files ?? [])];
    // The same file can be chosen again only if the field has forgotten it.
    if (field.current) field.current.value = "";
    if (files.length > 0) onFiles(files);
  };
  return (
    <>
      <Button
        {...(kind ? { kind } : {})}
        {...(folder ? { class: "for-folders" } : {})}
        onClick={() => field.current?.click()}
      >
        {label}
      </Button>
      <input ref={field} type="file" hidden multiple {...{ webkitdirectory: folder }} onChange={take} />
    </>
  );
}
