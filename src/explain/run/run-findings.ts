import { formatInstant } from "../../job/model/instant.ts";
import { sentence } from "../../job/text/sentence.ts";
import type { DerivedRun } from "../../parents/run/derive-run.ts";
import { currentJobs } from "../../parents/run/run-attempts.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import type { Finding } from "../answer-document.ts";
import type { RunAnswer } from "./run-document.ts";

/** What the findings of a run are derived from. */
export interface ReportedRun {
  readonly identity: Pick<RunAnswer, "kind" | "name">;
  /** The object that reported. Without one, the verdict is what the Jobs show. */
  readonly parent: ParentRecord | undefined;
  readonly derived: DerivedRun;
}

/**
 * `ContradictingStatus`: the object reported an end that is the opposite of what the Jobs of its last attempt show. An
 * operator may have lost a Job, or counted one twice.
 */
export function runFindings({ identity, parent, derived }: ReportedRun): readonly Finding[] {
  const { verdict, attempts, observed } = derived;
  const contradiction = contradictionOf(verdict.state, observed, currentJobs(attempts.at(-1)));
  if (parent?.last === undefined || contradiction === undefined) return [];
  const { kind, name } = identity;
  const reason = verdict.reason === undefined ? "" : ` (${verdict.reason})`;
  const { at, resourceVersion } = parent.last;
  const since = verdict.since ?? at;
  return [
    {
      kind: "ContradictingStatus",
      message: sentence(`${kind} ${name} reported ${verdict.state}${reason}, but ${contradiction}`),
      since: formatInstant(since),
      evidence: [
        {
          kind: "ParentObserved",
          time: formatInstant(at),
          resourceVersion: String(resourceVersion),
          object: `${kind.toLowerCase()}/${name}`,
          detail: `reported ${verdict.state}${reason}`,
        },
      ],
    },
  ];
}

/** Pods without a Job are left out: one that failed may have been tried again. */
function contradictionOf(
  reported: RunAnswer["verdict"]["state"],
  observed: RunAnswer["verdict"]["state"],
  jobs: readonly { readonly name: string; readonly state: string }[],
): string | undefined {
  if (jobs.length === 0) return undefined;
  if (reported === "Failed" && observed === "Complete") {
    return jobs.length === 1 ? "its Job is complete" : `all ${jobs.length} of its Jobs are complete`;
  }
  const failed = jobs.find(({ state }) => state === "Failed");
  return reported === "Complete" && failed !== undefined ? `its Job ${failed.name} failed` : undefined;
}
