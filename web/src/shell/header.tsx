import { useEffect } from "preact/hooks";
import { keyWanted } from "../api/client.ts";
import { textsOf } from "../i18n/i18n.ts";
import { shell as en } from "../i18n/en/shell.ts";
import { shell as de } from "../i18n/de/shell.ts";
import { hrefOf, route, type Route } from "../router.ts";
import { reconnections } from "../state/connection.ts";
import { loadStatus, serverStatus } from "../state/server_status.ts";
import { canSignOut, may, session, signOut } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { fetchScreen } from "./current_screen.tsx";

const texts = textsOf({ en, de });

const targets = [
  { screen: "recordings" },
  { screen: "live" },
  { screen: "models" },
  { screen: "storage" },
  { screen: "system" },
] as const satisfies readonly Route[];

export function Header({ onKeys }: { onKeys: () => void }) {
  const at = route.value.screen;
  // A guest with a link has no other screens to go to.
  const guest = at === "shared" || keyWanted.value;
  return (
    <header class="page-header">
      <span class="brand">scribed</span>
      {!guest && (
        <nav aria-label={texts.navigation}>
          {targets.map((target) => (
            <a
              key={target.screen}
              href={hrefOf(target)}
              onPointerEnter={() => fetchAhead(target.screen)}
              onFocus={() => fetchAhead(target.screen)}
              aria-current={isPart(at, target.screen) ? "page" : undefined}
            >
              {texts.screens[target.screen]}
            </a>
          ))}
        </nav>
      )}
      {!guest && <ServerLine />}
      {!guest && canSignOut.value && (
        <Button onClick={() => void signOut()}>
          {texts.signOut(session.value?.name ?? "")}
        </Button>
      )}
      <Button icon="keys" label={texts.keysPanel} onClick={onKeys} />
    </header>
  );
}

function fetchAhead(screen: (typeof targets)[number]["screen"]): void {
  if (screen !== "recordings") fetchScreen(screen);
}

function isPart(at: Route["screen"], target: Route["screen"]): boolean {
  return at === target || (at === "reader" && target === "recordings");
}

// "base - cpu, int8 - 2 waiting"
function ServerLine() {
  const rounds = reconnections.value;
  const allowed = may("read_status");
  useEffect(() => {
    if (allowed) void loadStatus();
  }, [rounds, allowed]);
  const status = serverStatus.value;
  if (status === null) return <span class="server-line meta" />;
  const model = status.models.find((one) => one.name === status.default_model) ?? status.models[0];
  const parts = [
    model?.name ?? status.default_model,
    model?.device ? [model.device, model.compute_type].filter(Boolean).join(", ") : "",
    status.queue.running > 0 ? texts.running(status.queue.running) : "",
    status.queue.waiting > 0 ? texts.waiting(status.queue.waiting) : "",
  ];
  return <span class="server-line meta">{parts.filter((part) => part !== "").join(" · ")}</span>;
}
