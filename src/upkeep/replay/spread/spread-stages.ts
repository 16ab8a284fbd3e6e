import type { ReplayStage, SpreadStage } from "../../../ports/records/replay/replay-checkpoint.ts";
import { erasuresVersion } from "../../../log/erasure/stored-erasures.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Instant } from "../../../job/model/instant.ts";
import type { IdleJobs } from "../../../ports/projections.ts";
import { listUnits } from "../units/list-units.ts";
import { unitId } from "../units/replay-unit.ts";
import type { UnitProgress } from "../units/unit-progress.ts";
import { decodeGroup, type SpreadGroup } from "./spread-objects.ts";

/** A pack may be written this long after the time of arrival that it has. */
const LATE_MILLIS = 16 * 60_000;
/** The most parts of the idle projection that are listed at the same time. */
const MOST_PARTS = 64;

/** The units that spread the log, and the idle projection in as many parts. */
export async function spreadingStage(meta: MetaStore, now: Instant): Promise<ReplayStage> {
  const erasures = await erasuresVersion(meta);
  const ofLog = (await listUnits(meta)).map(unitId);
  const of = Math.min(MOST_PARTS, Math.max(1, ofLog.length));
  const ofTables = (["table", "runTable"] as const).flatMap((kind) =>
    Array.from({ length: of }, (_, index) => unitId({ kind, index, of })),
  );
  return { stage: "spreading", units: [...ofTables, ...ofLog], since: now - LATE_MILLIS, erasures };
}

interface NextStage {
  readonly stage: "joining" | "joiningRuns";
  readonly before: SpreadStage;
}

/** The units that join the buckets of Jobs or of runs. There are as many buckets as the largest group has. */
export async function joiningStage(
  idle: Pick<IdleJobs, "begin">,
  { stage, before: { since, erasures } }: NextStage,
  progress: Pick<UnitProgress, "spread">,
): Promise<ReplayStage> {
  await idle.begin();
  const { kind, groups } = BUCKETS[stage];
  const bits = mostBits(spreadGroups(progress).filter((group) => groups.some((one) => one === group.kind)));
  const units = Array.from({ length: 2 ** bits }, (_, bucket) => unitId({ kind, bucket, bits }));
  return { stage, units, since, erasures };
}

const BUCKETS = {
  joining: { kind: "bucket", groups: ["log", "table"] },
  joiningRuns: { kind: "runBucket", groups: ["runs", "runTable"] },
} as const;

export function spreadGroups({ spread }: Pick<UnitProgress, "spread">): readonly SpreadGroup[] {
  return spread.map(decodeGroup);
}

function mostBits(groups: readonly SpreadGroup[]): number {
  return groups.reduce((most, { bits }) => Math.max(most, bits), 0);
}
