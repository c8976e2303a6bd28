export const ui = {
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  notCopied: "The browser blocked copying. Select the text and copy it yourself.",
  about: (size: string) => `about ${size}`,
  andMore: (n: number) => `and ${n} more`,
  loading: "Loading …",
  unreachable: "scribed does not answer.",
  left: (span: string) => `${span} left`,
  amountOf: (done: string, total: string) => `${done} of ${total}`,
  perSecond: (amount: string) => `${amount}/s`,
};
