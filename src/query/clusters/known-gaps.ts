import type { Gap, JobAnswer } from "../../explain/answer-document.ts";
import { presentGap } from "../../explain/explain-gap.ts";
import type { GapRecorded } from "../../job/model/fact.ts";
import { decodeClusterName } from "../../job/model/ids.ts";
import { EARLIEST, parseInstant } from "../../job/model/instant.ts";
import { type ObservedLife, recordedGapsIn } from "../../job/status/completeness.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { clusterIn } from "../../ports/meta-key.ts";
import { gapRecord } from "../../ports/records/gap-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import { readGaps } from "./cluster-records.ts";

/**
 * Adds recorded gaps to the answers of a list. The projection derives a row without them, and the row of a healthy
 * ended Job is not derived again, so it lacks a gap that was recorded later.
 */
export async function addGaps(meta: MetaStore, answers: readonly JobAnswer[]): Promise<readonly JobAnswer[]> {
  return addGapsBy(meta, answers, { lifeOf, levelOf });
}

type GapAnswer = Pick<JobAnswer, "cluster" | "completeness">;

/** When a gap concerns an answer, and how complete the answer is then. */
export interface GapRules<Answer> {
  readonly lifeOf: (answer: Answer) => ObservedLife;
  readonly levelOf: (answer: Answer) => JobAnswer["completeness"]["level"];
}

export async function addGapsBy<Answer extends GapAnswer>(
  meta: MetaStore,
  answers: readonly Answer[],
  rules: GapRules<Answer>,
): Promise<readonly Answer[]> {
  const gaps = await gapsOf(meta, new Set(answers.map(({ cluster }) => cluster)));
  return answers.map((answer) => withGaps(answer, gaps.get(answer.cluster) ?? [], rules));
}

/** If more clusters than this are needed, reading a page of all clusters costs less. */
const MANY_CLUSTERS = 10;
/** The most gaps of a page of many clusters. With more of them, its rows have the gaps of their last derivation. */
const MAX_GAPS = 2_000;

async function gapsOf(
  meta: MetaStore,
  clusters: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly GapRecorded[]>> {
  if (clusters.size > MANY_CLUSTERS) return gapsOfAll(meta);
  const pairs = await Promise.all(
    [...clusters].map(async (cluster) => {
      const name = decodeClusterName(cluster);
      return [cluster, name === undefined ? [] : await readGaps(meta, name)] as const;
    }),
  );
  return new Map(pairs);
}

async function gapsOfAll(meta: MetaStore): Promise<ReadonlyMap<string, readonly GapRecorded[]>> {
  const gaps = new Map<string, GapRecorded[]>();
  let read = 0;
  for await (const { key, value } of listDecoded(meta, gapRecord, "")) {
    read += 1;
    if (read > MAX_GAPS) return new Map();
    const cluster = clusterIn(key);
    gaps.set(cluster, [...(gaps.get(cluster) ?? []), value]);
  }
  return gaps;
}

/** The answer with the gaps that overlap its life; itself if it has them all. */
export function withGaps<Answer extends GapAnswer>(
  answer: Answer,
  gaps: readonly GapRecorded[],
  rules: GapRules<Answer>,
): Answer {
  const recorded = recordedGapsIn(gaps, rules.lifeOf(answer)).map(presentGap);
  const known = new Set(answer.completeness.gaps.map(textOf));
  if (recorded.every((gap) => known.has(textOf(gap)))) return answer;
  const all = new Set(recorded.map(textOf));
  const others = answer.completeness.gaps.filter((gap) => !all.has(textOf(gap)));
  const level = rules.levelOf(answer);
  return { ...answer, completeness: { ...answer.completeness, level, gaps: [...recorded, ...others] } };
}

function textOf({ from, to, resources, reason }: Gap): string {
  return JSON.stringify([from, to, resources, reason]);
}

function lifeOf({ createdAt, finishedAt, deletedAt, pods }: JobAnswer): ObservedLife {
  const isOpen = pods.active + pods.terminating + pods.unknown > 0;
  const end = parseInstant(finishedAt) ?? (isOpen ? undefined : parseInstant(deletedAt));
  return { from: parseInstant(createdAt) ?? EARLIEST, to: end ?? Infinity };
}

/**
 * Without another gap, the counters of a tracked Job account for all of its Pods, so this gap hides nothing. Those of
 * an untracked Job are no proof.
 */
function levelOf({ completeness: { level }, tracking, reported, pods }: JobAnswer): JobAnswer["completeness"]["level"] {
  if (level !== "complete") return level;
  return tracking === "tracked" && reported !== undefined && pods.unknown === 0 ? "reconciled" : "gaps";
}
