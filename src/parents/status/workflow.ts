import { parseInstant } from "../../job/model/instant.ts";
import type { ReportedState, WatchedStatus } from "./watched-status.ts";

const PHASES: ReadonlyMap<string, ReportedState["state"]> = new Map([
  ["Succeeded", "Complete"],
  ["Failed", "Failed"],
  ["Error", "Failed"],
]);

/** argoproj.io (Argo Workflows 3.7, workflow/common/common.go). Its label has the phase. */
export const WORKFLOW: WatchedStatus = {
  kind: "Workflow",
  resource: "workflows.argoproj.io",
  apiVersions: ["argoproj.io/v1alpha1"],
  fields: {
    phase: ["metadata", "labels", "workflows.argoproj.io/phase"],
    startedAt: "status.startedAt",
    finishedAt: "status.finishedAt",
  },
  instants: ["startedAt", "finishedAt"],
  attempt: () => "0",
  startsPods: true,
  jobsBy: "number",
  state: ({ fields: { phase = "", finishedAt } }) => {
    const state = PHASES.get(phase);
    const since = parseInstant(finishedAt);
    return state === undefined ? undefined : { state, ...(since !== undefined && { since }) };
  },
  attemptState: () => undefined,
};
