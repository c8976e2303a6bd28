// Addresses in place of files, where the server downloads them. The rest is loaded with the first.

import { signal } from "@preact/signals";

import { serverOptions } from "../../state/server_facts.ts";

type Panel = typeof import("./addresses/address_panel.tsx");

const panel = signal<Panel | null>(null);

// Whether the field for an address is shown.
export const isAddressFormOpen = signal(false);

const setOpen = (isOpen: boolean) => (isAddressFormOpen.value = isOpen);

export const takesAddresses = () => (serverOptions.value?.url_hosts ?? []).length > 0;

export async function openAddressForm(): Promise<void> {
  await loadPanel();
  setOpen(true);
}

export async function takeAddresses(urls: readonly string[]): Promise<void> {
  const { addAddress } = await loadPanel();
  for (const url of urls) addAddress(url);
}

async function loadPanel(): Promise<Panel> {
  panel.value ??= await import("./addresses/address_panel.tsx");
  return panel.value;
}

export function Addresses({ closed }: { closed: () => void }) {
  const close = () => {
    setOpen(false);
    closed();
  };
  return panel.value && <panel.value.AddressPanel isOpen={isAddressFormOpen.value} close={close} />;
}
