// Addresses in place of files: a field for them, and those that the daemon downloads now.

import { useLayoutEffect, useRef } from "preact/hooks";

import { request } from "../../../api/client.ts";
import { jobStore } from "../../../events/events.ts";
import type { Job } from "../../../events/types.ts";
import { addresses as de } from "../../../i18n/de/addresses.ts";
import { addresses as en } from "../../../i18n/en/addresses.ts";
import { textsOf } from "../../../i18n/i18n.ts";
import { chosenOptions } from "../../../state/chosen_options.ts";
import { jobFields } from "../../../state/job_options.ts";
import { say } from "../../../state/notices.ts";
import { serverOptions } from "../../../state/server_facts.ts";
import { Button } from "../../../ui/button.tsx";
import { FailureText } from "../../../ui/failure.tsx";
import { AddressRequests, type AddressRequest } from "./requests.ts";

const texts = textsOf({ en, de });

const keys = { start: crypto.getRandomValues(new Uint32Array(2)).join("-"), next: 0 };

const requests = new AddressRequests({
  submit: ({ key, url, fields }, signal) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    form.append("url", url);
    // The same key makes a repeated request the same job, wherever the first answer was lost.
    return request<Job>("POST", "/v1/jobs", { body: form, headers: { "idempotency-key": `page-url-${key}` }, signal });
  },
  submitted: (job) => jobStore.apply({ type: "job.created", job }),
  newKey: () => `${keys.start}-${(keys.next += 1)}`,
});

export function addAddress(url: string): void {
  requests.add(url, jobFields(chosenOptions.peek()));
  say(texts.added);
}

type PanelProps = { isOpen: boolean; close: () => void };

export function AddressPanel({ isOpen, close }: PanelProps) {
  return (
    <>
      {isOpen && <AddressForm close={close} />}
      {requests.all.value.length > 0 && (
        <section>
          <h2 class="group">{texts.title}</h2>
          <ul class="jobs">
            {requests.all.value.map((one) => (
              <Row key={one.key} one={one} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function AddressForm({ close }: { close: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const add = () => {
    const url = field.current?.value.trim() ?? "";
    if (url === "") return;
    addAddress(url);
    field.current!.value = "";
    field.current!.focus();
  };
  const hosts = serverOptions.value?.url_hosts ?? [];
  return (
    <form
      class="address-form"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <label>
        <span>{texts.address}</span>
        <input ref={field} type="url" required pattern="https://.+" title={texts.https} placeholder="https://" />
      </label>
      <Button type="submit" kind="main">
        {texts.add}
      </Button>
      <Button onClick={close}>{texts.close}</Button>
      <p class="meta">{hosts.includes("*") ? texts.https : texts.hosts(hosts.join(", "))}</p>
    </form>
  );
}

function Row({ one }: { one: AddressRequest }) {
  const { key, url, failure } = one;
  const drop = () => requests.drop(key);
  return (
    <li class="job" data-state={failure ? "refused" : "sending"}>
      <div class="job-main">
        <bdi class="job-title">{url}</bdi>
        {failure ? <FailureText failure={failure} /> : <p class="meta">{texts.downloading}</p>}
      </div>
      <div class="job-actions">
        {failure && (
          <Button aria-label={`${texts.tryAgain}: ${url}`} onClick={() => requests.retry(key)}>
            {texts.tryAgain}
          </Button>
        )}
        <Button aria-label={`${failure ? texts.remove : texts.stop}: ${url}`} onClick={drop}>
          {failure ? texts.remove : texts.stop}
        </Button>
      </div>
    </li>
  );
}
