/**
 * What Jobs belong to, as data: how a Job alone names what made it or what it works for. A label has precedence
 * over an annotation, and both over the same key in the Pod template. Sources: the API of each project
 * (docs/answers/lineage.md).
 */
export interface LineageKind {
  /** The kind of the object, or of what another system calls it. */
  readonly kind: string;
  /** `plural.group`. Absent if the cluster has no object of this kind. */
  readonly resource?: string;
  /** `series`: it makes runs over time. `run`: it is submitted once. */
  readonly role: "series" | "run";
  /** The keys that a Job of this kind has. Without one, nothing below applies. */
  readonly when: readonly [string, ...string[]];
  /** The value that the first key must have. */
  readonly is?: string;
  /** The key with the name of the object. */
  readonly name?: string;
  /** The key with the uid of the object. */
  readonly uid?: string;
  /** It is the controller of its Jobs: a Job that another object controls only has copies of its keys. */
  readonly controls?: true;
  /** What the Job does in it: a key with that, or the word itself for kinds whose Jobs all do the same. */
  readonly part?: { readonly key: string } | { readonly word: string };
  /** The part that starts its work. Its end is that of the run, if the object itself was never observed. */
  readonly launcher?: string;
  /** The key that says how often the object had started its Jobs again: 0 at first. */
  readonly attempt?: string;
  /** By which names other systems know the work. The first is the one that a search may use. */
  readonly ids?: { readonly [id: string]: IdKey };
  /** Of the Jobs with equal values of the ids `same`, the one with the highest number in the id `number` counts. */
  readonly tries?: { readonly same: readonly string[]; readonly number: string };
  /** The id that says which part of the run the Job does: Jobs of other parts take another time. */
  readonly step?: string;
  /** The key within whose value the first id is unique. */
  readonly within?: string;
  /** What makes such runs over time: a key with its name, or the Job's own name. */
  readonly series?: { readonly kind: string; readonly name: { readonly key: string } | "job" };
  /** Each of its Jobs is a run of its own. */
  readonly alone?: true;
}

/** Kinds that users have added, and every key that they read. */
export interface AddedKinds {
  readonly kinds: readonly LineageKind[];
  readonly keys: ReadonlySet<string>;
}

/** A key, or the part of its value before a character. */
export type IdKey = string | { readonly key: string; readonly before: string };

