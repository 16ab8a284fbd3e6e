import * as v from "valibot";
import type { JobAnswer } from "../../../explain/answer-document.ts";
import { count, maybe, text } from "../../../explain/answer-parts.ts";
import type { RunAnswer } from "../../../explain/run/run-document.ts";
import { INDEXED_IDS, isAddedId } from "../../../parents/external-ids.ts";
import { parseInstant } from "../../../job/model/instant.ts";
import { isState, RUN_STATES } from "../../../job/model/states.ts";
import { matchesGlob } from "../../../job/text/glob.ts";
import { count as counted } from "../../../job/text/sentence.ts";
import type { CronJobAnswer } from "../../../query/cron-jobs/cron-jobs.ts";
import { isInSeries, isKnownAs } from "../../../query/runs/run-filter.ts";
import { type Answer, answerEntries } from "../answer.ts";
import { type Ask, type Page, read } from "../ask.ts";
import { isRun, subjectOf, timesEntries, timesOf } from "../describe.ts";
import { clustersNamed } from "../known-clusters.ts";
import { plain } from "../marked.ts";
import { mergeLists, MOST_ITEMS, type Source } from "../merged-lists.ts";
import { joined } from "../sentence.ts";
import { linkOf, presentSubject, subjectEntries } from "../subject.ts";
import { kindOf } from "../target.ts";
import { argument, cursorArgument, defineTool, placeIn } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const LIMIT = 100;
const TIME = "RFC 3339, or a duration before now such as `2h` or `7d`.";

const filters = {
  name: v.exactOptional(argument("Exact name, or a pattern with `*`.")),
  kind: v.exactOptional(argument("`job`, `jobset`, `rayjob`, `workflow`, ... Defaults to all kinds.")),
  namespace: v.exactOptional(argument("Only in this namespace.", 63)),
  cluster: v.exactOptional(argument("Only in this cluster.", 63)),
  state: v.exactOptional(
    v.pipe(
      v.array(v.picklist(RUN_STATES)),
      v.minLength(1),
      v.maxLength(8),
      v.description("Only in one of these states."),
    ),
  ),
  series: v.exactOptional(argument("Only runs of this CronJob, DAG or other series: its name, or `Kind/name`.", 512)),
  externalId: v.exactOptional(argument("Id of the run in another system: `dagster/run-id=ID`.", 512)),
  labelSelector: v.exactOptional(argument("As `kubectl -l`: `team=ml,tier in (a,b)`.", 1_024)),
  createdAfter: v.exactOptional(argument(`Created after this time: ${TIME}`, 64)),
  createdBefore: v.exactOptional(argument(`Created before this time: ${TIME}`, 64)),
  finishedAfter: v.exactOptional(argument(`Finished after this time: ${TIME}`, 64)),
  finishedBefore: v.exactOptional(argument(`Finished before this time: ${TIME}`, 64)),
  attention: v.exactOptional(v.pipe(v.boolean(), v.description("true: only Jobs with findings, and failed runs."))),
};
type Filters = v.InferOutput<v.ObjectSchema<typeof filters, undefined>>;

const itemSchema = v.object({
  ...subjectEntries,
  state: text,
  reason: maybe(text),
  ...timesEntries,
  series: maybe(text),
  run: maybe(text),
  waiting: maybe(text),
  cause: maybe(v.object({ category: text, responsible: text, retry: text })),
  findings: maybe(v.array(text)),
  jobCount: maybe(count),
});

export const findRuns = defineTool({
  name: "find_runs",
  title: "Find Jobs and runs",
  description:
    "List Kubernetes Jobs and runs (JobSet, RayJob, Workflow, ...), newest first, also deleted ones: by name, kind, " +
    "namespace, cluster, state, time, series (CronJob), external id or label. Start here if you do not know the " +
    "exact name. Jobs of a run are listed only if you give `name`, or `job` as `kind`.",
  input: {
    ...filters,
    limit: v.exactOptional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_ITEMS), v.description("Maximum number of items.")),
    ),
    ...cursorArgument,
  },
  output: { ...answerEntries, runs: v.array(itemSchema) },
  answer: async ({ ask, page }, { cursor, limit, ...given }): Promise<Answer> => {
    if (given.kind !== undefined && kindOf(given.kind) === "cronjob") throw await seriesError(ask, given);
    const question = { find: given };
    const [, ...from] = placeIn(question, cursor);
    const { merged, next } = await mergeLists([runsIn(ask, given), jobsIn(ask, given)], { from, most: limit });
    const items = merged.map(({ item }) => item);
    // Throws for a cluster that does not exist: an agent would take "nothing matches" for an answer.
    if (items.length === 0 && given.cluster !== undefined) await clustersNamed(ask, given.cluster);
    const asOf = latestOf(items.map((item) => item.asOf.time));
    const head = {
      sentence: sentenceOf(items, { isFirst: cursor === undefined, isLast: next === undefined }),
      ...(asOf !== undefined && { asOf }),
      gaps: [],
      evidence: [],
      ...linkOf(page, { view: kindOf(given.kind ?? "job") === "job" ? "jobs" : "runs" }),
    };
    return {
      head,
      lists: { runs: items.map(describeItem) },
      placeAfter: (sent) => [0, ...(merged[sent - 1]?.after ?? from)],
      ...(next && { next: [0, ...next] }),
      question,
    };
  },
});

