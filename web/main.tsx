import { signal } from "@preact/signals";
import { render } from "preact";
import type { PageConfig } from "../src/http/page/page-config.ts";
import { startChangeStream } from "./api/changes.ts";
import { startVisits } from "./attention/visit-store.ts";
import { readConfiguration } from "./api/configuration.ts";
import { finishSignIn, isBackFromIssuer } from "./api/oidc.ts";
import { App } from "./shell/app.tsx";
import { preloadView } from "./shell/current-view.tsx";
import { startClock } from "./shell/clock.ts";
import { startBadge } from "./shell/badge.ts";
import { startKeyboard } from "./shell/keyboard.ts";
import { startTheme } from "./shell/theme.ts";
import { isDemo } from "./tour/tour.ts";

preloadView();
startTheme();
startClock();
startKeyboard();
startBadge();
startVisits();

const config = signal<PageConfig | undefined>(undefined);
// Requests need not wait for the configuration, except after a sign-in, whose token is still missing.
if (!isBackFromIssuer()) show();
const read = await readConfiguration();
if (isBackFromIssuer()) {
  if (read.signIn.kind === "oidc") await finishSignIn(read.signIn);
  show();
}
config.value = read;
isDemo.value = read.demo === true;

function show(): void {
  const page = document.getElementById("page");
  page?.replaceChildren();
  if (page !== null) render(<App config={config} />, page);
  startChangeStream();
}
