// Which screen belongs to which address. The first one is part of the first files; the transcript is
// fetched when the browser has nothing else to do, the others when somebody is about to open them.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { textsOf } from "../i18n/i18n.ts";
import { shell as en } from "../i18n/en/shell.ts";
import { shell as de } from "../i18n/de/shell.ts";
import { hrefOf, route } from "../router.ts";
import { Recordings } from "../screens/recordings/recordings.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Loading } from "../ui/loading.tsx";
import { useTitle } from "../ui/title.ts";

const texts = textsOf({ en, de });

type Loader<Props> = () => Promise<ComponentType<Props>>;

const load = {
  reader: () => import("../screens/reader/reader.tsx").then((module) => module.Reader),
  shared: () => import("../screens/reader/reader.tsx").then((module) => module.Shared),
  live: () => import("../screens/live/live.tsx").then((module) => module.Live),
  models: () => import("../screens/models/models.tsx").then((module) => module.Models),
  system: () => import("../screens/system/system.tsx").then((module) => module.System),
  storage: () => import("../screens/storage/storage.tsx").then((module) => module.StorageScreen),
  signIn: () => import("../screens/sign_in/sign_in.tsx").then((module) => module.SignIn),
  keys: () => import("./keys_panel.tsx").then((module) => module.KeysPanel),
};

const Reader = lazy(load.reader);
const Shared = lazy(load.shared);
const Live = lazy(load.live);
const Models = lazy(load.models);
const System = lazy(load.system);
const StorageScreen = lazy(load.storage);
const SignIn = lazy(load.signIn);
export const KeysPanel = lazy(load.keys);

export function CurrentScreen({ signIn }: { signIn: boolean }) {
  if (signIn) return <SignIn />;
  const at = route.value;
  switch (at.screen) {
    case "recordings":
      return <Recordings />;
    case "reader":
      return <Reader key={at.id} id={at.id} />;
    case "shared":
      return <Shared key={at.token} token={at.token} />;
    case "live":
      return <Live />;
    case "models":
      return <Models />;
    case "system":
      return <System />;
    case "storage":
      return <StorageScreen />;
    case "unknown":
      return <Unknown />;
  }
}

// Fetches the files of a screen, so that it opens at once.
export function fetchScreen(screen: keyof typeof load): void {
  void load[screen]().catch(() => undefined);
}

// Most people go on to a transcript; what the list itself needs comes first.
export function fetchReaderLater(): void {
  setTimeout(() => fetchScreen("reader"), 1000);
}

function lazy<Props extends object>(loader: Loader<Props>) {
  let Loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [state, setState] = useState<"loading" | "here" | "failed">(Loaded ? "here" : "loading");
    useEffect(() => {
      loader().then(
        (component) => {
          Loaded = component;
          setState("here");
        },
        () => setState("failed"),
      );
    }, []);
    if (Loaded) return <Loaded {...props} />;
    return state === "failed" ? <NotLoaded /> : <Loading />;
  };
}

// The files of a page lie under the version that it was opened with; another one has others.
function NotLoaded() {
  return (
    <>
      <h1>{texts.oldPage}</h1>
      <p>{texts.oldPageText}</p>
      <Button kind="main" onClick={() => location.reload()}>
        {texts.reload}
      </Button>
    </>
  );
}

function Unknown() {
  useTitle(texts.unknown);
  return (
    <>
      <h1>{texts.unknown}</h1>
      <p>
        <ButtonLink href={hrefOf({ screen: "recordings" })}>{texts.toRecordings}</ButtonLink>
      </p>
    </>
  );
}