/** A CronJob is no run. Its name finds its runs. */
async function seriesError(ask: Ask, { name, cluster, namespace }: Filters): Promise<ToolError> {
  const { items } = await read<Page<CronJobAnswer>>(ask, "/v1/cronjobs", { cluster, namespace, limit: MOST_SERIES });
  const named = items.filter((item) => name === undefined || matchesGlob(name, item.name));
  return new ToolError(
    "A CronJob is a series of runs. Call get_run with its target, or find_runs with its name as `series`.",
    named.slice(0, MOST_CANDIDATES).map((one) => presentSubject({ ...one, kind: "cronjob" })),
  );
}

const MOST_SERIES = 500;
const MOST_CANDIDATES = 20;

function latestOf(times: readonly string[]): string | undefined {
  return times.toSorted((a, b) => (parseInstant(b) ?? 0) - (parseInstant(a) ?? 0))[0];
}

type Item = JobAnswer | RunAnswer;

function sourceOf(pageAfter: Source<Item>["pageAfter"], matches: (item: Item) => boolean): Source<Item> {
  return { pageAfter, matches, createdAt: ({ createdAt }) => parseInstant(createdAt) ?? 0 };
}

/** The runs that have a parent. */
function runsIn(ask: Ask, given: Filters): Source<Item> {
  const { series, externalId, kind, state, name } = given;
  const isOther = kind !== undefined && ["job", "cronjob"].includes(kindOf(kind) ?? "");
  const isUnknownId = externalId !== undefined && !isRunId(externalId);
  const query = { ...sharedQuery(given), kind, series, externalId, state: state?.join(",") };
  const pageAfter = async (cursor: string | undefined): Promise<Page<Item>> =>
    isOther || isUnknownId ? { items: [] } : read(ask, "/v1/runs", { ...query, cursor });
  return sourceOf(pageAfter, (item) => isNamed(item, name));
}

function isRunId(externalId: string): boolean {
  const key = externalId.slice(0, Math.max(0, externalId.indexOf("=")));
  return INDEXED_IDS.has(key) || isAddedId(key);
}

/** Jobs on their own. Those of a run are listed only where their name or kind is asked for. */
function jobsIn(ask: Ask, given: Filters): Source<Item> {
  const { series, externalId, kind, state, name } = given;
  const states = state?.filter(isState);
  const isOther = (kind !== undefined && kindOf(kind) !== "job") || (states?.length === 0 && state?.length !== 0);
  const query = { ...sharedQuery(given), state: states?.join(",") };
  const pageAfter = async (cursor: string | undefined): Promise<Page<Item>> =>
    isOther ? { items: [] } : read(ask, "/v1/jobs", { ...query, cursor });
  const showsParts = name !== undefined || kind !== undefined;
  return sourceOf(
    pageAfter,
    (item) =>
      !isRun(item) &&
      isNamed(item, name) &&
      (showsParts || item.run.kind === "Job") &&
      isInSeries(item, series) &&
      isKnownAs(item, externalId),
  );
}

/** A pattern is matched here. */
function sharedQuery(given: Filters) {
  const { name, namespace, cluster, labelSelector, attention } = given;
  const { createdAfter, createdBefore, finishedAfter, finishedBefore } = given;
  const times = { createdAfter, createdBefore, finishedAfter, finishedBefore };
  const exact = name?.includes("*") === true ? undefined : name;
  return { name: exact, namespace, cluster, labelSelector, attention, ...times, limit: LIMIT };
}

function isNamed({ name }: Item, pattern: string | undefined): boolean {
  return pattern === undefined || matchesGlob(pattern, name);
}

function describeItem(item: Item) {
  const { verdict, waiting, cause, findings } = item;
  const kinds = [...new Set(findings.map((finding) => finding.kind))];
  return {
    ...presentSubject(subjectOf(item), {}, { reason: verdict.reason }),
    state: verdict.state,
    ...timesOf(item),
    ...placedIn(item),
    ...(waiting && { waiting: waiting.reason }),
    ...(cause && { cause: { category: cause.category, responsible: cause.responsible, retry: cause.retry } }),
    ...(kinds.length > 0 && { findings: kinds }),
    ...(isRun(item) && { jobCount: item.jobs.total }),
  };
}

/** The names of what it belongs to, as `kind/name`. */
function placedIn(item: Item): { readonly series?: string; readonly run?: string } {
  const series = item.series && plain(`${item.series.kind.toLowerCase()}/${item.series.name}`);
  const run =
    isRun(item) || item.run.kind === "Job" ? undefined : plain(`${item.run.kind.toLowerCase()}/${item.run.name}`);
  return { ...(series !== undefined && { series }), ...(run !== undefined && { run }) };
}

interface Part {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function sentenceOf(items: readonly Item[], { isFirst, isLast }: Part): string {
  if (items.length === 0 && !isLast) return "No match in this part of the list; call again with the cursor.";
  if (items.length === 0) return isFirst ? NOTHING : "The list has no further match.";
  const states = RUN_STATES.map(
    (state) => [items.filter(({ verdict }) => verdict.state === state).length, state] as const,
  );
  const jobs = items.filter((item) => !isRun(item)).length;
  const what = [counted(jobs, "Job"), counted(items.length - jobs, "run")].filter((text) => !text.startsWith("0 "));
  return joined([
    `${isFirst && isLast ? "Found" : "Found at least"} ${what.join(" and ")}`,
    states.flatMap(([number, state]) => (number === 0 ? [] : [`${number} ${state}`])).join(", "),
  ]);
}

const NOTHING = "Nothing matches; use fewer filters, or call completeness to see what was observed.";
