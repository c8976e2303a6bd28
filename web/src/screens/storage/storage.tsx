// How much of the disk recordings and their texts use, and what can be deleted.
import { useEffect } from "preact/hooks";
import type { OwnerStorage, ServerStorage, Storage } from "../../api/types.ts";
import { formatBytes, textsOf } from "../../i18n/i18n.ts";
import { storage as en } from "../../i18n/en/storage.ts";
import { storage as de } from "../../i18n/de/storage.ts";
import { reconnections } from "../../state/connection.ts";
import { Facts } from "../../ui/facts.tsx";
import { FailureText } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useTitle } from "../../ui/title.ts";
import { largestOf, oldestOf } from "./inventory.ts";
import { OldOnes } from "./old_ones.tsx";
import { inventory, loadInventory, storage, watchStorage } from "./storage_state.ts";
import { StoredList } from "./stored_list.tsx";
import { UseBar } from "./use_bar.tsx";

const texts = textsOf({ en, de });

const most_listed = 10;

export function StorageScreen() {
  const rounds = reconnections.value;
  useTitle(texts.title);
  useEffect(() => {
    const leaving = new AbortController();
    void loadInventory(leaving.signal);
    return () => leaving.abort();
  }, [rounds]);
  useEffect(watchStorage, []);
  const answer = storage.value;
  return (
    <>
      <h1>{texts.title}</h1>
      {answer === null && <Loading />}
      {answer?.ok === false && <FailureText failure={answer.error} />}
      {answer?.ok && <Content used={answer.value} />}
    </>
  );
}

function Content({ used }: { used: Storage }) {
  const { all, isWhole, failure } = inventory.value;
  return (
    <>
      <p class="headline">
        <strong>{usedWords(used)}</strong>
      </p>
      <UseBar used={used} />
      {used.server && <Server server={used.server} />}
      {used.owners && <Owners owners={used.owners} own={used.owner} />}
      {!isWhole && failure === null && <p class="meta">{texts.reading(all.length)}</p>}
      {failure && <FailureText failure={failure} />}
      {isWhole && all.length === 0 && <p class="meta">{texts.nothing}</p>}
      {all.length > 0 && (
        <>
          <OldOnes all={all} isWhole={isWhole} />
          <StoredList title={texts.largest} jobs={largestOf(all, most_listed)} />
          <StoredList title={texts.oldest} jobs={oldestOf(all, most_listed)} />
        </>
      )}
    </>
  );
}

function usedWords({ used_bytes, limit_bytes }: Pick<Storage, "used_bytes" | "limit_bytes">): string {
  const used = formatBytes(used_bytes);
  return limit_bytes === null ? texts.used(used) : texts.usedOf(used, formatBytes(limit_bytes));
}

function Server({ server }: { server: ServerStorage }) {
  const isFull = server.free_bytes < server.min_free_bytes;
  return (
    <>
      {isFull && <p class="bad">{texts.full(formatBytes(server.min_free_bytes))}</p>}
      <Facts
        rows={[
          [texts.ofAll, usedWords(server)],
          [texts.free, formatBytes(server.free_bytes)],
        ]}
      />
    </>
  );
}

// Whoever is alone on a server has seen it all above.
function Owners({ owners, own }: { owners: readonly OwnerStorage[]; own: string }) {
  if (owners.every(({ owner }) => owner === own)) return null;
  const largestFirst = [...owners].sort((a, b) => b.used_bytes - a.used_bytes);
  return (
    <section>
      <h2>{texts.byOwner}</h2>
      <ul class="stored">
        {largestFirst.map((one) => (
          <li key={one.owner}>
            <p>
              <strong>
                <bdi>{one.owner}</bdi>
              </strong>{" "}
              {usedWords(one)}
            </p>
            <p class="meta">
              {[
                texts.audioOf(formatBytes(one.audio_bytes)),
                texts.transcriptsOf(formatBytes(one.transcript_bytes)),
                texts.uploadsOf(formatBytes(one.upload_bytes)),
              ].join(" · ")}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
