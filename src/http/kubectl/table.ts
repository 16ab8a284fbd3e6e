import { stateText } from "../../explain/state-text.ts";
import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import { completionsText } from "../../explain/completions-text.ts";
import { humanDuration } from "../../job/text/human-duration.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { jobRunTime } from "../../job/status/job-duration.ts";
import type { CronJobAnswer } from "../../query/cron-jobs/cron-jobs.ts";
import type { KubeObject } from "./kube-object.ts";

/** One column of a `meta.k8s.io/v1` Table. Priority 1 is shown by `-o wide`. */
export interface Column<Row> {
  readonly name: string;
  readonly type: "string" | "integer";
  readonly priority: 0 | 1;
  readonly cell: (row: Row, now: Instant) => string | number;
}

const NONE = "<none>";

/** The columns of `kubectl get jobs` (k8s.io/kubernetes/pkg/printers/internalversion), and when the Job was deleted. */
export const JOB_COLUMNS: readonly Column<JobAnswer>[] = [
  column("Name", ({ name }) => name),
  column("Status", stateText),
  column("Completions", completionsText),
  column("Duration", durationText),
  column("Age", ({ createdAt }, now) => age(createdAt, now)),
  column("Deleted", ({ deletedAt }, now) => age(deletedAt, now)),
  wide("Findings", ({ findings }) => findings.map(({ kind }) => kind).join(",") || NONE),
  wide("Deleted-By", ({ deletedBy }) => deletedBy?.actor ?? NONE),
  wide("Selector", ({ uid }) => `batch.kubernetes.io/controller-uid=${uid}`),
];

export interface PodRow {
  readonly job: JobAnswer;
  readonly attempt: Attempt;
}

export const POD_COLUMNS: readonly Column<PodRow>[] = [
  column("Name", ({ attempt }) => attempt.name),
  column("Ready", ({ attempt }) => `0/${Math.max(1, new Set(attempt.containers.map(({ name }) => name)).size)}`),
  column("Status", ({ attempt }) => podStatusText(attempt)),
  { name: "Restarts", type: "integer", priority: 0, cell: ({ attempt }) => attempt.restarts },
  column("Age", ({ attempt }, now) => age(attempt.createdAt, now)),
  column("Deleted", ({ attempt }, now) => age(attempt.deletedAt, now)),
  wide("Deleted-By", ({ attempt }) => attempt.deletedBy?.actor ?? NONE),
  wide("Node", ({ attempt }) => attempt.node ?? NONE),
  wide("Job", ({ job }) => job.name),
];

export const CRON_JOB_COLUMNS: readonly Column<CronJobAnswer>[] = [
  column("Name", ({ name }) => name),
  column("Schedule", ({ schedule }) => schedule ?? NONE),
  column("Timezone", ({ timeZone }) => timeZone ?? NONE),
  column("Suspend", ({ suspend }) => (suspend === true ? "True" : "False")),
  column("Last Schedule", ({ lastScheduledAt }, now) => age(lastScheduledAt, now)),
  column("Age", ({ createdAt }, now) => age(createdAt, now)),
  column("Deleted", ({ deletedAt }, now) => age(deletedAt, now)),
];

export const EVENT_COLUMNS: readonly Column<KubeObject>[] = [
  column("Last Seen", (event, now) => age(String(event["lastTimestamp"]), now)),
  column("Type", (event) => String(event["type"])),
  column("Reason", (event) => String(event["reason"])),
  column("Object", objectText),
  column("Message", (event) => String(event["message"])),
];

export const NAMESPACE_COLUMNS: readonly Column<string>[] = [
  column("Name", (name) => name),
  column("Status", () => "Active"),
];

/** Rows with their objects. kubectl reads names and namespaces from the objects. */
export interface TableSource<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly { readonly row: Row; readonly object: KubeObject }[];
}

export interface TableOptions {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly now: Instant;
  /** `includeObject`: which part of each object is sent with its row. */
  readonly include: "None" | "Metadata" | "Object";
  /** Whether to define the columns. A watch defines them once. @default true */
  readonly headers?: boolean;
}

/** A `meta.k8s.io/v1` Table. */
export interface KubeTable {
  readonly rows: readonly unknown[];
  readonly [field: string]: unknown;
}

export function tableOf<Row>({ columns, rows }: TableSource<Row>, options: TableOptions): KubeTable {
  const { metadata, now, include, headers = true } = options;
  const definitions = columns.map(({ name, type, priority }) => ({
    name,
    type,
    format: name === "Name" ? "name" : "",
    description: "",
    priority,
  }));
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: headers ? definitions : null,
    rows: rows.map(({ row, object }) => ({
      cells: columns.map(({ cell }) => cell(row, now)),
      ...(include !== "None" && { object: include === "Object" ? object : partial(object) }),
    })),
  };
}

function partial({ metadata }: KubeObject): unknown {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}

function column<Row>(name: string, cell: Column<Row>["cell"]): Column<Row> {
  return { name, type: "string", priority: 0, cell };
}

function wide<Row>(name: string, cell: Column<Row>["cell"]): Column<Row> {
  return { name, type: "string", priority: 1, cell };
}

function age(instant: string | undefined, now: Instant): string {
  const at = parseInstant(instant);
  return at === undefined ? NONE : humanDuration(now - at);
}

function durationText(job: JobAnswer, now: Instant): string {
  const millis = jobRunTime(job, parseInstant(job.completeness.heardAt) ?? now);
  return millis === undefined ? "" : humanDuration(millis);
}

function podStatusText({ outcome, reason, startedAt }: Attempt): string {
  switch (outcome) {
    case "Succeeded":
      return "Completed";
    case "Failed":
      return reason ?? "Error";
    case "Unknown":
      return "Unknown";
    case "Terminating":
      return "Terminating";
    case "Active":
      return reason ?? (startedAt === undefined ? "Pending" : "Running");
  }
}

function objectText(event: KubeObject): string {
  // Only event-object.ts creates Events. The general type of an object has no fields of Events.
  const { kind, name } = event["involvedObject"] as { readonly kind: string; readonly name: string };
  return `${kind.toLowerCase()}/${name}`;
}
