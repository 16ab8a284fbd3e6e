import * as v from "valibot";
import type { WhyAnswer } from "../../query/job/explain-job.ts";
import { completenessSchema, logLinkEntries, verdictSchema } from "../../explain/answer-document.ts";
import { count, instant, maybe, sourceSchema, text } from "../../explain/answer-parts.ts";

export const chainEntrySchema: v.GenericSchema<WhyAnswer["chain"][number]> = v.pipe(
  v.object({
    time: instant,
    resourceVersion: text,
    kind: text,
    object: text,
    sentence: text,
  }),
  v.description("One fact."),
);

export const whySchema: v.GenericSchema<WhyAnswer> = v.object({
  cluster: text,
  namespace: text,
  name: text,
  uid: text,
  verdict: verdictSchema,
  completeness: completenessSchema,
  answer: v.pipe(text, v.description("The state, then its cause, in at most 25 words.")),
  details: v.pipe(v.array(text), v.description("What the first line leaves out, one sentence each.")),
  chain: v.pipe(v.array(chainEntrySchema), v.description("The facts that prove it, oldest first.")),
  omitted: v.pipe(
    v.object({ count, atLeast: v.boolean() }),
    v.description("The number of further facts that the answer leaves out."),
  ),
  remedies: v.pipe(v.array(text), v.description("How to fix it.")),
  logs: maybe(
    v.pipe(
      v.array(v.object({ pod: text, ...logLinkEntries })),
      v.description(
        "Where the logs of up to three Pods can be read: those that did not succeed, else those that run, else any. " +
          "Absent if no log links are configured.",
      ),
    ),
  ),
  asOf: v.pipe(
    maybe(v.object({ time: instant, bound: maybe(v.literal("lower")) })),
    v.description(
      "The instant of the past that was asked about. With `bound`, the state may have become true later than `time`.",
    ),
  ),
  source: sourceSchema,
});
