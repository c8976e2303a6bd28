import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./icon.tsx";

type Common = {
  kind?: "main" | "plain" | "danger"; // plain where it is missing
  icon?: IconName;
  // The name of a button that shows an icon alone, also its tooltip.
  label?: string;
  children?: ComponentChildren;
};

export type ButtonProps = Common &
  Omit<JSX.IntrinsicElements["button"], "icon" | "label" | "kind" | "children">;

function classOf({ kind = "plain", children }: Common, more: unknown): string {
  return ["button", kind, children === undefined ? "bare" : "", more ?? ""].join(" ").trim();
}

export function Button({ kind, icon, label, children, class: more, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...(label === undefined ? {} : { "aria-label": label, title: label })}
      {...rest}
      class={classOf({ ...(kind ? { kind } : {}), children }, more)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type LinkProps = Common & {
  href: string;
  download?: string | boolean;
  target?: string;
  class?: string;
};

// A link that looks like a button, for addresses: downloads, other screens.
export function ButtonLink({ kind, icon, label, children, class: more, ...rest }: LinkProps) {
  return (
    <a
      {...(label === undefined ? {} : { "aria-label": label, title: label })}
      {...rest}
      class={classOf({ ...(kind ? { kind } : {}), children }, more)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
