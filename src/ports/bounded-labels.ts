import type { Labels } from "./metric-store.ts";

/** Replaces a label's value if the value has no series of its own. */
const OTHER = "other";
/** The namespace of such series. It is not a valid name, so that no grant for a namespace covers it. */
export const OTHER_NAMESPACE = "_other";

/** Labels whose values come from users and have no bound. */
const OPEN: ReadonlySet<string> = new Set(["owner_kind", "owner", "reason", "cronjob"]);
/** The part of all series that single owners may have. The rest is for the sums of their namespaces. */
const OWNERS_SHARE = 0.9;

/** The series that exist, and how many there may be. */
export interface SeriesBound {
  readonly maxSeries: number;
  readonly known: number;
  readonly isStored: (labels: Labels) => boolean;
}

/**
 * The labels under which a label set is counted. Owners are replaced first: beyond 90 % of the limit, new owners are
 * summed as `other` in their namespace, and beyond the limit in their cluster. A cluster has few label sets without
 * owners and namespaces.
 */
export function boundedLabels(labels: Labels, { maxSeries, known, isStored }: SeriesBound): Labels {
  const isOpen = Object.keys(labels).some((name) => OPEN.has(name));
  if (isStored(labels) || known < maxSeries * OWNERS_SHARE || (known < maxSeries && !isOpen)) return labels;
  const [, inNamespace, inCluster] = boundedForms(labels);
  return isStored(inNamespace) || known < maxSeries ? inNamespace : inCluster;
}

/** All forms of labels under which they may be counted. */
export function boundedForms(labels: Labels): readonly [own: Labels, inNamespace: Labels, inCluster: Labels] {
  const inNamespace = withoutNames(labels, OPEN);
  return [labels, inNamespace, withoutNames(inNamespace, NAMESPACE)];
}

const NAMESPACE: ReadonlySet<string> = new Set(["namespace"]);

function withoutNames(labels: Labels, names: ReadonlySet<string>): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, names.has(name) ? summed(name) : value]),
  );
}

function summed(name: string): string {
  return name === "namespace" ? OTHER_NAMESPACE : OTHER;
}

const MAX_VALUE = 256;

/** A label value of bounded length, without control characters. Names of Kubernetes have at most 253 characters. */
export function labelValue(text: string): string {
  const printable = /\p{Cc}/u.test(text) ? text.replaceAll(/\p{Cc}/gu, "\u{fffd}") : text;
  return printable.length <= MAX_VALUE ? printable : `${printable.slice(0, MAX_VALUE - 1)}…`;
}
