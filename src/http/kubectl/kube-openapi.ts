import { forRuns, GROUPS, groupVersion, type KubeResource, RESOURCES } from "./resources.ts";

/**
 * OpenAPI v3 for kubectl, one document for each group and version (KEP-2896). `kubectl explain` reads it. `kubectl
 * apply` and `create` check it for server-side field validation; with it, they send the request and print the
 * refusal.
 */
export function openApiIndex(): unknown {
  return {
    paths: Object.fromEntries(
      [...DOCUMENTS.keys()].map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}` }]),
    ),
  };
}

/** The document of a group and version, such as `apis/batch/v1`; `undefined` for any other path. */
export function kubeOpenApi(path: string, version: string): unknown {
  const group = DOCUMENTS.get(path);
  if (group === undefined) return undefined;
  const resources = RESOURCES.filter((resource) => resource.group === group);
  return {
    openapi: "3.0.0",
    info: { title: "Outlive, as the Kubernetes API", version },
    paths: Object.fromEntries(resources.flatMap((resource) => pathsOf(path, resource))),
    components: { schemas: Object.fromEntries(resources.map((resource) => [resource.kind, schemaOf(resource)])) },
  };
}

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["api/v1", ""],
  ...GROUPS.map((group) => [`apis/${groupVersion({ group })}`, group] as const),
]);

function pathsOf(path: string, resource: KubeResource): readonly (readonly [string, unknown])[] {
  const place = `/${path}/${resource.namespaced ? "namespaces/{namespace}/" : ""}${resource.plural}`;
  const is = { "x-kubernetes-group-version-kind": kindOf(resource) };
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${resource.kind}` } } };
  const get = { ...is, responses: { 200: { description: "OK", content } } };
  const refused = {
    ...is,
    parameters: [FIELD_VALIDATION],
    responses: { 405: { description: "Outlive is read-only." } },
  };
  return [
    [place, { get }],
    [`${place}/{name}`, { get, patch: refused }],
  ];
}

const FIELD_VALIDATION = { name: "fieldValidation", in: "query", schema: { type: "string" } };

function kindOf({ group, version, kind }: KubeResource): unknown {
  return { group, kind, version };
}

function schemaOf(resource: KubeResource): unknown {
  const { plural, kind } = resource;
  return {
    ...object(ABOUT[plural], {
      apiVersion: string(groupVersion(resource)),
      kind: string(kind),
      metadata: METADATA,
      ...FIELDS[plural],
    }),
    "x-kubernetes-group-version-kind": [kindOf(resource)],
  };
}

type Schema = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Schema>>;

function string(description: string): Schema {
  return { type: "string", description };
}

function integer(description: string): Schema {
  return { type: "integer", format: "int32", description };
}

function boolean(description: string): Schema {
  return { type: "boolean", description };
}

function texts(description: string): Schema {
  return { type: "object", additionalProperties: { type: "string", description: "" }, description };
}

function object(description: string, properties: Fields): Schema {
  return { type: "object", description, properties };
}

function list(description: string, items: Schema): Schema {
  return { type: "array", description, items };
}

const RUN = "A run, with the state that its object and its Jobs show. Also contains those that were deleted.";
const ABOUT: Readonly<Record<KubeResource["plural"], string>> = {
  jobs: "A Job, with the status derived from all facts. Also contains Jobs that were deleted from the cluster.",
  cronjobs: "A CronJob as it was last observed.",
  pods:
    "A Pod of a Job. Also contains Pods that were deleted from " +
    "the cluster. Lists the containers that were observed to run.",
  events: "A fact about a Job or one of its Pods.",
  namespaces: "A namespace that has had Jobs.",
  ...forRuns(RUN),
};

const METADATA = object("Standard object metadata. Annotations outlive/... contain what no other field can express.", {
  name: string("Name of the object. Several objects may have had the same name."),
  namespace: string("Namespace of the object."),
  uid: string("Unique id. Distinguishes objects with the same name."),
  resourceVersion: string("The instant of the last change that is included, in milliseconds."),
  creationTimestamp: string("Time of creation."),
  labels: texts("Labels of the object, as far as Outlive records them."),
  annotations: texts(
    "outlive/verdict, outlive/findings, outlive/completeness, " +
      "outlive/reported-status, outlive/deleted-at, outlive/deleted-by and others.",
  ),
});

