import * as v from "valibot";
import { USAGE_CLASSES } from "../../job/usage/usage.ts";
import { amount, type AnswerOf, count, maybe } from "../answer-parts.ts";

export const usageByClassSchema = v.object({ total: amount, ...v.entriesFromList(USAGE_CLASSES, amount) });
export type UsageByClass = AnswerOf<typeof usageByClassSchema>;

export const usageSchema = v.pipe(
  v.object({
    pods: v.pipe(count, v.description("Pods that were bound to a node.")),
    bound: v.pipe(
      v.picklist(["exact", "at most"]),
      v.description("`at most`: a Pod was released at an unknown time before the event that showed it."),
    ),
    podSeconds: usageByClassSchema,
    failedBy: maybe(
      v.pipe(
        v.object({ program: amount, configuration: amount, limit: amount }),
        v.description("The `failed` seconds by who is responsible. Absent if there are none."),
      ),
    ),
    resources: v.pipe(
      v.record(v.string(), usageByClassSchema),
      v.description("Core seconds (`cpu`), byte seconds (`memory`, `ephemeral-storage`), or units times seconds."),
    ),
  }),
  v.description("What Pods reserved, from the binding to a node until the release, by what became of that time."),
);
export type UsageAnswer = AnswerOf<typeof usageSchema>;
