import type { Waiting, WaitingShows } from "../../job/cause/waiting-cause.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { describeWaitingShown, remediesForWaiting, waitingText } from "../cause/explain-waiting.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, FindInWaiting, KindText } from "./finding-registration.ts";
import type { FindingOf } from "./finding-search.ts";

/** A Job that has been waiting for so long that it needs attention. */
export type LongWaiting = FindingOf<"Waiting", { readonly waiting: Waiting }, WaitingShows>;

/** After this long a Job that waits needs attention: 5 minutes. */
export const WAITING_AFTER_MS = 300_000;

/** A suspended or queued Job, and one without parallelism, waits on purpose and never needs attention for it. */
const ON_PURPOSE: ReadonlySet<Waiting["reason"]> = new Set(["Suspended", "Queued", "Parallelism"]);

const find: FindInWaiting<LongWaiting> = (waiting, { now }) => {
  const { reason, since, pods, podCount, evidence } = waiting;
  if (ON_PURPOSE.has(reason) || now - since < WAITING_AFTER_MS) return [];
  return [{ kind: "Waiting", waiting, since, pods, podCount, evidence }];
};

export const longWaitingText: KindText = {
  title: "Not running",
  meaning: "A Job, or some of its Pods, have been waiting for longer than the threshold.",
};

export const longWaiting: FindingRegistration<LongWaiting> = {
  rule: { of: "waitingJob", find },
  message: ({ waiting, podCount = 0 }) =>
    `${subjectOf(podCount)} been waiting since ${formatInstant(waiting.since)}: ${waitingText(waiting)}.`,
  evidence: ({ evidence }) => presentAll(evidence, describeWaitingShown),
  remedies: ({ waiting }) => remediesForWaiting(waiting),
  headline: "none",
};

function subjectOf(podCount: number): string {
  if (podCount === 0) return "The Job has";
  return podCount === 1 ? "1 Pod has" : `${podCount} Pods have`;
}
