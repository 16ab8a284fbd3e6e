import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { moveLivePointer, readLivePointer } from "../projection/live-projection.ts";
import type { Refold } from "../projection/project-segments.ts";
import type { Retry } from "../concurrency/retry.ts";
import { foldLog, foldOnceMore, MOST_FAILED } from "./fold-log.ts";
import { type ReplayCheckpoint, readCheckpoint, type StoredCheckpoint, writeCheckpoint } from "./replay-checkpoint.ts";
import type { ReplayPorts, ReplayRun } from "./replay-run.ts";

export type Rebuilt =
  | { readonly outcome: "switched"; readonly live: ProjectionName; readonly segments: number }
  /** Segments that cannot be folded: the old projection stays live. */
  | { readonly outcome: "incomplete"; readonly refold: readonly Refold[]; readonly segments: number }
  /** Another replay began meanwhile; it goes on, this one gave way. */
  | { readonly outcome: "overtaken" };

export type Continued =
  | Rebuilt
  /** There was no time for more: continue it. */
  | { readonly outcome: "paused"; readonly segments: number }
  /** Somebody else is at it, at the latest until then. */
  | { readonly outcome: "held"; readonly until: Instant; readonly segments: number }
  /** No replay is under way. */
  | { readonly outcome: "none" };

/**
 * Rebuilds the projection that does not answer from the log, then lets it answer. Reads and new segments go on meanwhile.
 *
 * The order is what makes it safe without a barrier: first the idle projection is emptied while nobody folds into it, then every projector is told to fold into
 * both, then the log is read. A segment is in the log before it is folded; so one that a projector folded into the old projection only is still met here.
 */
export async function rebuildProjection(
  ports: ReplayPorts,
  retry: Retry,
  onProgress: (segments: number) => void = () => undefined,
): Promise<Rebuilt> {
  const started = await startReplay(ports.meta);
  if (started !== "started") return { outcome: "overtaken" };
  const continued = await continueReplay(ports, { retry, onProgress });
  // Nobody is kept away and there is always time: it ended, or another one took it over.
  return continued.outcome === "switched" || continued.outcome === "incomplete" ? continued : { outcome: "overtaken" };
}

/** Begins a replay from the start; one that is under way gives way. `held`: somebody is at it, and `now` is before they are to be disturbed. */
export async function startReplay(
  meta: MetaStore,
  now = Number.MAX_SAFE_INTEGER,
): Promise<"started" | "held" | "conflict"> {
  const before = await readCheckpoint(meta);
  if (before !== undefined && isHeld(before.checkpoint, now)) return "held";
  const pointer = await readLivePointer(meta);
  // Whoever still folds into the idle projection, for a replay that was given up, is told to stop.
  const unmarked = await moveLivePointer(meta, pointer, { live: pointer.live });
  if (unmarked === "conflict") return "conflict";
  const building = pointer.live === "A" ? "B" : "A";
  const fresh = { building, stage: { stage: "clearing" }, segments: 0, failed: [], heldUntil: 0 } as const;
  const written = await writeCheckpoint(meta, fresh, before?.version ?? 0);
  return written === "conflict" ? "conflict" : "started";
}

function isHeld({ stage, heldUntil }: ReplayCheckpoint, now: Instant): boolean {
  return stage.stage !== "ended" && now < heldUntil;
}

/** Goes on with the replay that is under way, until it ends or there is no time for more. */
export async function continueReplay(ports: ReplayPorts, run: ReplayRun): Promise<Continued> {
  const stored = await readCheckpoint(ports.meta);
  if (stored === undefined || stored.checkpoint.stage.stage === "ended") return { outcome: "none" };
  const { heldUntil, segments } = stored.checkpoint;
  const now = run.hold?.now() ?? 0;
  if (run.hold !== undefined && now < heldUntil) return { outcome: "held", until: heldUntil, segments };
  const held = await writeCheckpoint(
    ports.meta,
    { ...stored.checkpoint, heldUntil: now + (run.hold?.millis ?? 0) },
    stored.version,
  );
  return held === "conflict" ? { outcome: "overtaken" } : proceed(ports, run, held);
}

