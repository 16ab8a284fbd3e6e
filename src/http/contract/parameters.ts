import { decodeClusterName } from "../../job/model/ids.ts";
import { isNodeLabel, NODE_LABELS, type NodeLabel } from "../../job/usage/node-labels.ts";
import { isTimeZone } from "../../parents/cron-job/local-time.ts";
import { RUN_STATES, type RunState, runStateOf, type State, stateOf, STATES } from "../../job/model/states.ts";
import { type GivenTime, readGivenTime } from "../../query/list/given-time.ts";
import { parseFieldSelector, SELECTABLE_FIELDS } from "../../query/list/field-selector.ts";
import { INDEXED_IDS, isAddedId } from "../../parents/external-ids.ts";
import { canBeRunKind, RUN_KINDS } from "../../parents/run/run-names.ts";
import { parseSort, type SortOrder, SORTS } from "../../query/list/sort-order.ts";
import { parseLabelSelector } from "../../query/list/label-selector.ts";
import { nearestNames } from "../../job/text/nearest-names.ts";
import { type ParsedSelector, pointAt } from "../../query/list/selector-text.ts";
import type { JobWanted } from "../../query/job/batch-get.ts";
import { SUMMARY_GROUPS, type SummaryGrouping } from "../../query/summary/summary-group.ts";
import { parseUsageGrouping, USAGE_GROUPS, type UsageGrouping } from "../../query/usage/usage-group.ts";
import { USAGE_SORTS, type UsageSort } from "../../query/usage/usage-report.ts";
import type { WaitGoal } from "../../query/job/wait-for-job.ts";
import { type Parameter, parameter, type ReadText } from "./parameter.ts";

const MAX_TEXT_LENGTH = 4096;
/** The longest name of a Kubernetes object. */
const MAX_NAME_LENGTH = 253;

export const clusterParameter = parameter("Name of the cluster.", { type: "string" }, (text) => {
  const cluster = decodeClusterName(text);
  return cluster === undefined
    ? { problem: 'must be the name of a cluster: 1 to 63 letters, digits, ".", "_" and "-"' }
    : { value: cluster };
});

export const labelSelectorParameter = parameter(
  "Only Jobs with these labels, in the syntax of `kubectl -l`: `app=a,tier in (web,db),!legacy`.",
  { type: "string" },
  (text) => readSelector(text, parseLabelSelector),
);

export const fieldSelectorParameter = parameter(
  `Only Jobs with these fields, in the syntax of \`kubectl --field-selector\`: ${SELECTABLE_FIELDS.join(", ")}.`,
  { type: "string" },
  (text) => readSelector(text, parseFieldSelector),
);

export const statesParameter = parameter(
  "Only Jobs in one of these states, in any case. Repeat the parameter, or separate values with commas.",
  { type: "array", items: { type: "string", enum: STATES } },
  (text): ReadText<readonly State[]> => {
    const words = text.split(",").map((word) => word.trim());
    const unknown = words.find((word) => stateOf(word) === undefined);
    if (unknown !== undefined) return { problem: notAState(unknown) };
    return { value: [...new Set(words.flatMap((word) => stateOf(word) ?? []))] };
  },
);

export const runStatesParameter = parameter(
  "Only runs in one of these states, in any case. Repeat the parameter, or separate values with commas.",
  { type: "array", items: { type: "string", enum: RUN_STATES } },
  (text): ReadText<readonly RunState[]> => {
    const words = text.split(",").map((word) => word.trim());
    const unknown = words.find((word) => runStateOf(word) === undefined);
    if (unknown !== undefined) return { problem: `has no state ${JSON.stringify(unknown)}: ${RUN_STATES.join(", ")}` };
    return { value: [...new Set(words.flatMap((word) => runStateOf(word) ?? []))] };
  },
);

export const runKindParameter = parameter(
  "Only runs of this kind: `jobset`, `jobsets.jobset.x-k8s.io`. Of a kind that is not built in, its name alone.",
  { type: "string", examples: ["jobset"] },
  (text) =>
    canBeRunKind(text) ? { value: text } : { problem: `${quoted(text)} is not a kind of runs: ${RUN_KINDS_TEXT}` },
);
const RUN_KINDS_TEXT = `${RUN_KINDS.join(", ")}, or the name of another kind without its group`;

