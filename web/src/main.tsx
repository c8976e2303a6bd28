import { render } from "preact";
import { App } from "./shell/app.tsx";
import { handleKey } from "./state/keys.ts";
import { applySettings } from "./state/settings.ts";
import { watchConnection } from "./state/connection.ts";

applySettings(document.documentElement);
watchConnection();
addEventListener("keydown", handleKey);
render(<App />, document.getElementById("app")!);
