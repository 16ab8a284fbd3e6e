import type { Attribution } from "../../explain/answer-document.ts";
import type { Instant } from "../../job/model/instant.ts";

/** An object of the Kubernetes API. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeMetadata;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface KubeMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp: string | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly unknown[];
}

/** In this API, a `resourceVersion` is an instant in milliseconds. Clients may compare the numbers (KEP-5504). */
export function resourceVersionOf(now: Instant): string {
  return String(now);
}

/** Annotations for data that has no field in the object's kind. */
export const ANNOTATION = {
  cluster: "outlive/cluster",
  verdict: "outlive/verdict",
  /** The last reported status, as JSON, if it differs from the derived one. */
  reported: "outlive/reported-status",
  findings: "outlive/findings",
  completeness: "outlive/completeness",
  heardAt: "outlive/heard-at",
  /** When the object was deleted from the cluster. */
  deletedAt: "outlive/deleted-at",
  deletedBy: "outlive/deleted-by",
  /** The outcome of the Pod: Succeeded, Failed, Active, Terminating or Unknown. */
  outcome: "outlive/outcome",
  /** How the Job counted the Pod. */
  countedAs: "outlive/counted-as",
} as const;

/** The annotations that have a value. */
export function annotations(entries: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
}

export function attributionText(attribution: Attribution | undefined): string | undefined {
  return attribution && `${attribution.actor} (${attribution.confidence}): ${attribution.cause}`;
}