async function proceed(ports: ReplayPorts, run: ReplayRun, stored: StoredCheckpoint): Promise<Continued> {
  const { stage } = stored.checkpoint;
  switch (stage.stage) {
    case "clearing": {
      const cleared = await ports.projections.clear(stored.checkpoint.building, run.hasTime);
      if (cleared === "paused") return letGo(ports.meta, stored);
      const marked = await markBuilding(ports.meta, stored);
      return marked === "overtaken" ? { outcome: "overtaken" } : proceed(ports, run, marked);
    }
    case "folding": {
      const folded = await foldLog(ports, run, stored);
      if (folded.outcome === "overtaken") return { outcome: "overtaken" };
      return folded.outcome === "paused" ? letGo(ports.meta, folded.stored) : finish(ports, run, folded.stored);
    }
    case "ended":
      return { outcome: "none" };
  }
}

/** Tells every projector to fold into both: from here on nothing is folded into the old one alone. */
async function markBuilding(meta: MetaStore, stored: StoredCheckpoint): Promise<StoredCheckpoint | "overtaken"> {
  const { building } = stored.checkpoint;
  const pointer = await readLivePointer(meta);
  if (pointer.live === building) return "overtaken";
  const marked = await moveLivePointer(meta, pointer, { live: pointer.live, building });
  if (marked === "conflict") return "overtaken";
  const written = await writeCheckpoint(meta, { ...stored.checkpoint, stage: { stage: "folding" } }, stored.version);
  return written === "conflict" ? "overtaken" : written;
}

async function letGo(meta: MetaStore, { checkpoint, version }: StoredCheckpoint): Promise<Continued> {
  const written = await writeCheckpoint(meta, { ...checkpoint, heldUntil: 0 }, version);
  return written === "conflict" ? { outcome: "overtaken" } : { outcome: "paused", segments: checkpoint.segments };
}

/** Everything was folded, or was tried twice: the new projection answers where it lacks nothing. */
async function finish(ports: ReplayPorts, run: ReplayRun, stored: StoredCheckpoint): Promise<Continued> {
  const { building, segments, failed } = stored.checkpoint;
  // So many failed that the rest was not even read.
  const isWhole = failed.length < MOST_FAILED;
  const refold = isWhole
    ? await foldOnceMore(ports, run, stored.checkpoint)
    : failed.map((key) => ({ key, cause: BROKEN }));
  if (refold === "paused") return letGo(ports.meta, stored);
  const live = await settle(ports.meta, stored, refold.length === 0);
  if (live === "overtaken") return { outcome: "overtaken" };
  return live === building ? { outcome: "switched", live, segments } : { outcome: "incomplete", refold, segments };
}

const BROKEN = `${MOST_FAILED} log items and more cannot be folded: something is wrong with the projection, or with the release that folds.`;

/** Lets the projection that was built answer, or the other one go on alone. */
async function settle(
  meta: MetaStore,
  { checkpoint, version }: StoredCheckpoint,
  isComplete: boolean,
): Promise<ProjectionName | "overtaken"> {
  const { building } = checkpoint;
  const pointer = await readLivePointer(meta);
  // Where it answers already, this process, or one before it, was killed after it had switched.
  if (pointer.live !== building && pointer.building !== building) return "overtaken";
  const live = isComplete ? building : pointer.live;
  if ((await moveLivePointer(meta, pointer, { live })) === "conflict") return "overtaken";
  // Whoever took the replay over meanwhile finds the pointer moved, and gives way.
  const outcome = live === building ? "switched" : "incomplete";
  await writeCheckpoint(meta, { ...checkpoint, stage: { stage: "ended", outcome }, heldUntil: 0 }, version);
  return live;
}
