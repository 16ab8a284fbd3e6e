import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { millisOf } from "../../text/instant-text.ts";

/** When Kubernetes ends a Job because of its deadline; `undefined` for a Job without one, or that does not run. */
export function deadlineOf({ spec, status, startedAt, verdict }: Deadlined): string | undefined {
  const from = millisOf(status.startTime ?? startedAt);
  const { activeDeadlineSeconds } = spec;
  if (activeDeadlineSeconds === undefined || from === undefined || verdict.final || spec.suspend) return undefined;
  return new Date(from + activeDeadlineSeconds * 1_000).toISOString();
}

interface Deadlined extends Pick<JobAnswer, "startedAt" | "status"> {
  readonly spec: Pick<JobAnswer["spec"], "activeDeadlineSeconds" | "suspend">;
  readonly verdict: Pick<JobAnswer["verdict"], "final">;
}
