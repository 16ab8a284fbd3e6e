import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { HOLD_SOURCES } from "../../src/host/optional/hold-sources.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { readRetentionChanges, type RetentionChange, roundsOf } from "../../src/upkeep/retention/retention-changes.ts";
import type { Column } from "../output/table.ts";
import type { DeployedRetention } from "../deployment/deployed-retention.ts";

/** Where the rules and legal holds are: in a deployment on AWS if one is named, else in a database file. */
export interface RetentionOptions {
  readonly stage?: string;
  readonly database: string;
}

/** A cluster, or one of its namespaces. */
export interface RetentionPlace extends RetentionOptions {
  readonly cluster: string;
  readonly namespace?: string;
}

export interface RetentionStore {
  readonly meta: MetaStore;
  /** Absent for a database file, whose server reads rules and holds before it deletes anything. */
  readonly deployed?: DeployedRetention;
}

export async function withRetentionStore<Result>(
  { stage, database }: RetentionOptions,
  work: (store: RetentionStore) => Promise<Result>,
): Promise<Result> {
  if (stage === undefined) return withDatabase(database, { create: false }, ({ meta }) => work({ meta }));
  const { openDeployedRetention } = await import("../deployment/deployed-retention.ts");
  const deployed = await openDeployedRetention(stage);
  return work({ meta: deployed.meta, deployed });
}

/** For how long a command waits until stored Jobs follow a change: the Jobs of most clusters take less. */
const PATIENCE_MILLIS = 300_000;

/** How stored Jobs follow a rule or hold. */
export type Following =
  /** All of them do, except those that are being written now, which do within minutes. */
  | { readonly outcome: "followed"; readonly jobs: number }
  /** Some do not yet; the retain function continues every 15 minutes. */
  | { readonly outcome: "pending"; readonly jobs: number; readonly reason?: string };

type Named = Pick<RetentionChange, "kind" | "key">;

/** Waits until stored Jobs follow a change. */
export async function followChange(
  { meta, retain }: DeployedRetention,
  change: Named,
  now: () => number = Date.now,
): Promise<Following> {
  const until = now() + PATIENCE_MILLIS;
  for (;;) {
    const retained = await retain();
    const { isFollowed, jobs } = stateOf(await readRetentionChanges({ meta, holds: HOLD_SOURCES }), change);
    if (isFollowed) return { outcome: "followed", jobs };
    if (retained.outcome === "failed") return { outcome: "pending", jobs, reason: retained.reason };
    if (now() >= until) return { outcome: "pending", jobs };
  }
}

interface FollowState {
  readonly isFollowed: boolean;
  /** Jobs that were visited so far. */
  readonly jobs: number;
}

/** How far stored Jobs follow a rule or hold. */
function stateOf(changes: readonly RetentionChange[], { kind, key }: Named): FollowState {
  const change = changes.find((each) => each.kind === kind && each.key === key);
  if (change?.progress?.value.version !== change?.version) return { isFollowed: false, jobs: 0 };
  return { isFollowed: change !== undefined && roundsOf(change) > 0, jobs: change?.progress?.value.jobs ?? 0 };
}

/** A row of a list: whether stored Jobs follow the rule or hold. Only of a deployment. */
export interface FollowedRow {
  readonly followed?: string;
}

/** The field of each rule or hold of a kind, by its key. */
export async function readFollowed(
  { meta, deployed }: RetentionStore,
  kind: RetentionChange["kind"],
): Promise<(key: string) => FollowedRow> {
  const changes = deployed && (await readRetentionChanges({ meta, holds: HOLD_SOURCES }));
  return (key) => (changes === undefined ? {} : { followed: followedText(stateOf(changes, { kind, key })) });
}

export function followedColumn({ stage }: RetentionOptions): readonly Column<FollowedRow>[] {
  return stage === undefined ? [] : [{ header: "FOLLOWED", cell: ({ followed }) => followed }];
}

function followedText({ isFollowed, jobs }: FollowState): string {
  if (isFollowed) return "yes";
  return jobs === 0 ? "not yet" : `not yet (${jobs} visited)`;
}