const CONDITION = object("A condition of a Job or a run.", {
  type: string("Complete, Completed, Failed, Suspended, SuccessCriteriaMet or FailureTarget."),
  status: string("True, False or Unknown."),
  reason: string("Machine-readable reason, in CamelCase."),
  message: string("Human-readable message."),
  lastTransitionTime: string("Time of the last change of the status."),
});

const RUN_FIELDS: Fields = {
  status: object("Status derived from the run and its Jobs.", {
    restarts: integer("How often it started its Jobs again."),
    jobs: object("The Jobs of all attempts by state.", {
      total: integer("Number of Jobs."),
      complete: integer("Number of complete Jobs."),
      failed: integer("Number of failed Jobs."),
    }),
    conditions: list("The condition of a run that is over.", CONDITION),
  }),
};

const FIELDS: Readonly<Record<KubeResource["plural"], Fields>> = {
  jobs: {
    spec: object("Specification of the desired behavior.", {
      completions: integer("Number of successful Pods that complete the Job. Absent: any success completes it."),
      parallelism: integer("Maximum number of Pods that run at the same time."),
      completionMode: string("NonIndexed or Indexed. Indexed needs one success for each index."),
      backoffLimit: integer("Number of retries before the Job fails."),
      backoffLimitPerIndex: integer("Number of retries before an index fails."),
      maxFailedIndexes: integer("Maximum number of failed indexes before the Job fails."),
      activeDeadlineSeconds: integer("Time in seconds that the Job may be active."),
      ttlSecondsAfterFinished: integer("Time in seconds after which a finished Job is deleted."),
      suspend: boolean("Whether the Job is suspended."),
    }),
    status: object("Status derived from all facts with the rules of the Job controller.", {
      active: integer("Number of pending and running Pods."),
      ready: integer("Number of active Pods that are ready."),
      terminating: integer("Number of terminating Pods."),
      succeeded: integer("Number of successful Pods, including deleted ones."),
      failed: integer("Number of failed Pods, including deleted ones."),
      completedIndexes: string("Completed indexes as intervals, such as 0-4,7."),
      failedIndexes: string("Failed indexes as intervals."),
      startTime: string("Time when the Job controller started the Job."),
      completionTime: string("Time when the Job completed."),
      conditions: list("Conditions of the Job.", CONDITION),
    }),
  },
  cronjobs: {
    spec: object("Specification of the desired behavior.", {
      schedule: string("Schedule in cron format."),
      timeZone: string("Time zone of the schedule."),
      suspend: boolean("Whether the CronJob is suspended."),
      concurrencyPolicy: string("How to treat concurrent runs: Allow, Forbid or Replace."),
    }),
    status: object("Observed status.", {
      lastScheduleTime: string("Time when the last Job was scheduled."),
      lastSuccessfulTime: string("Time when the last successful Job completed."),
    }),
  },
  pods: {
    spec: object("Where the Pod ran.", {
      nodeName: string("Node of the Pod."),
      restartPolicy: string("Restart policy of the containers: Never or OnFailure."),
    }),
    status: object("Observed status.", {
      phase: string("Pending, Running, Succeeded, Failed or Unknown. The first terminal phase is final."),
      reason: string("Machine-readable reason, in CamelCase."),
      message: string("Human-readable message."),
      startTime: string("Time when the Pod was scheduled or started."),
    }),
  },
  events: {
    involvedObject: object("The object that the Event is about.", {
      kind: string("Kind of the object: Job or Pod."),
      namespace: string("Namespace of the object."),
      name: string("Name of the object."),
      uid: string("Uid of the object, if it is known."),
    }),
    type: string("Normal or Warning."),
    reason: string("Kind of the fact, such as PodTerminated or JobFinished."),
    message: string("Description of the fact."),
    count: integer("Number of occurrences. Always 1."),
    firstTimestamp: string("Time of the fact."),
    lastTimestamp: string("Time of the fact."),
  },
  namespaces: { status: object("Status of the namespace.", { phase: string("Always Active.") }) },
  ...forRuns(RUN_FIELDS),
};
