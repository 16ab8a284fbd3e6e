import pLimit from "p-limit";
import { severityOfRun } from "../../explain/attention/severity.ts";
import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import { readRunsOfSeries } from "../../projection/series/series-runs.ts";
import type { Scope } from "../access/scope.ts";
import type { QueryPorts } from "../ports.ts";
import { findRunByName } from "../runs/find-run.ts";
import type { AttentionGroup } from "./attention.ts";
import type { AttentionPart, PartsOfGroup } from "./attention-groups.ts";

/** The most groups of which one answer reads what became of them, newest first: as many as a page has entries. */
const MAX_READ = 200;
/** Groups that are read at the same time. */
const AT_ONCE = 16;

/**
 * The groups with what became of them since: Jobs of a run have the severity of the run, and Jobs of a series that has
 * succeeded since are not failed now. One read of each run, and of each series with failed Jobs.
 */
export async function withOutcomes(
  ports: QueryPorts,
  scope: Scope,
  groups: readonly PartsOfGroup[],
): Promise<readonly PartsOfGroup[]> {
  const newestFirst = groups.filter(mayChange).toSorted((a, b) => latestOf(b.parts) - latestOf(a.parts));
  const read = new Set(newestFirst.slice(0, MAX_READ));
  return pLimit(AT_ONCE).map(groups, async (of) => (read.has(of) ? outcomeOf(ports, scope, of) : of));
}

function mayChange(of: PartsOfGroup): boolean {
  return of.group?.type === "run" || (of.group?.type === "series" && failedSince(of) !== undefined);
}

function latestOf(parts: readonly AttentionPart[]): number {
  return parts.reduce((latest, { at }) => Math.max(latest, at), 0);
}

function outcomeOf(ports: QueryPorts, scope: Scope, of: PartsOfGroup): Promise<PartsOfGroup> | PartsOfGroup {
  const { group } = of;
  const cluster = decodeClusterName(of.cluster);
  if (cluster === undefined || group === undefined) return of;
  return group.type === "run"
    ? outcomeOfRun(ports, scope, { of, group, cluster })
    : outcomeOfSeries(ports, { of, group, cluster });
}

interface NamedGroup {
  readonly of: PartsOfGroup;
  readonly group: AttentionGroup;
  readonly cluster: ClusterName;
}

async function outcomeOfRun(
  { runs, ...ports }: QueryPorts,
  scope: Scope,
  { of, group: { kind, name, uid }, cluster }: NamedGroup,
): Promise<PartsOfGroup> {
  if (runs === undefined) return of;
  const wanted = { cluster, namespace: of.namespace, kind, name, uid };
  const found = await findRunByName({ ...ports, runs }, { scope, wanted });
  const severity = found && severityOfRun(found.answer.verdict.state);
  return severity === undefined ? of : { ...of, parts: of.parts.map((part) => ({ ...part, severity })) };
}

async function outcomeOfSeries(
  { meta }: QueryPorts,
  { of, group: { kind, name }, cluster }: NamedGroup,
): Promise<PartsOfGroup> {
  const newest = failedSince(of);
  if (newest === undefined) return of;
  const named = { namespace: of.namespace, kind, name, part: newest.job?.partInSeries };
  const succeededAt = (await readRunsOfSeries(meta, cluster, named)).at(-1)?.endedAt;
  if (succeededAt === undefined || succeededAt <= newest.at) return of;
  const over = { severity: "cleanedUp", succeededAt } as const;
  return { ...of, parts: of.parts.map((part) => (isFailed(part) ? { ...part, ...over } : part)) };
}

/** The newest failed Job of a series; `undefined` without one, and if its last runs have all failed. */
function failedSince({ parts }: PartsOfGroup): AttentionPart | undefined {
  if (parts.some(({ finding }) => finding?.kind === "ConsecutiveFailures")) return undefined;
  return parts.filter(isFailed).toSorted((a, b) => b.at - a.at)[0];
}

function isFailed({ job, severity }: AttentionPart): boolean {
  return job !== undefined && severity === "failed";
}