/** A parent comes before its own parent. */
export const KINDS: readonly LineageKind[] = [
  {
    kind: "JobSet",
    resource: "jobsets.jobset.x-k8s.io",
    role: "run",
    when: ["jobset.sigs.k8s.io/jobset-name"],
    name: "jobset.sigs.k8s.io/jobset-name",
    uid: "jobset.sigs.k8s.io/jobset-uid",
    controls: true,
    part: { key: "jobset.sigs.k8s.io/replicatedjob-name" },
    attempt: "jobset.sigs.k8s.io/restart-attempt",
  },
  {
    // Its JobSet has the same name.
    kind: "TrainJob",
    resource: "trainjobs.trainer.kubeflow.org",
    role: "run",
    when: ["trainer.kubeflow.org/trainjob-ancestor-step", "jobset.sigs.k8s.io/jobset-name"],
    name: "jobset.sigs.k8s.io/jobset-name",
    part: { key: "trainer.kubeflow.org/trainjob-ancestor-step" },
  },
  {
    kind: "MPIJob",
    resource: "mpijobs.kubeflow.org",
    role: "run",
    when: ["training.kubeflow.org/job-name"],
    name: "training.kubeflow.org/job-name",
    controls: true,
    part: { key: "training.kubeflow.org/job-role" },
    launcher: "launcher",
  },
  {
    kind: "RayJob",
    resource: "rayjobs.ray.io",
    role: "run",
    when: ["ray.io/originated-from-crd"],
    is: "RayJob",
    name: "ray.io/originated-from-cr-name",
    controls: true,
    part: { word: "submitter" },
    launcher: "submitter",
  },
  { kind: "RayCronJob", resource: "raycronjobs.ray.io", role: "series", ...namedBy("ray.io/cronjob-name") },
  {
    kind: "TaskRun",
    resource: "taskruns.tekton.dev",
    role: "run",
    ...namedBy("tekton.dev/taskRun"),
    uid: "tekton.dev/taskRunUID",
  },
  {
    kind: "PipelineRun",
    resource: "pipelineruns.tekton.dev",
    role: "run",
    ...namedBy("tekton.dev/pipelineRun"),
    uid: "tekton.dev/pipelineRunUID",
    part: { key: "tekton.dev/pipelineTask" },
    series: { kind: "Pipeline", name: { key: "tekton.dev/pipeline" } },
  },
  {
    kind: "Workflow",
    resource: "workflows.argoproj.io",
    role: "run",
    ...namedBy("workflows.argoproj.io/workflow"),
    uid: "workflows.argoproj.io/workflow-uid",
  },
  {
    kind: "SparkApplication",
    resource: "sparkapplications.sparkoperator.k8s.io",
    role: "run",
    ...namedBy("sparkoperator.k8s.io/app-name"),
    part: { key: "spark-role" },
    ids: { "spark/app-id": "spark-app-selector", "spark/submission-id": "sparkoperator.k8s.io/submission-id" },
    series: { kind: "ScheduledSparkApplication", name: { key: "sparkoperator.k8s.io/scheduled-app-name" } },
  },
  {
    // Volcano's, which has Pods only. `job/NAME` names a Job of Kubernetes.
    kind: "Job",
    resource: "jobs.batch.volcano.sh",
    role: "run",
    ...namedBy("volcano.sh/job-name"),
    controls: true,
    part: { key: "volcano.sh/task-spec" },
  },
  {
    kind: "DagRun",
    role: "run",
    // The values of labels are cut and get a hash where they are no valid labels.
    when: ["dag_id", "task_id", "run_id"],
    ids: {
      "airflow/run_id": "run_id",
      "airflow/dag_id": "dag_id",
      "airflow/task_id": "task_id",
      "airflow/map_index": "map_index",
      "airflow/try_number": "try_number",
    },
    tries: { same: ["airflow/task_id", "airflow/map_index"], number: "airflow/try_number" },
    step: "airflow/task_id",
    // Scheduled runs of two DAGs have equal run ids.
    within: "dag_id",
    series: { kind: "DAG", name: { key: "dag_id" } },
  },
  {
    kind: "DagsterRun",
    role: "run",
    // Not `dagster/user`, which names a person.
    when: ["dagster/run-id"],
    ids: {
      "dagster/run-id": "dagster/run-id",
      "dagster/job": "dagster/job",
      "dagster/op": "dagster/op",
      "dagster/code-location": "dagster/code-location",
      "dagster/partition": "dagster/partition",
      "dagster/git-sha": "dagster/git-sha",
    },
    step: "dagster/op",
    series: { kind: "DagsterJob", name: { key: "dagster/job" } },
  },
  {
    kind: "FlowRun",
    role: "run",
    when: ["prefect.io/flow-run-id"],
    ids: {
      "prefect/flow-run-id": "prefect.io/flow-run-id",
      "prefect/flow-run-name": "prefect.io/flow-run-name",
      "prefect/flow-id": "prefect.io/flow-id",
      "prefect/deployment-id": "prefect.io/deployment-id",
      "prefect/work-pool-name": "prefect.io/work-pool-name",
    },
    series: { kind: "PrefectDeployment", name: { key: "prefect.io/deployment-id" } },
  },
  {
    kind: "FlyteExecution",
    role: "run",
    when: ["execution-id", "node-id", "task-name"],
    ids: {
      "flyte/execution-id": "execution-id",
      "flyte/node-id": "node-id",
      "flyte/task-name": "task-name",
      "flyte/project": "project",
      "flyte/domain": "domain",
    },
    step: "flyte/node-id",
    series: { kind: "FlyteTask", name: { key: "task-name" } },
  },
  {
    kind: "HelmHook",
    role: "run",
    when: ["helm.sh/hook"],
    ids: { "helm/release": "app.kubernetes.io/instance", "helm/hook": "helm.sh/hook", "helm/chart": "helm.sh/chart" },
    // A hook has the same name in each revision of its release.
    series: { kind: "HelmHook", name: "job" },
    alone: true,
  },
  {
    kind: "ArgoCDHook",
    role: "run",
    when: ["argocd.argoproj.io/hook"],
    ids: {
      // `checkout:batch/Job:shop/db-schema`
      "argocd/app": { key: "argocd.argoproj.io/tracking-id", before: ":" },
      "argocd/hook": "argocd.argoproj.io/hook",
    },
    series: { kind: "ArgoCDHook", name: "job" },
    alone: true,
  },
  {
    kind: "GitHubRunner",
    role: "run",
    when: ["runner-pod"],
    ids: {
      "github/runner": "runner-pod",
      "github/scale-set": "actions.github.com/scale-set-name",
      "github/repository": "actions.github.com/repository",
    },
    alone: true,
  },
  {
    kind: "GitLabJob",
    role: "run",
    when: ["job.runner.gitlab.com/id"],
    ids: {
      "gitlab/job-id": "job.runner.gitlab.com/id",
      "gitlab/job-name": "job.runner.gitlab.com/name",
      "gitlab/job-url": "job.runner.gitlab.com/url",
      "gitlab/project": "project.runner.gitlab.com/name",
    },
    alone: true,
  },
  {
    // A Job that another cluster created: its original.
    kind: "MultiKueueOrigin",
    role: "run",
    when: ["kueue.x-k8s.io/multikueue-origin-uid"],
    ids: { "kueue/origin-uid": "kueue.x-k8s.io/multikueue-origin-uid" },
    alone: true,
  },
];

