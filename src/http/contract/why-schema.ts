import * as v from "valibot";
import type { WhyAnswer } from "../../query/job/explain-job.ts";
import { completenessSchema, verdictSchema } from "./job-answer-schema.ts";
import { count, instant, text } from "./schema-parts.ts";

export const chainEntrySchema: v.GenericSchema<WhyAnswer["chain"][number]> = v.pipe(
  v.object({
    time: instant,
    resourceVersion: text,
    kind: text,
    object: text,
    sentence: text,
  }),
  v.description("One fact of the story."),
);

export const whySchema: v.GenericSchema<WhyAnswer> = v.object({
  cluster: text,
  namespace: text,
  name: text,
  uid: text,
  verdict: verdictSchema,
  completeness: completenessSchema,
  answer: v.pipe(text, v.description("The answer in one sentence.")),
  chain: v.pipe(v.array(chainEntrySchema), v.description("The facts it rests on, in order of time.")),
  omitted: v.pipe(v.object({ count, atLeast: v.boolean() }), v.description("How many more facts it rests on.")),
  remedies: v.pipe(v.array(text), v.description("What to do about it.")),
});
