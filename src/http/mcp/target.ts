import { isOfKind, RUN_KINDS } from "../../parents/run/run-names.ts";

/** What the arguments of a tool name. What is absent has to be found. */
export interface WantedTarget {
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  /** `job`, `cronjob`, or the kind of a run. */
  readonly kind?: string | undefined;
  readonly name: string;
  readonly uid?: string | undefined;
}

export interface TargetArguments {
  readonly target: string;
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
}

/**
 * Reads a target as people write it: `NAME`, `KIND/NAME`, `NAMESPACE/NAME`, `NAMESPACE/KIND/NAME`,
 * `CLUSTER/NAMESPACE/NAME`, or `CLUSTER/NAMESPACE/KIND/NAME` as answers have it. A name after a kind may have slashes.
 */
export function parseTarget({ target, cluster, namespace, uid }: TargetArguments): WantedTarget {
  const parts = target.trim().split("/");
  const kindAt = parts
    .slice(0, Math.min(MOST_BEFORE_KIND, parts.length - 1))
    .findIndex((part) => kindOf(part) !== undefined);
  const places = kindAt >= 0 ? parts.slice(0, kindAt) : parts.slice(0, Math.min(2, parts.length - 1));
  const name = parts.slice(kindAt >= 0 ? kindAt + 1 : places.length).join("/");
  const [inNamespace, inCluster] = places.toReversed();
  const kind = kindAt >= 0 ? kindOf(parts[kindAt] ?? "") : undefined;
  return { cluster: inCluster ?? cluster, namespace: inNamespace ?? namespace, kind, name, uid };
}

/** A cluster and a namespace. */
const MOST_BEFORE_KIND = 3;

const JOB_KINDS = new Set(["job", "jobs", "job.batch", "jobs.batch", "job.v1.batch", "jobs.v1.batch"]);
const CRON_JOB_KINDS = new Set(["cronjob", "cronjobs", "cj", "cronjob.batch", "cronjobs.batch"]);

/** `job`, `cronjob` or the kind of a run that a word means; `undefined` for any other word. */
export function kindOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (JOB_KINDS.has(lower)) return "job";
  if (CRON_JOB_KINDS.has(lower)) return "cronjob";
  return RUN_KINDS.find((kind) => isOfKind(kind, lower))?.toLowerCase();
}
