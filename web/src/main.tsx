import { render } from "preact";
import { startPageEvents } from "./events/events.ts";
import { startRecordings } from "./screens/recordings/start.ts";
import { App } from "./shell/app.tsx";
import { handleKey } from "./state/keys.ts";
import { applySettings } from "./state/settings.ts";
import { watchConnection } from "./state/connection.ts";

applySettings(document.documentElement);
watchConnection();
startPageEvents();
startRecordings();
addEventListener("keydown", handleKey);
render(<App />, document.getElementById("app")!);
