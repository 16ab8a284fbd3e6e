import * as fc from "fast-check";
import type { CountCell } from "../../../src/ports/sums/job-sums.ts";
import { STATES } from "../../../src/job/model/states.ts";

const count = fc.integer({ min: -5, max: 5 });

/** A cell of few names, so that cells coincide. Its numbers may be those of a difference. */
export const countCell: fc.Arbitrary<CountCell> = fc.record({
  namespace: fc.constantFrom("a", "b", "größer"),
  group: fc.constantFrom("", "CronJob/x", "1767225600000"),
  state: fc.constantFrom(...STATES),
  findings: fc.constantFrom("", "LimitReached", "LimitReached,StatusBehind"),
  durations: fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([bucket]) => bucket,
      maxLength: 4,
    })
    .map((pairs) => new Map(pairs)),
  jobs: count,
  attention: count,
  podsSeen: count,
  podsSucceeded: count,
  podsFailed: count,
  jobsAgain: count,
  needlessRuns: count,
  needlessMillis: fc.integer({ min: 0, max: 1e9 }),
});
