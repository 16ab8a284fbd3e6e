import type { ProjectionName } from "../ports/projections.ts";
import type { KeptProjectors, LivePointer } from "../ports/records/live-record.ts";

/**
 * The role of a projector. `live`: the only one, or that of the release in use; `isKept` says whether the trial keeps
 * this version. `trial`: that of the release which is tried beside it.
 */
export type Projector =
  | { readonly kind: "live"; readonly isKept: (kept: KeptProjectors) => boolean }
  | { readonly kind: "trial" };

/** The projector of a process that projects alone. */
export const ONLY_PROJECTOR: Projector = { kind: "live", isKept: () => false };

/** The projector of a Lambda function. */
export function projectorOf(kind: Projector["kind"] | undefined, isKept: (kept: KeptProjectors) => boolean): Projector {
  return kind === "trial" ? { kind } : { kind: "live", isKept };
}

export interface WrittenProjection {
  readonly projection: ProjectionName;
  /** Whether it leaves alone what both projections share: clusters, namespaces, and records such as Nodes. */
  readonly jobsOnly: boolean;
}

/**
 * The projections that a projector writes, with the records first. Two releases must not write the same projection in
 * turns: a kept projector writes its own projection, and the trial's projector the other one. A live projector that is
 * not kept was deployed later: it writes both, so that both stay complete.
 */
export function writtenBy(pointer: LivePointer, projector: Projector): readonly WrittenProjection[] {
  const { live, building, kept } = pointer;
  switch (projector.kind) {
    case "live": {
      if (kept !== undefined && projector.isKept(kept)) return [{ projection: kept.projection, jobsOnly: false }];
      const answering = { projection: live, jobsOnly: false };
      return building === undefined || building === live
        ? [answering]
        : [answering, { projection: building, jobsOnly: false }];
    }
    case "trial": {
      if (kept === undefined) return [];
      const projection = otherThan(kept.projection);
      return projection === live || projection === building ? [{ projection, jobsOnly: true }] : [];
    }
  }
}

export function otherThan(projection: ProjectionName): ProjectionName {
  return projection === "A" ? "B" : "A";
}
