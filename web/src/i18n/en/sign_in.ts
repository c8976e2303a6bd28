export const signIn = {
  title: "This server requires a key.",
  text: "Ask its administrator for one.",
  key: "Key",
  button: "Sign in",
  empty: "Type or paste the key.",
  unknown: "This key is not valid here.",
};
