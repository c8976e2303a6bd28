export const reader = {
  title: "Transcript",
  back: "Recordings",
};
