/** A resource of this API, as discovery describes it. */
export interface KubeResource {
  readonly group: "" | "batch";
  readonly plural: "jobs" | "cronjobs" | "pods" | "events" | "namespaces";
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
    plural: "namespaces",
    singular: "namespace",
    kind: "Namespace",
    namespaced: false,
    shortNames: ["ns"],
    categories: [],
    verbs: VERBS,
  },
];

export function findResource(group: string, plural: string): KubeResource | undefined {
  return RESOURCES.find((resource) => resource.group === group && resource.plural === plural);
}

export function groupVersion({ group }: Pick<KubeResource, "group">): string {
  return group === "" ? "v1" : `${group}/v1`;
}
