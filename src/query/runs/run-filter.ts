import { nearestNames } from "../../job/text/nearest-names.ts";
import { INDEXED_IDS } from "../../parents/external-ids.ts";
import { isOfKind, RUN_KINDS } from "../../parents/run/run-names.ts";
import type { RunState } from "../../job/model/states.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import { isInRanges, isNamed, type JobFilter } from "../list/job-filter.ts";
import { matchesLabels } from "../list/label-selector.ts";

/** Selects runs. An absent field matches every run. Time bounds are exclusive. */
export interface RunFilter extends Pick<
  JobFilter,
  "cluster" | "namespace" | "name" | "labels" | "createdAfter" | "createdBefore" | "finishedAfter" | "finishedBefore"
> {
  /** In any of its names: `jobset`, `jobsets.jobset.x-k8s.io`. */
  readonly kind?: string | undefined;
  readonly states?: readonly RunState[] | undefined;
  /** The name of its series, or `Kind/name`. */
  readonly series?: string | undefined;
  /** `KEY=VALUE`: a key by which another system knows it. */
  readonly externalId?: string | undefined;
  /** Only failed runs. */
  readonly attention?: boolean | undefined;
}

export function matchesRun(filter: RunFilter, run: RunAnswer): boolean {
  return (
    isNamed(filter, run) &&
    isOfKindIn(filter, run) &&
    isInState(filter, run) &&
    matchesLabels(filter.labels ?? [], run.labels) &&
    isInSeries(run, filter.series) &&
    isKnownAs(run, filter.externalId) &&
    isInRanges(filter, run)
  );
}

function isInState({ states }: RunFilter, { verdict }: RunAnswer): boolean {
  return states?.includes(verdict.state) ?? true;
}

function isOfKindIn({ kind }: RunFilter, run: RunAnswer): boolean {
  return kind === undefined || isOfKind(run.kind, kind);
}

/** Whether a Job or a run belongs to the series: its name, its uid, or `Kind/name` with any name of the kind. */
export function isInSeries({ series }: Pick<RunAnswer, "series">, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  if (series === undefined) return false;
  const [kind = "", ...rest] = wanted.split("/");
  const isNamedWithKind = isOfKind(series.kind, kind) && isSameText(series.name, rest.join("/"));
  return isNamedWithKind || isSameText(series.name, wanted) || isSameText(series.uid, wanted);
}

function isSameText(known: string | undefined, wanted: string): boolean {
  return known?.toLowerCase() === wanted.toLowerCase();
}

/** Whether another system knows a Job or a run by `KEY=VALUE`. */
export function isKnownAs({ externalIds }: Pick<RunAnswer, "externalIds">, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const at = wanted.indexOf("=");
  return externalIds[wanted.slice(0, at)] === wanted.slice(at + 1);
}

/**
 * Why a filter may match nothing: it has a kind or an id that is not built in. Only Jobs know those of users.
 * `undefined` without one.
 */
export function doubtAbout({ kind, externalId }: Pick<RunFilter, "kind" | "externalId">): string | undefined {
  if (kind !== undefined && !RUN_KINDS.some((known) => isOfKind(known, kind))) {
    return `Kind "${kind}" is not built in. ${knownOf(kind, RUN_KINDS)}`;
  }
  const id = externalId?.slice(0, externalId.indexOf("="));
  if (id === undefined || INDEXED_IDS.has(id)) return undefined;
  const ids = knownOf(id, [...INDEXED_IDS]);
  return `Id "${id}" is not built in. Of a kind of yours, only the first id finds runs. ${ids}`;
}

function knownOf(given: string, names: readonly string[]): string {
  const [meant] = nearestNames(
    given.toLowerCase(),
    names.map((name) => name.toLowerCase()),
  );
  return `${meant === undefined ? "" : `Did you mean ${meant}? `}Built in: ${names.join(", ")}.`;
}
