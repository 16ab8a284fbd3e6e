import type { ParentCondition, ParentObserved } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";

/** What a parent showed at one time. */
export type Seen = Pick<ParentObserved, "epoch" | "resourceVersion" | "at" | "fields" | "conditions">;

/** How a parent says that its run is over, or that it does not run. */
export interface ReportedState {
  readonly state: "Complete" | "Failed" | "Suspended";
  readonly reason?: string;
  readonly since?: Instant;
}

/** `plural.group`. */
export type CustomResource = `${string}.${string}`;

export interface RestartsUsed {
  readonly used?: number;
  readonly limit?: number;
}

/** The counters of these fields, as far as they are whole numbers. */
export function restartsIn(used: string | undefined, limit: string | undefined): RestartsUsed {
  const [usedCount, limitCount] = [used, limit].map((text) =>
    /^[0-9]{1,9}$/.test(text ?? "") ? Number(text) : undefined,
  );
  return {
    ...(usedCount !== undefined && { used: usedCount }),
    ...(limitCount !== undefined && { limit: limitCount }),
  };
}

/** A kind of parent whose status is read: what of it leaves the cluster, and what that means. */
export interface WatchedStatus {
  readonly kind: string;
  /** How the API serves it. */
  readonly resource: CustomResource;
  /** The API versions that are read, the preferred one first. */
  readonly apiVersions: readonly [string, ...string[]];
  /**
   * The fields that leave the cluster, by name: their paths in the object, as a list where a part has a dot. Text,
   * numbers and booleans.
   */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** Those of `fields` that are instants. */
  readonly instants?: readonly string[];
  /** What answers need of the message of a condition. */
  readonly details?: (condition: { readonly type: string; readonly message: string }) => ParentCondition["details"];
  /** What distinguishes the times at which it started its Jobs; `undefined` before the first. */
  readonly attempt: (fields: ParentObserved["fields"]) => string | undefined;
  /** How a Job of it belongs to one of these: by the number that the Job names, or by when it was created. */
  readonly jobsBy: "number" | "creation";
  /** What it reports; `undefined` if it says nothing about its state. */
  readonly state: (seen: Seen) => ReportedState | undefined;
  /** Its Pods have no Job: they belong to it with `--pod-runs`. @default it starts Jobs */
  readonly startsPods?: true;
  /** The objects that start its Jobs for it. @default it starts them itself */
  readonly startsJobsBy?: readonly CustomResource[];
  /** How often it has started its Jobs again, as its limit counts, and that limit. @default neither is known */
  readonly restarts?: (fields: ParentObserved["fields"]) => RestartsUsed;
  /** How it reports that one attempt ended, by the last observation of that. */
  readonly attemptState: (seen: Seen) => "Complete" | "Failed" | undefined;
}

/** The condition, if it is True. */
export function trueCondition({ conditions }: Pick<Seen, "conditions">, type: string): ParentCondition | undefined {
  return conditions.find((condition) => condition.type === type && condition.status === "True");
}

/** The state that the first of these conditions gives which is True. */
export function stateByCondition(
  seen: Seen,
  types: readonly (readonly [type: string, state: ReportedState["state"]])[],
): ReportedState | undefined {
  for (const [type, state] of types) {
    const condition = trueCondition(seen, type);
    if (condition === undefined) continue;
    const { reason, lastTransitionAt } = condition;
    return {
      state,
      ...(reason !== undefined && { reason }),
      ...(lastTransitionAt !== undefined && { since: lastTransitionAt }),
    };
  }
  return undefined;
}
