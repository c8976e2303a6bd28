export const ui = {
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  notCopied: "The browser does not let this page copy. Select the text and copy it by hand.",
  about: (size: string) => `about ${size}`,
  andMore: (n: number) => `and ${n} more`,
  loading: "Loading …",
  unreachable: "scribed does not answer.",
  left: (span: string) => `${span} left`,
  amountOf: (done: string, total: string) => `${done} of ${total}`,
  perSecond: (amount: string) => `${amount}/s`,
};
