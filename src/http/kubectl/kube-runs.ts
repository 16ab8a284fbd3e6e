import type { RunAnswer } from "../../explain/run/run-document.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { listRuns } from "../../query/runs/list-runs.ts";
import type { KubeContext } from "./kube-context.ts";
import { isSelected } from "./kube-fields.ts";
import { ANNOTATION, annotations, attributionText, type KubeObject } from "./kube-object.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { age, column, NONE, type RowFormat, type RowsPage, wide } from "./listing.ts";
import { groupVersion, type KubeResource } from "./resources.ts";

/** Runs of one kind as the Kubernetes API lists them, the newest first. */
export async function listKubeRuns(
  { ports, scope, cluster, now }: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<RowsPage<RunAnswer>> {
  const { runs } = ports;
  if (runs === undefined) return { outcome: "listed", rows: [] };
  const { resource, namespace } = path;
  const name = path.name ?? options.pairs.get("metadata.name");
  const filter = { cluster, namespace, name, kind: `${resource.plural}.${resource.group}` };
  const { limit, continueToken: cursor } = options;
  const page = await listRuns({ ...ports, runs }, scope, { filter, written: filter, limit, cursor, now });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  const rows = page.items.filter((run) => isSelected(runObject(resource, run), path, options));
  return { outcome: "listed", rows, continueToken: page.nextCursor };
}

/** A run whose state is known, its attempts, and how many of its Jobs are complete. */
export function runFormat(resource: KubeResource): RowFormat<RunAnswer> {
  return {
    columns: [
      column("Name", ({ name }) => name),
      column("Status", ({ verdict }) => verdict.state),
      column("Attempts", ({ attempts }) => String(attempts.length)),
      column("Jobs", ({ jobs }) => `${jobs.complete}/${jobs.total}`),
      column("Age", ({ createdAt }, now) => age(createdAt, now)),
      column("Deleted", ({ deletedAt }, now) => age(deletedAt, now)),
      wide("Reason", ({ verdict }) => verdict.reason ?? NONE),
      wide("Queue", ({ queue }) => queue?.name ?? NONE),
    ],
    show: (run) => runObject(resource, run),
  };
}

/** A run as an object of its kind. Facts keep no spec. */
function runObject(resource: KubeResource, run: RunAnswer): KubeObject {
  const { cluster, namespace, name, uid, labels, verdict, createdAt, startedAt, finishedAt, deletedAt } = run;
  const { attempts, jobs, completeness } = run;
  return {
    apiVersion: groupVersion(resource),
    kind: resource.kind,
    metadata: {
      name,
      namespace,
      ...(uid !== undefined && { uid }),
      resourceVersion: String(latest([createdAt, startedAt, finishedAt, deletedAt, verdict.since])),
      creationTimestamp: createdAt ?? null,
      labels,
      annotations: annotations({
        [ANNOTATION.cluster]: cluster,
        [ANNOTATION.verdict]: verdict.state,
        [ANNOTATION.completeness]: completeness.level === "complete" ? undefined : completeness.level,
        [ANNOTATION.deletedAt]: deletedAt,
        [ANNOTATION.deletedBy]: attributionText(run.deletedBy),
      }),
    },
    status: { restarts: Math.max(0, attempts.length - 1), jobs, conditions: conditionsOf(run) },
  };
}

/** The condition that `kubectl wait` waits for, once the run is over. */
function conditionsOf({ kind, verdict }: RunAnswer): readonly unknown[] {
  const { state, reason = "", final, since } = verdict;
  if (!final || (state !== "Complete" && state !== "Failed")) return [];
  const type = state === "Complete" ? (COMPLETE[kind] ?? state) : state;
  return [{ type, status: "True", reason, ...(since !== undefined && { lastTransitionTime: since }) }];
}

/** What kinds call the condition of their success, if not `Complete`. */
const COMPLETE: Readonly<Record<string, string>> = { JobSet: "Completed", Workflow: "Completed" };

/** The latest of the run's own timestamps. */
function latest(texts: readonly (string | undefined)[]): Instant {
  return Math.max(...texts.map((text) => parseInstant(text) ?? 0));
}
