import { route } from "../shell/location.ts";
import { runOfRoute } from "../shell/route.ts";
import { RunList } from "./run-list.tsx";
import { RunPage } from "./run-page.tsx";

/** All runs, or one: `#/runs`, `#/runs/prod/training/jobset/llama?uid=...`. */
export function RunsView() {
  const run = runOfRoute(route.value);
  return run === undefined ? <RunList /> : <RunPage run={run} />;
}
