import { type Evidence, jobEvidence } from "../../job/model/evidence.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { type Expected, slowAfter } from "../../parents/series/expectation.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindInExpectation, FindingRegistration, KindText } from "./finding-registration.ts";
import type { FindingOf } from "./finding-search.ts";

/** A Job that has been running for much longer than the past runs of its series took. */
export type SlowerThanUsual = FindingOf<
  "SlowerThanUsual",
  {
    /** Milliseconds since its creation, without suspended time. */
    readonly elapsed: number;
    readonly usual: Pick<Expected, "runs" | "p90" | "max">;
  },
  SlowerThanUsualShows
>;
type SlowerThanUsualShows = { readonly what: "created" };

const find: FindInExpectation<SlowerThanUsual> = (expectation, { job, verdict, now }) => {
  if (expectation.outcome !== "expected" || verdict.state !== "Running") return [];
  const { elapsed, expected } = expectation;
  const { runs, p90, max } = expected;
  const late = elapsed - slowAfter(expected);
  if (late <= 0) return [];
  const evidence: readonly Evidence<SlowerThanUsualShows>[] =
    job.created === undefined ? [] : [jobEvidence(job, job.created, { what: "created" })];
  return [{ kind: "SlowerThanUsual", elapsed, usual: { runs, p90, max }, since: now - late, evidence }];
};

export const slowerThanUsualText: KindText = {
  title: "Slower than usual",
  meaning: "A Job has been running for much longer than each of the last successful runs of its series.",
};

export const slowerThanUsual: FindingRegistration<SlowerThanUsual> = {
  rule: { of: "expectedJob", find },
  message: ({ elapsed, usual: { runs, p90, max } }) =>
    `The Job has been running for ${durationText(elapsed)}: of the last ${runs} successful runs, nine in ten took at ` +
    `most ${durationText(p90)}, and the longest took ${durationText(max)}.`,
  evidence: ({ evidence }) => presentAll(evidence, () => "was created"),
  remedies: () => [
    "Look at the logs of its Pods, and at what it waits for. Set activeDeadlineSeconds if a run this long should end.",
  ],
  headline: {
    place: "rest",
    clauses: ({ elapsed, usual: { max } }) => [
      {
        full: `slower than usual: ${durationText(elapsed)} so far, at most ${durationText(max)} before`,
        brief: "slower than usual",
      },
    ],
  },
};
