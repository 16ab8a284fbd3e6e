import * as v from "valibot";
import { completenessSchema } from "../answer-document.ts";
import { type AnswerOf, instant, maybe, text } from "../answer-parts.ts";
import { expectationEntries } from "../expectation/expectation-schema.ts";
import { RUN_STATES } from "../../job/model/states.ts";
import { FIELD_GROUPS, FIELD_KINDS, UNKNOWN_REASONS } from "./compared-field.ts";
import { NO_LAST_GOOD } from "./last-good.ts";

/** The public answer about two runs side by side (docs/answers/compare.md). */
const sideValueSchema = v.pipe(
  v.object({
    text: v.pipe(text, v.description("For people: `512Mi`, `4 min 2 s`, `not set`, `not recorded`.")),
    value: maybe(v.union([text, v.number(), v.array(text)])),
    unknown: maybe(v.picklist(UNKNOWN_REASONS)),
  }),
  v.description("`value` is absent if there is none, or if it is `unknown`. Durations are in seconds."),
);
export type SideValueAnswer = AnswerOf<typeof sideValueSchema>;

export const comparedFieldSchema = v.object({
  kind: v.picklist(FIELD_KINDS),
  key: maybe(v.pipe(text, v.description("Which resource, field of the spec, label or kind of finding."))),
  group: v.picklist(FIELD_GROUPS),
  title: text,
  before: sideValueSchema,
  after: sideValueSchema,
});
export type ComparedFieldAnswer = AnswerOf<typeof comparedFieldSchema>;

const subjectSchema = v.object({
  cluster: text,
  namespace: text,
  kind: v.pipe(text, v.description("`Job`, or the kind of a run.")),
  name: text,
  uid: maybe(text),
  createdAt: maybe(instant),
  finishedAt: maybe(instant),
  state: v.picklist(RUN_STATES),
  completeness: v.pipe(
    completenessSchema.entries.level,
    v.description("`gaps`: it was observed in part, and so are its values."),
  ),
});
export type ComparedSubject = AnswerOf<typeof subjectSchema>;

export const comparisonSchema = v.pipe(
  v.object({
    answer: v.pipe(text, v.description("What differs, in short.")),
    chosen: v.pipe(
      v.picklist(["lastGood", "given"]),
      v.description("`lastGood`: `before` is the newest earlier run that completed and was observed in full."),
    ),
    before: maybe(v.pipe(subjectSchema, v.description("Absent if no earlier run is good: `noLastGood` says why."))),
    after: subjectSchema,
    noLastGood: maybe(v.object({ reason: v.picklist(NO_LAST_GOOD), message: text })),
    differences: v.array(comparedFieldSchema),
    equal: v.array(comparedFieldSchema),
    unknown: v.pipe(
      v.array(comparedFieldSchema),
      v.description("Fields that are unknown for one of the two, or for both. They do not count as differences."),
    ),
    ...expectationEntries,
  }),
  v.description(
    "Two runs side by side. `expected` is how long runs of the series usually take, with the template of `before`.",
  ),
);
export type ComparisonAnswer = AnswerOf<typeof comparisonSchema>;
