import type { RunVerdict } from "../../parents/run/derive-run.ts";
import type { RunAttempt } from "../../parents/run/run-attempts.ts";
import type { JobAnswer, QueueAnswer, Waiting } from "../answer-document.ts";
import { openWait } from "./queue-text.ts";
import type { RunAnswer } from "./run-document.ts";
import type { RunMember } from "./run-record.ts";

/** Why a Job of a run does not start. The run itself is known to be suspended, or to wait in a queue. */
export function ownWaiting({ waiting }: Pick<JobAnswer, "waiting">): Waiting | undefined {
  return waiting === undefined || waiting.reason === "Suspended" || waiting.reason === "Queued" ? undefined : waiting;
}

/** Why a run does not run: its queue, otherwise the Job of its last attempt that has waited longest. */
export function waitingOf(
  { state, final }: RunVerdict,
  queue: QueueAnswer | undefined,
  jobs: readonly (readonly [RunAttempt["jobs"][number], Pick<RunMember, "waiting"> | undefined])[],
): RunAnswer["waiting"] {
  if (final) return undefined;
  const wait = queue && openWait(queue);
  if (state === "Queued" && queue !== undefined && wait !== undefined) {
    const message = `queued by Kueue in queue ${queue.name}: ${wait.message ?? wait.reason}`;
    return { reason: "Queued", message, since: wait.from, podCount: 0, evidence: [] };
  }
  const waits = jobs.flatMap(([{ name }, member]) =>
    member?.waiting === undefined ? [] : [{ ...member.waiting, job: name }],
  );
  return waits.sort((a, b) => (a.since < b.since ? -1 : 1))[0];
}
