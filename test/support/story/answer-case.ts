import { answerAndWhy } from "../../../src/explain/why-record.ts";
import { deriveRecord } from "../../../src/explain/derived-job.ts";
import type { JobAnswer, Why } from "../../../src/explain/answer-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { isObject } from "../../../src/kubernetes/json/json-field.ts";
import { slimObject } from "../../../src/kubernetes/recording/slim-object.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { foldFacts } from "../../../src/query/job/fold-facts.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { conformanceCases } from "./conformance-case.ts";
import { decodeFacts, encodeFacts } from "../../../src/segment/fact-list.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A case of kind `answer`: what a watch sent about one Job, and what the answer says (test/conformance/README.md). */
export interface AnswerCase {
  readonly id: string;
  readonly kind: "answer";
  readonly now?: string;
  readonly objects: Readonly<Record<string, Fields>>;
  readonly watch: readonly CaseWatchEvent[];
  readonly expected: CaseAnswer;
}
interface CaseWatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The name of one of the case's objects. */
  readonly of: string;
  /** What changed since the object's last event, as a merge patch (RFC 7396). */
  readonly patch?: Fields;
}
interface CaseAnswer {
  /** Patterns that each text contains, and that it does not contain. */
  readonly says: CaseTexts;
  readonly never?: CaseTexts;
  /** A part of the answer. */
  readonly answer?: Fields;
  /** Fields that the answer does not have. */
  readonly absent?: readonly string[];
}
interface CaseTexts {
  /** The first line of `why`. */
  readonly line?: readonly string[];
  /** The messages of the findings. */
  readonly findings?: readonly string[];
  readonly remedies?: readonly string[];
}

export interface AnsweredCase {
  readonly answer: JobAnswer;
  readonly why: Why;
}

/** All cases of this kind, in the order of the files. */
export function answerCases(): readonly AnswerCase[] {
  return conformanceCases().filter(isAnswerCase);
}

function isAnswerCase(one: object): one is AnswerCase {
  return "kind" in one && one.kind === "answer";
}

/** The watch events of a case, with complete objects. */
function watchOf({ objects, watch }: Pick<AnswerCase, "objects" | "watch">): readonly object[] {
  const known = new Map<string, Fields>();
  return watch.map(({ type, of, patch = {} }, at) => {
    const object = merged(known.get(of) ?? withDefaults(objects[of] ?? {}), patch) as Fields;
    known.set(of, object);
    const metadata = { ...(object["metadata"] as Fields), resourceVersion: String(1001 + at) };
    return { type, object: { ...object, metadata } };
  });
}

/** The facts of a case, as a segment has them: of the whole objects, or of those that a recording keeps. */
export function factsOfAnswerCase(one: AnswerCase, form: "whole" | "recorded" = "whole"): readonly Fact[] {
  const events = watchOf(one) as readonly { readonly type: string; readonly object: Fields }[];
  const facts = events.flatMap(({ type, object }) => {
    const kept = form === "whole" ? object : slimObject(String(object["kind"]), object);
    const translated = kept === undefined ? undefined : translate({ type, object: kept });
    return translated?.outcome === "translated" ? translated.facts : [];
  });
  const decoded = decodeFacts(encodeFacts(facts));
  if (decoded.outcome !== "decoded") throw new Error("The facts of a case cannot be stored.");
  return decoded.facts;
}

/** The answer about the only Job of the facts. */
export async function answerOfCase({ now }: Pick<AnswerCase, "now">, facts: readonly Fact[]): Promise<AnsweredCase> {
  const { jobs, clusterContext, runs, latestAt } = await foldFacts(batchesOf(facts));
  const [record] = jobs;
  if (record === undefined) throw new Error("The facts of a case are about no Job.");
  const options = { cluster: "conformance", clusterContext, now: parseInstant(now) ?? latestAt, attempts: true };
  const { answer, why } = answerAndWhy(record, options);
  const derived = deriveRecord(record, options);
  return { answer: new RunFold(runs, clusterContext).add(answer, derived, () => answer), why };
}

async function* batchesOf(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield facts;
}

const API_VERSIONS: Readonly<Record<string, string>> = { Job: "batch/v1", Pod: "v1", Event: "v1", Node: "v1" };

/** What every stored object has. A Pod belongs to the Job unless it names its owners. */
function withDefaults(object: Fields): Fields {
  const kind = String(object["kind"]);
  const metadata = object["metadata"] as Fields;
  const owned = {
    finalizers: ["batch.kubernetes.io/job-tracking"],
    ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "work", uid: "job-work", controller: true }],
  };
  return {
    apiVersion: API_VERSIONS[kind],
    ...object,
    metadata: {
      namespace: "default",
      uid: `${kind.toLowerCase()}-${String(metadata["name"])}`,
      ...(kind === "Pod" && owned),
      ...metadata,
    },
  };
}

function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = { ...(isObject(target) ? target : {}) };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = merged(result[field], value);
  }
  return result;
}
