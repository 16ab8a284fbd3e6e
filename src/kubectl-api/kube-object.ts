import type { Attribution } from "../explain/answer-document.ts";

/** An object as the Kubernetes API shows it. */
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

/** What Outlive knows beside what the object's kind has fields for. */
export const ANNOTATION = {
  cluster: "outlive/cluster",
  verdict: "outlive/verdict",
  /** The status Kubernetes said last, as JSON, where it differs from the one shown. */
  reported: "outlive/reported-status",
  findings: "outlive/findings",
  completeness: "outlive/completeness",
  /** The object is gone from the cluster since then. */
  deletedAt: "outlive/deleted-at",
  deletedBy: "outlive/deleted-by",
  /** What the Pod came to: Succeeded, Failed, Active, Terminating or Unknown. */
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
