import { render } from "preact";
import { startHearing } from "./ask/changes.ts";
import { readConfiguration } from "./ask/configuration.ts";
import { finishSignIn } from "./ask/oidc.ts";
import { App } from "./shell/app.tsx";
import { startClock } from "./shell/clock.ts";
import { startKeyboard } from "./shell/keyboard.ts";
import { startTheme } from "./shell/theme.ts";

startTheme();
startClock();
startKeyboard();

const config = await readConfiguration();
if (config.signIn.kind === "oidc") await finishSignIn(config.signIn);
const page = document.getElementById("page");
startHearing();
if (page !== null) render(<App config={config} />, page);
