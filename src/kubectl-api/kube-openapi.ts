import { groupVersion, type KubeResource, RESOURCES } from "./resources.ts";

/**
 * OpenAPI v3 as kubectl asks for it, one document for each group and version (KEP-2896): `kubectl explain` reads it, and `kubectl apply` and `create` look there
 * whether the server judges fields itself. They find that it does, send what they would write, and are told in a sentence that nothing is written here.
 */
export function openApiIndex(): unknown {
  return {
    paths: Object.fromEntries(
      [...DOCUMENTS.keys()].map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}` }]),
    ),
  };
}

/** The document at `/openapi/v3/apis/batch/v1` and its like; `undefined` where there is none. */
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

const DOCUMENTS: ReadonlyMap<string, KubeResource["group"]> = new Map([
  ["api/v1", ""],
  ["apis/batch/v1", "batch"],
]);

function pathsOf(path: string, resource: KubeResource): readonly (readonly [string, unknown])[] {
  const place = `/${path}/${resource.namespaced ? "namespaces/{namespace}/" : ""}${resource.plural}`;
  const is = { "x-kubernetes-group-version-kind": kindOf(resource) };
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${resource.kind}` } } };
  const get = { ...is, responses: { 200: { description: "OK", content } } };
  const refused = { ...is, parameters: [FIELD_VALIDATION], responses: { 405: { description: "Outlive only reads." } } };
  return [
    [place, { get }],
    [`${place}/{name}`, { get, patch: refused }],
  ];
}

const FIELD_VALIDATION = { name: "fieldValidation", in: "query", schema: { type: "string" } };

function kindOf({ group, kind }: KubeResource): unknown {
  return { group, kind, version: "v1" };
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

const ABOUT: Readonly<Record<KubeResource["plural"], string>> = {
  jobs: "A Job with its status as it follows from all facts, whether the cluster still has it or not.",
  cronjobs: "A CronJob as it was seen last.",
  pods: "An attempt: a Pod of a Job, whether the cluster still has it or not. Containers are those that were seen to run.",
  events: "A fact about a Job or one of its Pods.",
  namespaces: "A namespace that has had Jobs.",
};

const METADATA = object("Who the object is. The annotations outlive/... say what no other field says.", {
  name: string("The name; one name may have been used by several objects."),
  namespace: string("The namespace."),
  uid: string("Tells objects of one name apart."),
  resourceVersion: string("An instant in milliseconds: as of when the object is shown."),
  creationTimestamp: string("When the object was created."),
  labels: texts("Labels, as far as facts keep them."),
  annotations: texts(
    "outlive/verdict, outlive/findings, outlive/completeness, outlive/reported-status, outlive/deleted-at, outlive/deleted-by and others.",
  ),
});

const CONDITION = object("A condition.", {
  type: string("Complete, Failed, Suspended, SuccessCriteriaMet or FailureTarget."),
  status: string("True, False or Unknown."),
  reason: string("Why, in one word."),
  message: string("Why, in a sentence."),
  lastTransitionTime: string("Since when."),
});

const FIELDS: Readonly<Record<KubeResource["plural"], Fields>> = {
  jobs: {
    spec: object("What was asked for.", {
      completions: integer("How many successes make the Job complete; absent: any one."),
      parallelism: integer("How many Pods may run at a time."),
      completionMode: string("NonIndexed, or Indexed: one success for each index."),
      backoffLimit: integer("How many failed Pods fail the Job."),
      backoffLimitPerIndex: integer("How many failed Pods fail one index."),
      maxFailedIndexes: integer("How many failed indexes fail the Job."),
      activeDeadlineSeconds: integer("How long the Job may be active."),
      ttlSecondsAfterFinished: integer("How long after its end it is deleted."),
      suspend: boolean("Whether no Pods are to run for now."),
    }),
    status: object("What became of it, by upstream's rules over all facts that are known.", {
      active: integer("Pods that run or wait to."),
      ready: integer("Active Pods that are ready."),
      terminating: integer("Pods on their way out."),
      succeeded: integer("Pods that succeeded, also those that are gone."),
      failed: integer("Pods that failed, also those that are gone."),
      completedIndexes: string("Indexes with a success, as intervals: 0-4,7."),
      failedIndexes: string("Indexes that failed for good, as intervals."),
      startTime: string("When the Job controller began."),
      completionTime: string("When the Job was complete."),
      conditions: list("How it ended, or that it is suspended.", CONDITION),
    }),
  },
  cronjobs: {
    spec: object("What was asked for.", {
      schedule: string("When it is due, as cron writes it."),
      timeZone: string("Of which time zone the schedule is."),
      suspend: boolean("Whether it makes no Jobs for now."),
      concurrencyPolicy: string("Allow, Forbid or Replace."),
    }),
    status: object("What it did.", {
      lastScheduleTime: string("When it made a Job last."),
      lastSuccessfulTime: string("When one of its Jobs succeeded last."),
    }),
  },
  pods: {
    spec: object("Where it ran.", {
      nodeName: string("The Node it was bound to."),
      restartPolicy: string("Never or OnFailure."),
    }),
    status: object("What it came to.", {
      phase: string("Pending, Running, Succeeded, Failed or Unknown; the first end it had stays."),
      reason: string("Why, in one word."),
      message: string("Why, in a sentence."),
      startTime: string("When it was bound, or began."),
    }),
  },
  events: {
    involvedObject: object("What it is about.", {
      kind: string("Job or Pod."),
      namespace: string("Its namespace."),
      name: string("Its name."),
      uid: string("Its uid, where it is known."),
    }),
    type: string("Normal or Warning."),
    reason: string("The kind of fact: PodTerminated, JobFinished ..."),
    message: string("The fact, in words."),
    count: integer("How often: each fact once."),
    firstTimestamp: string("When."),
    lastTimestamp: string("When."),
  },
  namespaces: { status: object("Whether it is there.", { phase: string("Active.") }) },
};
