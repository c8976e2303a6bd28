// A button with a menu on the browser's popover: it closes by Escape and by a click elsewhere.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export type MenuItem = {
  label: string;
  icon?: IconName;
  danger?: boolean;
  disabled?: boolean;
} & ({ run: () => void } | { href: string; download?: string });

export type MenuProps = Omit<ButtonProps, "children"> & {
  items: readonly MenuItem[];
  children?: ComponentChildren; // what the button says
};

const gap = 4; // pixels between the button and its menu, and to the window's edge

// Puts the menu below its button, or above where there is no room.
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const below = at.bottom + gap + size.height <= innerHeight;
  const left = Math.min(at.left, document.documentElement.clientWidth - size.width - gap);
  menu.style.left = `${Math.max(gap, left)}px`;
  menu.style.top = `${Math.max(gap, below ? at.bottom + gap : at.top - size.height - gap)}px`;
}

function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
  const items = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const targets: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at + items.length - 1) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items[target]?.focus();
}

export function Menu({ items, children, ...button }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => menu.current?.hidePopover();

  const moved = useRef(() => {
    if (menu.current && opener.current) place(menu.current, opener.current);
  });

  useEffect(() => () => removeEventListener("resize", moved.current), []);

  // The browser would open it too, but tells of that a moment later: Enter that follows at once would
  // close it again, not choose.
  const toggle = (event: Event) => {
    event.preventDefault();
    menu.current?.togglePopover();
    if (!menu.current?.matches(":popover-open")) return;
    moved.current();
    menu.current.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  };

  const onToggle = (event: { newState: string }) => {
    const open = event.newState === "open";
    opener.current?.setAttribute("aria-expanded", String(open));
    if (open) addEventListener("resize", moved.current);
    else removeEventListener("resize", moved.current);
  };

  return (
    <>
      <Button
        {...button}
        ref={opener}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={toggle}
      >
        {children}
      </Button>
      <div
        id={id}
        ref={menu}
        popover="auto"
        role="menu"
        class="menu"
        aria-label={button.label}
        onToggle={onToggle}
        onKeyDown={(event) => menu.current && moveFocus(menu.current, event)}
      >
        {items.map((item) => (
          <Item key={item.label} item={item} close={close} />
        ))}
      </div>
    </>
  );
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  const inside = (
    <>
      {item.icon && <Icon name={item.icon} />}
      {item.label}
    </>
  );
  const className = item.danger ? "bad" : "";
  if ("href" in item) {
    return (
      <a role="menuitem" class={className} href={item.href} download={item.download} onClick={close}>
        {inside}
      </a>
    );
  }
  const choose = () => {
    close();
    item.run();
  };
  return (
    <button
      type="button"
      role="menuitem"
      class={className}
      disabled={item.disabled ?? false}
      onClick={choose}
    >
      {inside}
    </button>
  );
}
