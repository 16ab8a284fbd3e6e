import type { AttentionEntry } from "../../src/query/attention/attention.ts";
import type { Severity } from "../../src/explain/attention/severity.ts";
import { isNew, type Visits } from "./visits.ts";

/** The entries of one severity, as the view lists them. */
export interface AttentionList {
  readonly severity: Severity;
  /** Not acknowledged; new ones first, then as the API orders them. */
  readonly open: readonly ListedEntry[];
  readonly acknowledged: readonly AttentionEntry[];
  readonly newCount: number;
}

export interface ListedEntry {
  readonly entry: AttentionEntry;
  readonly isNew: boolean;
}

export function attentionList(
  severity: Severity,
  entries: readonly AttentionEntry[],
  visits: Visits | undefined,
): AttentionList {
  const ofSeverity = entries.filter((entry) => entry.severity === severity);
  const open = ofSeverity
    .filter(({ acknowledged }) => acknowledged === undefined)
    .map((entry) => ({ entry, isNew: isNew(visits, entry) }));
  const fresh = open.filter((listed) => listed.isNew);
  return {
    severity,
    open: [...fresh, ...open.filter((listed) => !listed.isNew)],
    acknowledged: ofSeverity.filter(({ acknowledged }) => acknowledged !== undefined),
    newCount: fresh.length,
  };
}

/** The number on the tab: new entries that failed or are at risk and are not acknowledged. */
export function badgeCount(entries: readonly AttentionEntry[], visits: Visits | undefined): number {
  return (["failed", "atRisk"] as const)
    .map((severity) => attentionList(severity, entries, visits).newCount)
    .reduce((sum, count) => sum + count, 0);
}
