import * as v from "valibot";
import { RUN_STATES } from "../../job/model/states.ts";
import { type AnswerOf, count, instant, maybe, text, whole } from "../answer-parts.ts";
import {
  attributionSchema,
  categorySchema,
  causeSchema,
  completenessSchema,
  findingSchema,
  queueSchema,
  seriesSchema,
  waitingSchema,
  asOfSchema,
} from "../answer-document.ts";
import { usageSchema } from "../usage/usage-schema.ts";

/** The public answer about a run (docs/answers/lineage.md). */
const firstFailureSchema = v.pipe(
  v.object({
    job: text,
    jobUid: text,
    pod: maybe(text),
    exitCode: maybe(whole),
    category: categorySchema,
    at: instant,
  }),
  v.description(
    "The Job that failed first, and the first of its Pods that failed by itself. The attempt may still complete.",
  ),
);

const runAttemptSchema = v.pipe(
  v.object({
    number: v.pipe(count, v.description("0 for the first.")),
    startedAt: maybe(instant),
    endedAt: maybe(instant),
    state: v.picklist(["Running", "Complete", "Failed", "Interrupted", "Unknown"]),
    firstFailure: maybe(firstFailureSchema),
    jobs: v.pipe(
      v.array(v.object({ name: text, uid: text, state: text, role: maybe(text) })),
      v.description("By creation, at most 100."),
    ),
  }),
  v.description("One time that the run started its Jobs."),
);
export type RunAttemptAnswer = AnswerOf<typeof runAttemptSchema>;

const runVerdictSchema = v.object({
  state: v.picklist(RUN_STATES),
  reason: maybe(text),
  final: v.boolean(),
  basis: v.pipe(
    v.picklist(["reported", "observed", "both"]),
    v.description("The source: the parent's own conditions (`reported`), its Jobs and Pods (`observed`), or both."),
  ),
  since: maybe(instant),
});

export const runAnswerEntries = {
  cluster: text,
  namespace: text,
  kind: text,
  name: text,
  uid: maybe(text),
  labels: v.record(v.string(), v.string()),
  externalIds: v.record(v.string(), v.string()),
  series: maybe(seriesSchema),
  createdAt: maybe(instant),
  startedAt: maybe(instant),
  finishedAt: maybe(instant),
  deletedAt: maybe(instant),
  deletedBy: maybe(attributionSchema),
  verdict: runVerdictSchema,
  attempts: v.array(runAttemptSchema),
  queue: maybe(queueSchema),
  jobs: v.pipe(
    v.object({
      total: count,
      complete: count,
      failed: count,
      running: count,
      waiting: count,
      deleted: count,
      unknown: count,
      atLeast: maybe(v.pipe(v.boolean(), v.description("Whether there may be more: it has the first 2,000 by uid."))),
    }),
    v.description("The Jobs of all attempts by state, each counted once."),
  ),
  cause: maybe(v.intersect([causeSchema, v.object({ job: maybe(text), pod: maybe(text) })])),
  waiting: maybe(v.intersect([waitingSchema, v.object({ job: maybe(text) })])),
  findings: v.array(findingSchema),
  usage: maybe(usageSchema),
  completeness: completenessSchema,
  asOf: asOfSchema,
};

export const runAnswerSchema = v.pipe(
  v.object(runAnswerEntries),
  v.description("A run: what was submitted once, with the Jobs that it made."),
);
export type RunAnswer = AnswerOf<typeof runAnswerSchema>;
