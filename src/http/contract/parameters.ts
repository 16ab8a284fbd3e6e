import { decodeClusterName } from "../../job/model/ids.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { isTimeZone } from "../../job/schedule/local-time.ts";
import { isState, type State, STATES } from "../../job/model/states.ts";
import { parseFieldSelector, SELECTABLE_FIELDS } from "../../query/list/field-selector.ts";
import { parseLabelSelector } from "../../query/list/label-selector.ts";
import { nearestNames } from "../../text/nearest-names.ts";
import { type ParsedSelector, pointAt } from "../../query/list/selector-text.ts";
import type { JobWanted } from "../../query/job/batch-get.ts";
import { SUMMARY_GROUPS, type SummaryGrouping } from "../../query/summary/summary-group.ts";
import type { WaitGoal } from "../../query/job/wait-for-job.ts";
import { type Parameter, parameter, type ReadText } from "./parameter.ts";

const MAX_TEXT_LENGTH = 4096;

export const clusterParameter = parameter("Name of a cluster.", { type: "string" }, (text) => {
  const cluster = decodeClusterName(text);
  return cluster === undefined
    ? { problem: 'must be a cluster\'s name: 1 to 63 letters, digits, ".", "_" and "-"' }
    : { value: cluster };
});

export const labelSelectorParameter = parameter(
  "Labels the Job has, in the grammar of kubectl -l: `app=a,tier in (web,db),!legacy`.",
  { type: "string" },
  (text) => readSelector(text, parseLabelSelector),
);

export const fieldSelectorParameter = parameter(
  `Fields of the Job, as in kubectl --field-selector: ${SELECTABLE_FIELDS.join(", ")}.`,
  { type: "string" },
  (text) => readSelector(text, parseFieldSelector),
);

export const statesParameter = parameter(
  "States of the verdict; several of them, or one text with commas.",
  { type: "array", items: { type: "string", enum: STATES } },
  (text): ReadText<readonly State[]> => {
    const words = text.split(",").map((word) => word.trim());
    const unknown = words.find((word) => !isState(word));
    return unknown === undefined ? { value: words.filter(isState) } : { problem: notAState(unknown) };
  },
);

const SORTS = ["-createdAt", "createdAt"] as const;

export const sortParameter = parameter(
  "By creation: `-createdAt` newest first, `createdAt` oldest first.",
  { type: "string", enum: SORTS, default: "-createdAt" },
  (text): ReadText<"newest" | "oldest"> => {
    if (text === "-createdAt") return { value: "newest" };
    if (text === "createdAt") return { value: "oldest" };
    return { problem: "must be -createdAt or createdAt: lists are kept by creation time and no other" };
  },
);

export function textParameter(description: string): Parameter<string> {
  return parameter(description, { type: "string", maxLength: MAX_TEXT_LENGTH }, (text) =>
    text === "" || text.length > MAX_TEXT_LENGTH
      ? { problem: `must be a text of 1 to ${MAX_TEXT_LENGTH} characters` }
      : { value: text },
  );
}

export function instantParameter(description: string): Parameter<number> {
  return parameter(description, { type: "string", format: "date-time" }, (text) => {
    // A "+" of an offset that was not percent-encoded arrives as a space.
    const instant = parseInstant(text.replace(" ", "+"));
    return instant === undefined
      ? { problem: "must be an RFC 3339 time, such as 2025-01-31T08:00:00Z" }
      : { value: instant };
  });
}

export const timeZoneParameter = parameter(
  "IANA name of the time zone whose days are counted; UTC unless said.",
  { type: "string", default: "UTC" },
  (text) => (isTimeZone(text) ? { value: text } : { problem: "must be a time zone, such as Europe/Berlin" }),
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

/** As {@link secondsParameter}; 0 asks once. */
export function waitSecondsParameter(maximum: number, standard: number): Parameter<number> {
  const description = `How many seconds to wait at most; 0 asks once. ${standard} unless said.`;
  return parameter(description, { type: "integer", minimum: 0, maximum, default: standard }, (text) =>
    /^\d{1,3}$/.test(text) && Number(text) <= maximum
      ? { value: Number(text) }
      : { problem: `must be a whole number of seconds from 0 to ${maximum}` },
  );
}

const GOALS = ["complete", "failed", "finished"] as const satisfies readonly WaitGoal[];

export const goalParameter = parameter(
  "What to wait for; `finished` is complete or failed.",
  { type: "string", enum: GOALS, default: "finished" },
  (text): ReadText<WaitGoal> => {
    const goal = GOALS.find((known) => known === text);
    return goal === undefined ? { problem: `must be one of ${GOALS.join(", ")}` } : { value: goal };
  },
);

export const groupingParameter = parameter(
  "Counts also for each cluster, namespace, owner, or hour or day of creation (UTC).",
  { type: "string", enum: SUMMARY_GROUPS },
  (text): ReadText<SummaryGrouping> => {
    const by = SUMMARY_GROUPS.find((known) => known === text);
    return by === undefined ? { problem: `must be one of ${SUMMARY_GROUPS.join(", ")}` } : { value: by };
  },
);

export const uidsParameter = parameter(
  "Uids of Jobs; several of them, or one text with commas.",
  { type: "array", items: { type: "string" } },
  (text): ReadText<readonly JobWanted[]> => ({ value: wordsOf(text).map((uid) => ({ by: "uid", uid })) }),
);

export const jobNamesParameter = parameter(
  "`namespace/name` of Jobs, the newest of each name; several of them, or one text with commas.",
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
    `The most items of a page, ${standard} unless said.`,
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
  "`nextCursor` of the page before, or the id of the last event; the filters may be others.",
);

export const cursorParameter = textParameter("`nextCursor` of the page before, with the same filters.");

function readSelector<Selector>(text: string, parse: (text: string) => ParsedSelector<Selector>): ReadText<Selector> {
  if (text.length > MAX_TEXT_LENGTH) return { problem: `must not be longer than ${MAX_TEXT_LENGTH} characters` };
  const parsed = parse(text);
  return parsed.outcome === "parsed" ? { value: parsed.selector } : { problem: pointAt(text, parsed) };
}

function notAState(word: string): string {
  const [nearest] = nearestNames(word, STATES);
  return `${quoted(word)} is not a state${nearest === undefined ? "" : ` (did you mean ${nearest}?)`}: ${STATES.join(", ")}`;
}

/** A word as it was written; of a long one the beginning. */
function quoted(word: string): string {
  return `"${word.length > MAX_QUOTED_LENGTH ? `${word.slice(0, MAX_QUOTED_LENGTH)}...` : word}"`;
}
const MAX_QUOTED_LENGTH = 100;
