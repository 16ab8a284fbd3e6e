import { JOB_SET } from "../../parents/status/job-set.ts";
import { RAY_JOB } from "../../parents/status/ray-job.ts";
import { TRAIN_JOB } from "../../parents/status/train-job.ts";
import type { WatchedStatus } from "../../parents/status/watched-status.ts";
import { WORKFLOW } from "../../parents/status/workflow.ts";

/** The kinds of runs that kubectl lists. */
export const RUN_PLURALS = ["jobsets", "trainjobs", "rayjobs", "workflows"] as const;
export type RunPlural = (typeof RUN_PLURALS)[number];

/** The same for each kind of runs. */
export function forRuns<Value>(value: Value): Readonly<Record<RunPlural, Value>> {
  return { jobsets: value, trainjobs: value, rayjobs: value, workflows: value };
}

/** A resource of this API, as discovery describes it. */
export interface KubeResource {
  /** "" is the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: "jobs" | "cronjobs" | "pods" | "events" | "namespaces" | RunPlural;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

const VERBS = ["get", "list", "watch"];

/** Short names and categories are the same as in kube-apiserver. */
export const RESOURCES: readonly KubeResource[] = [
  {
    group: "batch",
    version: "v1",
    plural: "jobs",
    singular: "job",
    kind: "Job",
    namespaced: true,
    shortNames: [],
    categories: ["all"],
    verbs: VERBS,
  },
  {
    group: "batch",
    version: "v1",
    plural: "cronjobs",
    singular: "cronjob",
    kind: "CronJob",
    namespaced: true,
    shortNames: ["cj"],
    categories: ["all"],
    verbs: VERBS,
  },
  {
    group: "",
    version: "v1",
    plural: "pods",
    singular: "pod",
    kind: "Pod",
    namespaced: true,
    shortNames: ["po"],
    categories: ["all"],
    verbs: VERBS,
  },
  {
    group: "",
    version: "v1",
    plural: "events",
    singular: "event",
    kind: "Event",
    namespaced: true,
    shortNames: ["ev"],
    categories: [],
    verbs: VERBS,
  },
  {
    group: "",
    version: "v1",
    plural: "namespaces",
    singular: "namespace",
    kind: "Namespace",
    namespaced: false,
    shortNames: ["ns"],
    categories: [],
    verbs: VERBS,
  },
  runsOf(JOB_SET, "jobsets"),
  runsOf(TRAIN_JOB, "trainjobs"),
  runsOf(RAY_JOB, "rayjobs"),
  runsOf(WORKFLOW, "workflows", ["wf"]),
];

/** The groups other than the core group. */
export const GROUPS: readonly string[] = [...new Set(RESOURCES.map(({ group }) => group))].filter(
  (group) => group !== "",
);

/** A kind whose objects are runs. */
function runsOf(
  { kind, apiVersions }: WatchedStatus,
  plural: RunPlural,
  shortNames: readonly string[] = [],
): KubeResource {
  const [preferred] = apiVersions;
  const [group = "", version = ""] = preferred.split("/");
  const names = { plural, singular: kind.toLowerCase(), kind, shortNames };
  return { group, version, ...names, namespaced: true, categories: [], verbs: VERBS };
}

export function isRuns(plural: KubeResource["plural"]): plural is RunPlural {
  return RUN_PLURALS.some((known) => known === plural);
}

export function findResource(group: string, plural: string): KubeResource | undefined {
  return RESOURCES.find((resource) => resource.group === group && resource.plural === plural);
}

/** All resources of a group have the same version. */
export function versionOf(group: string): string {
  return RESOURCES.find((resource) => resource.group === group)?.version ?? "v1";
}

export function groupVersion({ group }: Pick<KubeResource, "group">): string {
  return group === "" ? versionOf(group) : `${group}/${versionOf(group)}`;
}
