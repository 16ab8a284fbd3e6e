import type { PodFact } from "../../job/model/fact.ts";
import { isPodFact } from "../../job/model/fact.ts";
import { namedRunUid, workOf } from "../../parents/run/run-uid.ts";
import { type AddedKinds, KINDS } from "../../parents/kinds.ts";
import { type JobIdentity, kindsOfJob, type Lineage, lineageOf } from "../../parents/lineage.ts";
import { fieldsOf, isObject, type JsonObject, textOf } from "../json/json-field.ts";
import { lineageKeys, marksOf } from "../translate/lineage-marks.ts";
import { isProblems, type Metadata, readMetadata } from "../translate/metadata.ts";
import { controllerOf, isOfJob, ownerOf } from "../translate/owner-reference.ts";
import { DEFAULT_OPTIONS } from "../translate/translated.ts";
import { translatePod } from "../translate/translate-pod.ts";

/** A Pod without a Job, as a Pod of its run. */
export interface RunPod {
  readonly run: PodRun;
  /** Their `jobUid` is the key of the run. */
  readonly facts: readonly PodFact[];
}

/** What a Pod without a Job belongs to. */
export interface PodRun extends Pick<Lineage, "series" | "externalIds"> {
  /** The uid of its object, otherwise a hash of what distinguishes it. */
  readonly key: string;
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
}

/** The built-in kinds that may make Pods without Jobs. */
export const POD_RUN_KINDS: readonly string[] = KINDS.filter(({ role }) => role === "run").map(({ kind }) => kind);

/** What a watch event says about a Pod that belongs to no Job, but to a run of one of these kinds. */
export function translateRunPod(event: unknown, kinds: ReadonlySet<string>, added?: AddedKinds): RunPod | undefined {
  const { type, object } = fieldsOf(event);
  const pod = fieldsOf(object ?? event);
  if (pod["kind"] !== "Pod" || isOfJob(controllerOf(fieldsOf(pod["metadata"])))) return undefined;
  const run = runOf(pod, added);
  if (run === undefined || !kinds.has(run.kind)) return undefined;
  const change = type === "DELETED" ? "DELETED" : "MODIFIED";
  const translated = translatePod(change, ownedBy(run, pod), DEFAULT_OPTIONS);
  return translated.outcome === "translated" ? { run, facts: translated.facts.filter(isPodFact) } : undefined;
}

function runOf(pod: JsonObject, added: AddedKinds | undefined): PodRun | undefined {
  const metadata = readMetadata(pod, "namespaced");
  if (isProblems(metadata)) return undefined;
  const { namespace } = metadata;
  const identity = identityOf(metadata, added);
  const lineage = lineageOf(identity);
  const named = lineage.run ?? workOf(kindsOfJob(identity));
  if (named === undefined) return undefined;
  const { kind, name } = named;
  const uid = "uid" in named ? named.uid : undefined;
  const { series, externalIds } = lineage;
  const key = uid ?? namedRunUid(namespace, named);
  return {
    key,
    namespace,
    kind,
    name,
    ...(uid !== undefined && { uid }),
    ...(series !== undefined && { series }),
    externalIds,
  };
}

/** What decides to what the Pod belongs, in the form of a Job. */
function identityOf({ name, fields, createdAt = 0 }: Metadata, added: AddedKinds | undefined): JobIdentity {
  const labels = lineageKeys(fields);
  const marks = marksOf({ metadata: fields, labels }, added) ?? {};
  const owner = ownerOf(fields);
  return { name, createdAt, labels, marks, ...(owner !== undefined && { owner }) };
}

/** The Pod as if a Job with the run's key controlled it, so that the same rules apply to it. */
function ownedBy({ key }: PodRun, pod: JsonObject): JsonObject {
  const controller = { apiVersion: "batch/v1", kind: "Job", name: "run", uid: key, controller: true };
  const metadata = isObject(pod["metadata"]) ? pod["metadata"] : {};
  return {
    ...pod,
    apiVersion: textOf(pod["apiVersion"]) ?? "v1",
    metadata: { ...metadata, ownerReferences: [controller] },
  };
}