export const externalIdParameter = parameter(
  "Only runs that another system knows by this key: `dagster/run-id=ID`. It finds runs by the first id of their " +
    "kind, also of your own kinds.",
  { type: "string", maxLength: MAX_TEXT_LENGTH, examples: ["dagster/run-id=ID"] },
  (text): ReadText<string> => {
    const key = text.slice(0, Math.max(0, text.indexOf("=")));
    if ((INDEXED_IDS.has(key) || isAddedId(key)) && text.length > key.length + 1) return { value: text };
    return {
      problem: `must be KEY=VALUE with one of the keys ${[...INDEXED_IDS].join(", ")}, or an id of an added kind`,
    };
  },
);

const SORT_ENUM = [...SORTS.flatMap((sort) => [sort, `-${sort}`]), "createdAt", "-createdAt"];

export const sortParameter = parameter(
  "Order: by creation, start, finish, duration or name; `-` reverses it. Jobs without the value are last. " +
    "Any order but creation sorts the newest Jobs only, and `sorted` says which.",
  { type: "string", enum: SORT_ENUM, default: "-createdAt" },
  (text): ReadText<SortOrder> => {
    const order = parseSort(text);
    return order === undefined
      ? { problem: `must be one of ${SORTS.join(", ")}, with a minus before it for the reverse order` }
      : { value: order };
  },
);

export function textParameter(description: string, maxLength: number = MAX_TEXT_LENGTH): Parameter<string> {
  return parameter(description, { type: "string", maxLength }, (text) =>
    text === "" || text.length > maxLength ? { problem: `must have 1 to ${maxLength} characters` } : { value: text },
  );
}

/** The name of a Kubernetes object or namespace. */
export function nameParameter(description: string): Parameter<string> {
  return textParameter(description, MAX_NAME_LENGTH);
}

export const entryIdParameter = parameter(
  "`id` of the entry.",
  { type: "string", pattern: "^[0-9a-f]{32}$" },
  (text): ReadText<string> =>
    /^[0-9a-f]{32}$/.test(text) ? { value: text } : { problem: "must be the id of an entry of /v1/attention" },
);

/** An RFC 3339 time, or a duration before the request. */
export function timeParameter(description: string): Parameter<GivenTime> {
  const schema = { type: "string", examples: ["2025-01-31T08:00:00Z", "2h"] } as const;
  return parameter(`${description} ${TIME_FORM}`, schema, (text) =>
    // A "+" of an offset that was not percent-encoded arrives as a space.
    readGivenTime(text.replace(" ", "+")),
  );
}
const TIME_FORM = "An RFC 3339 time, or a duration before the request, such as `2h`.";

export const timeZoneParameter = parameter(
  "IANA name of the time zone for the counts by day. Defaults to UTC.",
  { type: "string", default: "UTC" },
  (text) =>
    isTimeZone(text) ? { value: text } : { problem: "must be the IANA name of a time zone, such as Europe/Berlin" },
);

export function flagParameter(description: string): Parameter<boolean> {
  return parameter(description, { type: "boolean" }, (text) =>
    text === "true" || text === "false" ? { value: text === "true" } : { problem: "must be true or false" },
  );
}

export function secondsParameter(description: string): Parameter<number> {
  return parameter(description, { type: "integer", minimum: 1, maximum: MAX_SECONDS }, (text) => {
    const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    return seconds >= 1 && seconds <= MAX_SECONDS
      ? { value: seconds }
      : { problem: `must be a whole number of seconds from 1 to ${MAX_SECONDS}` };
  });
}
/** Ten years. */
const MAX_SECONDS = 315_360_000;

/** Like {@link secondsParameter}; 0 answers without waiting. */
export function waitSecondsParameter(maximum: number, standard: number): Parameter<number> {
  const description = `The longest time to wait, in seconds. 0 answers at once. Defaults to ${standard}.`;
  return parameter(description, { type: "integer", minimum: 0, maximum, default: standard }, (text) =>
    /^\d{1,3}$/.test(text) && Number(text) <= maximum
      ? { value: Number(text) }
      : { problem: `must be a whole number of seconds from 0 to ${maximum}` },
  );
}

const GOALS = ["complete", "failed", "finished"] as const satisfies readonly WaitGoal[];

export const goalParameter = parameter(
  "What to wait for. `finished` means complete or failed.",
  { type: "string", enum: GOALS, default: "finished" },
  (text): ReadText<WaitGoal> => {
    const goal = GOALS.find((known) => known === text);
    return goal === undefined ? { problem: `must be one of ${GOALS.join(", ")}` } : { value: goal };
  },
);

export const groupingParameter = parameter(
  "Also count by cluster, namespace, owner, or hour or day of creation (UTC).",
  { type: "string", enum: SUMMARY_GROUPS },
  (text): ReadText<SummaryGrouping> => {
    const by = SUMMARY_GROUPS.find((known) => known === text);
    return by === undefined ? { problem: `must be one of ${SUMMARY_GROUPS.join(", ")}` } : { value: by };
  },
);

