import { canonical } from "../../job/model/canonical.ts";
import { type ClusterFact, type Fact, isHintFact, isJobFact, isRunFact } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { namespaceKey } from "../../ports/meta-key.ts";
import { clusterRecord } from "../../ports/records/cluster-record.ts";
import { cronJobRecord } from "../../ports/records/cron-job-record.ts";
import { gapRecord } from "../../ports/records/gap-record.ts";
import { hintRecord } from "../../ports/records/hint-record.ts";
import { namespaceMarksRecord } from "../../ports/records/namespace-marks-record.ts";
import { nodeRecord } from "../../ports/records/node-record.ts";
import { InvalidRecordError } from "../../ports/records/record-codec.ts";
import type { LoggedSegment } from "../../projection/group-facts.ts";
import { type ClusterRecordKey, joinRecordValue, recordKeyOf } from "../../projection/project-cluster.ts";

/** A record that facts of the log state. */
export interface FoldedRecord {
  readonly record: ClusterRecordKey;
  readonly facts: ClusterFact[];
  /** What earlier facts were joined into. */
  value: string | undefined;
}

/** The number of facts of a record that are collected before they are joined. A record of heartbeats has thousands. */
const FACTS_AT_ONCE = 64;
/** Kinds of which retention deletes no record. For other kinds, the age of their facts decides. */
const JOINED_EARLY: ReadonlySet<ClusterRecordKey["kind"]> = new Set([
  "cluster",
  "node",
  "cronjob",
  "namespaceMarks",
] as const);

/** The records of all clusters, folded from the log alone. */
export class RecordFold {
  readonly #records = new Map<string, FoldedRecord>();
  readonly #namespaces = new Set<string>();

  add({ cluster, facts }: Pick<LoggedSegment, "cluster" | "facts">): void {
    this.#at({ kind: "cluster", key: cluster });
    for (const fact of facts) {
      if (isJobFact(fact) || isRunFact(fact)) this.#noteNamespace(cluster, fact);
      else this.#join(fact, this.#at(recordKeyOf(cluster, fact)));
    }
  }

  get records(): Iterable<FoldedRecord> {
    return this.#records.values();
  }

  get(record: ClusterRecordKey): FoldedRecord | undefined {
    return this.#records.get(nameOf(record));
  }

  /** Whether a fact proves the namespace of a record of kind `namespace`. */
  namesNamespace(key: string): boolean {
    return this.#namespaces.has(key);
  }

  #at(record: ClusterRecordKey): FoldedRecord {
    const known = this.#records.get(nameOf(record)) ?? { record, facts: [], value: undefined };
    this.#records.set(nameOf(record), known);
    return known;
  }

  #join(fact: ClusterFact, folded: FoldedRecord): void {
    folded.facts.push(fact);
    if (!JOINED_EARLY.has(folded.record.kind) || folded.facts.length < FACTS_AT_ONCE) return;
    folded.value = joinRecordValue(folded.record, folded.value, folded.facts);
    folded.facts.length = 0;
  }

  #noteNamespace(cluster: ClusterName, fact: Fact): void {
    if ("namespace" in fact && typeof fact.namespace === "string") {
      this.#namespaces.add(namespaceKey(cluster, fact.namespace));
    }
  }
}

function nameOf({ kind, key }: ClusterRecordKey): string {
  return `${kind} ${key}`;
}

/** What is known about the time before the log begins, and about records that retention has deleted. */
export interface LogBegin {
  /** Facts from before this instant may be missing from the log. */
  readonly since: Instant;
  /** Retention has deleted gaps from before this instant. */
  readonly gapsBefore: Instant;
  /** Retention has deleted hints from before this instant. */
  readonly hintsBefore: Instant;
}

/** What a record is compared with. */
export interface RecordOrigin {
  readonly folded: FoldedRecord | undefined;
  readonly stored: string | undefined;
  readonly begin: LogBegin;
}

/**
 * The value that a record must have: the fold of its facts in the log. Facts of the stored record from before the
 * beginning of the log are kept, because the log can no longer confirm them. `undefined` if no fact supports the
 * record.
 */
export function valueFromLog(record: ClusterRecordKey, { folded, stored, begin }: RecordOrigin): string | undefined {
  const known = stored === undefined ? NOTHING : partsOf(record, stored);
  const earlier = known.facts.filter(({ at }) => at < begin.since);
  if (folded === undefined && earlier.length === 0 && known.beside === undefined) return undefined;
  const facts = [...earlier, ...(folded?.facts ?? [])];
  const valueOf = (some: readonly ClusterFact[]) =>
    withBeside(joinRecordValue(record, folded?.value, some), known.beside);
  const whole = valueOf(facts);
  const left = facts.filter((fact) => !isRemovedFact(fact, begin));
  if (stored === whole || left.length === facts.length) return whole;
  return left.length === 0 ? undefined : valueOf(left);
}

/** Whether retention has deleted the records whose latest fact is as old. */
export function isRemovedFact(fact: ClusterFact, { gapsBefore, hintsBefore }: LogBegin): boolean {
  if (fact.kind === "GapRecorded") return fact.to < gapsBefore;
  return isHintFact(fact) && fact.at < hintsBefore;
}

function withBeside(value: string, beside: RecordParts["beside"]): string {
  return beside === undefined ? value : canonical({ ...JSON.parse(value), ...beside });
}

interface RecordParts {
  readonly facts: readonly ClusterFact[];
  /** What no fact states. */
  readonly beside?: { readonly kubeSystemUid: string };
}

const NOTHING: RecordParts = { facts: [] };

/** The facts that a stored record consists of; none if it cannot be decoded. */
function partsOf({ kind, key }: ClusterRecordKey, value: string): RecordParts {
  try {
    return DECODED[kind]({ key, value });
  } catch (error) {
    if (error instanceof InvalidRecordError) return NOTHING;
    throw error;
  }
}

const DECODED: Readonly<Record<ClusterRecordKey["kind"], (stored: StoredText) => RecordParts>> = {
  node: (stored) => {
    const { stands, deleted, labelled = [], lifecycles = [] } = nodeRecord.decode(stored);
    return { facts: [...stands, ...deleted, ...labelled, ...lifecycles] };
  },
  cronjob: (stored) => {
    const { observed, specs = [], deleted } = cronJobRecord.decode(stored);
    return { facts: [...specs, ...(observed ? [observed] : []), ...(deleted ? [deleted] : [])] };
  },
  namespaceMarks: (stored) => {
    const { observed, deleted } = namespaceMarksRecord.decode(stored);
    return { facts: [...(observed ? [observed] : []), ...(deleted ? [deleted] : [])] };
  },
  hints: (stored) => ({ facts: hintRecord.decode(stored).hints }),
  gap: (stored) => ({ facts: [gapRecord.decode(stored)] }),
  cluster: (stored) => {
    const { observed, kubeSystemUid } = clusterRecord.decode(stored);
    const facts = observed ? [observed] : [];
    return kubeSystemUid === undefined ? { facts } : { facts, beside: { kubeSystemUid } };
  },
};

interface StoredText {
  readonly key: string;
  readonly value: string;
}
