// Icons as paths on a grid of 24, drawn with the colour of the text. They never stand alone: a
// button with an icon alone has a label.
const paths = {
  ahead: "M5 6l7 6-7 6zM12 6l7 6-7 6z",
  back: "M19 6l-7 6 7 6zM12 6l-7 6 7 6z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  down: "M6 9l6 6 6-6",
  download: "M12 4v11m-5-4.5l5 4.5 5-4.5M5 20h14",
  edit: "M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3",
  find: "M11 4a7 7 0 110 14 7 7 0 010-14zm5 12l4.5 4.5",
  follow: "M12 5v14M6 13l6 6 6-6",
  keys: "M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M7 14.5h10",
  microphone: "M12 3a3 3 0 013 3v6a3 3 0 01-6 0V6a3 3 0 013-3zM6 11.5a6 6 0 0012 0M12 17.5V21",
  more: "M4.5 12a.5.5 0 101 0 .5.5 0 10-1 0m7 0a.5.5 0 101 0 .5.5 0 10-1 0m7 0a.5.5 0 101 0 .5.5 0 10-1 0",
  pause: "M9 5v14M15 5v14",
  people: "M9 4a3.5 3.5 0 110 7 3.5 3.5 0 010-7zM3 19c0-3.5 2.5-5 6-5s6 1.5 6 5M16 5a3 3 0 010 6M17 14c2.5.5 4 2 4 5",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  play: "M8 5l11 7-11 7z",
  plus: "M12 5v14M5 12h14",
  redo: "M16 5l4 4-4 4M20 9H10a5 5 0 000 10h3",
  share: "M12 15V4m-4 3.5L12 4l4 3.5M6 11H5v9h14v-9h-1",
  stop: "M6.5 6.5h11v11h-11z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 010 10h-3",
  up: "M6 15l6-6 6 6",
  upload: "M12 16V5m-5 4.5L12 5l5 4.5M5 20h14",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
