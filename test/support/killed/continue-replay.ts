import type { ReplayPorts, ReplayRun } from "../../../src/upkeep/replay/replay-run.ts";
import { type Finished, runReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { readCheckpoint } from "../../../src/upkeep/replay/stored-checkpoint.ts";

export type Continued = Finished | { readonly outcome: "none" };

/** Continues the running replay in this process. `none`: no replay is running. */
export async function continueReplay(ports: ReplayPorts, run: ReplayRun): Promise<Continued> {
  const stored = await readCheckpoint(ports.meta);
  if (stored === undefined || stored.checkpoint.stage.stage === "ended") return { outcome: "none" };
  return runReplay(ports, run, stored);
}
