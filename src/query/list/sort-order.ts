import type { JobAnswer } from "../../explain/answer-document.ts";
import { compareText } from "../../job/model/compare-text.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { jobRunTime } from "../../job/status/job-duration.ts";
import type { ListOrder } from "./merged-rows.ts";

/** The order of a list of Jobs: that of the stores, or one in which some Jobs are sorted. */
export type SortOrder = ListOrder | JobSort;
export interface JobSort {
  readonly by: SortKey;
  readonly descending: boolean;
}
export type SortKey = keyof typeof KEYS;

const KEYS = {
  started: ({ startedAt }: JobAnswer) => parseInstant(startedAt),
  finished: ({ finishedAt }: JobAnswer) => parseInstant(finishedAt),
  /** For a running Job: until the last data from its cluster. */
  duration: (job: JobAnswer, now: Instant) => jobRunTime(job, parseInstant(job.completeness.heardAt) ?? now),
  name: ({ name }: JobAnswer) => name,
} as const;

/** The fields by which a list can be sorted. A minus before the name reverses the order. */
export const SORTS = ["created", "started", "finished", "duration", "name"] as const;

/** Reads `name`, `-finished`, or `createdAt` as a field of the answer is named. `undefined` for any other text. */
export function parseSort(text: string): SortOrder | undefined {
  const [, minus, word = ""] = /^(-?)([a-z]+)(?:At)?$/.exec(text) ?? [];
  if (word === "created") return minus === "-" ? "newest" : "oldest";
  return isSortKey(word) ? { by: word, descending: minus === "-" } : undefined;
}

function isSortKey(word: string): word is SortKey {
  return Object.hasOwn(KEYS, word);
}

/** Where a Job is in a sorted list. */
export interface SortPlace {
  /** Absent in a Job that has not started, or not finished. */
  readonly key: string | number | undefined;
  readonly uid: string;
  readonly cluster: string;
}

export function placeOf(job: JobAnswer, by: SortKey, now: Instant): SortPlace {
  return { key: KEYS[by](job, now), uid: job.uid, cluster: job.cluster };
}

/** A total order: by key, with Jobs without a key last in both directions, then by uid and cluster. */
export function comparePlaces(a: SortPlace, b: SortPlace, descending: boolean): number {
  const byKey = compareKeys(a.key, b.key) * (descending ? -1 : 1);
  const missing = Number(a.key === undefined) - Number(b.key === undefined);
  return missing || byKey || compareText(a.uid, b.uid) || compareText(a.cluster, b.cluster);
}

function compareKeys(a: SortPlace["key"], b: SortPlace["key"]): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? compareText(a, b) : 0;
}
