export const ui = {
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  notCopied: "The browser does not let this page copy. Select the text and copy it by hand.",
  loading: "Loading …",
  unreachable: "scribed does not answer.",
};