function namedBy(key: string): Pick<LineageKind, "when" | "name"> {
  return { when: [key], name: key };
}

/** Every key that a kind reads. */
export function keysOf({ when, name, uid, part, attempt, ids, series }: LineageKind): readonly string[] {
  const own = [name, uid, attempt, part !== undefined && "key" in part ? part.key : undefined];
  const others = Object.values(ids ?? {}).map((id) => (typeof id === "string" ? id : id.key));
  const ofSeries = series === undefined || series.name === "job" ? undefined : series.name.key;
  return [...new Set([...when, ...own, ...others, ofSeries].filter((key) => key !== undefined))];
}

/** The keys that leave the cluster, as labels, as annotations and in the Pod template. */
export const LINEAGE_KEYS: ReadonlySet<string> = new Set(KINDS.flatMap(keysOf));

export function addedKinds(kinds: readonly LineageKind[]): AddedKinds {
  return { kinds, keys: new Set(kinds.flatMap(keysOf)) };
}

/** The kinds that make runs over time, those without a key on Jobs included. */
export const SERIES: ReadonlySet<string> = new Set([
  "CronJob",
  "CronWorkflow",
  "ScheduledSparkApplication",
  ...KINDS.filter(({ role }) => role === "series").map(({ kind }) => kind),
]);

export function isSeries(kind: string): boolean {
  return SERIES.has(kind);
}

/** Whether a Job in this part of this kind starts the work of its run, and does not do it. */
export function isLauncher({ kind, role }: { readonly kind: string; readonly role?: string | undefined }): boolean {
  return KINDS.some(({ kind: known, launcher }) => known === kind && launcher !== undefined && launcher === role);
}

/** Which work a Job tries to do, and for which time. */
export interface WorkTry {
  /** Equal for all tries of one piece of work. */
  readonly work: string;
  readonly number: number;
}

/** The try that external ids name; `undefined` if they name none. */
export function tryOf(ids: { readonly [id: string]: string }): WorkTry | undefined {
  const tries = KINDS.flatMap((kind) => kind.tries ?? []).find(({ number }) => ids[number] !== undefined);
  if (tries === undefined) return undefined;
  const number = Number(ids[tries.number]);
  return { work: JSON.stringify(tries.same.map((id) => ids[id])), number: Number.isInteger(number) ? number : 0 };
}

const STEPS: readonly string[] = KINDS.flatMap(({ step }) => step ?? []);

/** Which part of its run a Job with these external ids does; `undefined` if they do not say. */
export function stepOf(ids: { readonly [id: string]: string }): string | undefined {
  return STEPS.map((id) => ids[id]).find((step) => step !== undefined);
}
