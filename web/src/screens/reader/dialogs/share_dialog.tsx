// Links by which others read and hear the recording, each with an end.
import { useEffect, useState } from "preact/hooks";
import { get, post, remove, type Failure } from "../../../api/client.ts";
import { formatMoment } from "../../../i18n/i18n.ts";
import { hrefOf } from "../../../router.ts";
import { notify } from "../../../state/notices.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy_button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FailureText, sentenceOf } from "../../../ui/failure.tsx";
import type { Desk } from "../desk.ts";
import { texts } from "./texts.ts";

type Share = { id: string; token?: string | null; created_at: number; ends_at: number };

const days = [1, 7, 30] as const;

export function ShareDialog({ desk }: { desk: Desk }) {
  const [shares, setShares] = useState<Share[]>([]);
  const [made, setMade] = useState<Share | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [end, setEnd] = useState<number>(7);
  const path = `${desk.reader.source.path}/shares`;

  const list = async () => {
    const answer = await get<{ data: Share[] }>(path);
    if (answer.ok) setShares(answer.value.data);
    else setFailure(answer.error);
  };
  useEffect(() => void list(), []);

  const share = async () => {
    const answer = await post<Share>(path, { ends_in_s: end * 86_400 });
    if (!answer.ok) return setFailure(answer.error);
    setMade(answer.value);
    await list();
  };
  const revoke = async (id: string) => {
    const answer = await remove(`${path}/${encodeURIComponent(id)}`);
    if (!answer.ok) return notify({ text: sentenceOf(answer.error), bad: true });
    if (made?.id === id) setMade(null);
    await list();
  };

  return (
    <Dialog title={texts.share} class="share" onClose={() => desk.show(null)}>
      <p>{texts.shareText}</p>
      {failure ? (
        <FailureText failure={failure} />
      ) : (
        <div class="row">
          <label>
            {texts.shareFor}
            <select value={String(end)} onChange={(event) => setEnd(Number(event.currentTarget.value))}>
              {days.map((count) => (
                <option key={count} value={String(count)}>
                  {texts.days(count)}
                </option>
              ))}
            </select>
          </label>
          <Button kind="main" icon="share" onClick={() => void share()}>
            {texts.makeLink}
          </Button>
        </div>
      )}
      {made?.token && <Link address={addressOf(made.token)} />}
      {shares.length > 0 && (
        <>
          <h3>{texts.links}</h3>
          <ul class="version-list">
            {shares.map((one) => (
              <li key={one.id}>
                <span class="meta">{texts.linkUntil(formatMoment(one.created_at), formatMoment(one.ends_at))}</span>
                <Button onClick={() => void revoke(one.id)}>{texts.revoke}</Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

const addressOf = (token: string) =>
  new URL(hrefOf({ screen: "shared", token }), document.baseURI).href;

function Link({ address }: { address: string }) {
  return (
    <div class="row made-link">
      <input
        type="text"
        readOnly
        aria-label={texts.theLink}
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={address} what={texts.theLink} />
    </div>
  );
}