const USAGE_GROUPS_TEXT = `${USAGE_GROUPS.join(", ")} or label=KEY`;

export const usageGroupingParameter = parameter(
  `Also sum up by ${USAGE_GROUPS_TEXT}. \`category\` is that of a Pod's failure. \`day\` and \`hour\` divide the ` +
    "time of each Pod, in UTC.",
  { type: "string", examples: ["namespace", "label=team"] },
  (text): ReadText<UsageGrouping> => {
    const by = parseUsageGrouping(text);
    return by === undefined ? { problem: `must be one of ${USAGE_GROUPS_TEXT}` } : { value: by };
  },
);

export const usageSortParameter = parameter(
  "The order of groups: by the time of their Pods, or by how much of it failed, was interrupted, duplicate or idle.",
  { type: "string", enum: USAGE_SORTS, default: "size" },
  (text): ReadText<UsageSort> => {
    const sort = USAGE_SORTS.find((known) => known === text);
    return sort === undefined ? { problem: `must be one of ${USAGE_SORTS.join(", ")}` } : { value: sort };
  },
);

export const nodeLabelsParameter = parameter(
  "Also divide all usage by these labels of the Nodes that Pods ran on. The Pods of the newest 10,000 Jobs are read. " +
    "Repeat the parameter, or separate values with commas.",
  { type: "array", items: { type: "string", enum: NODE_LABELS } },
  (text): ReadText<readonly NodeLabel[]> => {
    const words = wordsOf(text);
    const unknown = words.find((word) => !isNodeLabel(word));
    if (unknown !== undefined) return { problem: `${quoted(unknown)} is not one of ${NODE_LABELS.join(", ")}` };
    return { value: NODE_LABELS.filter((label) => words.includes(label)) };
  },
);

export const uidsParameter = parameter(
  "Uids of Jobs. Repeat the parameter, or separate values with commas.",
  { type: "array", items: { type: "string" } },
  (text): ReadText<readonly JobWanted[]> => ({ value: wordsOf(text).map((uid) => ({ by: "uid", uid })) }),
);

export const jobNamesParameter = parameter(
  "Jobs by `namespace/name`; of a reused name, the newest Job. Repeat the parameter, or separate values with commas.",
  { type: "array", items: { type: "string" } },
  (text): ReadText<readonly JobWanted[]> => {
    const words = wordsOf(text);
    const wrong = words.find((word) => word.split("/").length !== 2);
    if (wrong !== undefined) return { problem: `${quoted(wrong)} is not namespace/name` };
    return { value: words.map((word) => ({ by: "name", namespace: before(word), name: after(word) })) };
  },
);

function wordsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function before(word: string): string {
  return word.slice(0, word.indexOf("/"));
}

function after(word: string): string {
  return word.slice(word.indexOf("/") + 1);
}

export function limitParameter(maximum: number, standard: number): Parameter<number> {
  return parameter(
    `The most items to return. Defaults to ${standard}.`,
    { type: "integer", minimum: 1, maximum, default: standard },
    (text) => {
      const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      return limit >= 1 && limit <= maximum
        ? { value: limit }
        : { problem: `must be a whole number from 1 to ${maximum}` };
    },
  );
}

export const changesCursorParameter = textParameter(
  "`nextCursor` of the previous page, or the id of the last event. The filters may differ.",
);

export const cursorParameter = textParameter("`nextCursor` of the previous page, with the same filters.");

function readSelector<Selector>(text: string, parse: (text: string) => ParsedSelector<Selector>): ReadText<Selector> {
  if (text.length > MAX_TEXT_LENGTH) return { problem: `must not be longer than ${MAX_TEXT_LENGTH} characters` };
  const parsed = parse(text);
  return parsed.outcome === "parsed" ? { value: parsed.selector } : { problem: pointAt(text, parsed) };
}

function notAState(word: string): string {
  const inLowerCase = STATES.map((state) => state.toLowerCase());
  const nearest = nearestNames(word.toLowerCase(), inLowerCase).map(stateOf)[0];
  const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
  return `${quoted(word)} is not a state${hint}: ${STATES.join(", ")}`;
}

/** A word as it was sent, shortened if it is long. */
function quoted(word: string): string {
  return `"${word.length > MAX_QUOTED_LENGTH ? `${word.slice(0, MAX_QUOTED_LENGTH)}...` : word}"`;
}
const MAX_QUOTED_LENGTH = 100;
