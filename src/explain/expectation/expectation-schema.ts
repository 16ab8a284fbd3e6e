import * as v from "valibot";
import { amount, count, maybe, text } from "../answer-parts.ts";

const expectedSchema = v.pipe(
  v.object({
    runs: v.pipe(count, v.description("How many successful runs of its series it follows from: the last, at most 50.")),
    p50: amount,
    p90: v.pipe(amount, v.description("Nine in ten runs take at most this long.")),
    max: amount,
    remaining: maybe(
      v.pipe(
        v.object({
          p50: amount,
          p90: amount,
          of: v.pipe(count, v.description("How many runs lasted at least as long, or how many indexes have finished.")),
        }),
        v.description("The time left. Absent if fewer than 9 runs lasted as long."),
      ),
    ),
  }),
  v.description(
    "How long a Job that has not ended will take: seconds from creation to verdict, without suspended time. " +
      "Lists have it with `expected=true`.",
  ),
);

export const expectationEntries = {
  expected: maybe(expectedSchema),
  noExpectation: maybe(
    v.pipe(text, v.description("Why nothing is expected, although successful runs of its series are known.")),
  ),
} as const;
