export const signIn = {
  title: "This server asks for a key.",
  text: "Whoever runs it has one for you.",
  key: "Key",
  button: "Sign in",
  empty: "Type or paste the key.",
  unknown: "This key is not known here.",
};
