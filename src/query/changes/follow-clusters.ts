import { compareText } from "../../job/model/compare-text.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import type { Scope } from "../access/scope.ts";
import type { QueryPorts } from "../ports.ts";
import { beginInScope } from "./begin-in-scope.ts";
import { type EarlyReturns, type FollowedSegment, followLog, type FollowRange } from "./follow-log.ts";
import {
  type FollowPosition,
  type GivenSegment,
  givenOf,
  givenSegment,
  type Pass,
  passAfter,
} from "./follow-position.ts";
import { floorAt, type LogPosition } from "./log-position.ts";
import { SegmentEffects, type TouchedJob } from "./touched-jobs.ts";

/** A new segment, with its effects on Jobs. */
export interface FollowedStep {
  readonly cluster: ClusterName;
  readonly touches: AsyncIterable<TouchedJob>;
  /** The position after this segment. */
  readonly position: FollowPosition;
}

export interface FollowedClusters {
  /** Sorted by name. */
  readonly clusters: readonly ClusterName[];
  readonly position: FollowPosition;
  /** Jobs outside of it are skipped. */
  readonly scope: Scope;
  readonly now: Instant;
  /** Which segments are returned before they have settled. */
  readonly early: EarlyReturns;
}

/** Where a call ended. */
export interface FollowEnd {
  readonly position: FollowPosition;
  /** Whether clusters are left to read. */
  readonly more: boolean;
}

/** A call reads at most this many clusters: each takes two requests to DynamoDB, even if nothing is new. */
const MAX_CLUSTERS = 100;
/** How many clusters are read at the same time. */
const PARALLEL = 8;

/** A pass that ends this much behind is followed by another one at once. A pass over 2,000 clusters takes less. */
const BEHIND_MS = 60_000;

/**
 * The segments that several clusters have added to their logs since `position`. A caller that stops must finish the
 * last segment, and can then continue from its position.
 */
export async function* followClusters(
  ports: QueryPorts,
  followed: FollowedClusters,
): AsyncGenerator<FollowedStep, FollowEnd, void> {
  const end = yield* readPass(ports, followed);
  const wasResumed = followed.position.pass !== undefined;
  if (!wasResumed || end.more) return end;
  if (followed.clusters.length <= MAX_CLUSTERS) return yield* readPass(ports, { ...followed, position: end.position });
  return { ...end, more: end.position.from < followed.now - SETTLED_AFTER_MS - BEHIND_MS };
}

/** The rest of the pass in progress, or a new one. */
async function* readPass(ports: QueryPorts, followed: FollowedClusters): AsyncGenerator<FollowedStep, FollowEnd, void> {
  const pass = new ClusterPass(ports, followed);
  const clusters = pass.clusters();
  const read = clusters.slice(0, MAX_CLUSTERS);
  for (const [index, cluster] of read.entries()) {
    pass.openAhead(read.slice(index, index + PARALLEL));
    yield* pass.read(cluster);
  }
  const last = read.at(-1);
  return clusters.length > MAX_CLUSTERS && last !== undefined ? pass.pausedAfter(last) : pass.end();
}

type Segments = AsyncGenerator<FollowedSegment, LogPosition, void>;

interface OpenLog {
  readonly segments: Segments;
  readonly first: ReturnType<Segments["next"]>;
}

class ClusterPass {
  readonly #ports: QueryPorts;
  readonly #followed: FollowedClusters;
  readonly #until: Instant;
  readonly #open = new Map<ClusterName, OpenLog>();
  /** What was given before, and in this pass. */
  readonly #given: Map<string, GivenSegment>;
  /** What the next pass finds again. */
  readonly #kept: GivenSegment[] = [];

  constructor(ports: QueryPorts, followed: FollowedClusters) {
    const { position, now } = followed;
    this.#ports = ports;
    this.#followed = followed;
    this.#until = position.pass?.until ?? Math.max(position.from, now - SETTLED_AFTER_MS);
    this.#given = new Map(position.given.map((one) => [one.group + one.mark, one]));
  }

  /** The clusters that this pass has not finished. */
  clusters(): readonly ClusterName[] {
    const { clusters, position } = this.#followed;
    const begin = position.pass?.cluster ?? "";
    return clusters.filter((cluster) => compareText(cluster, begin) >= 0);
  }

  /** Begins to read these logs. */
  openAhead(clusters: readonly ClusterName[]): void {
    for (const cluster of clusters) {
      if (!this.#open.has(cluster)) this.#open.set(cluster, this.#openLog(cluster, this.#beginOf(cluster)));
    }
  }

  async *read(cluster: ClusterName): AsyncGenerator<FollowedStep, void, void> {
    const effects = new SegmentEffects(this.#ports, { cluster, scope: this.#followed.scope });
    let position: LogPosition | undefined = this.#beginOf(cluster);
    // One reading takes a limited number of late arrivals.
    do position = yield* this.#readOnce(cluster, position, effects);
    while (position !== undefined);
  }

  /** Returns where to read on; `undefined` at the end. */
  async *#readOnce(
    cluster: ClusterName,
    begin: LogPosition,
    effects: SegmentEffects,
  ): AsyncGenerator<FollowedStep, LogPosition | undefined, void> {
    const { segments, first } = this.#open.get(cluster) ?? this.#openLog(cluster, begin);
    this.#open.delete(cluster);
    let next = await first;
    for (; next.done !== true; next = await segments.next()) {
      const { floor, lateUntil, given } = next.value.position;
      this.#note(cluster, given);
      const pass = { until: this.#until, cluster, floor, lateUntil };
      yield { cluster, touches: effects.touch(next.value), position: this.#positionIn(pass) };
    }
    const { given, lateUntil } = next.value;
    this.#note(cluster, given);
    this.#kept.push(...given.map((mark) => givenSegment(cluster, mark)));
    return lateUntil < this.#until ? next.value : undefined;
  }

  pausedAfter(cluster: ClusterName): FollowEnd {
    return { position: this.#positionIn(passAfter(cluster, this.#until)), more: true };
  }

  end(): FollowEnd {
    // A pass of several calls only knows what its last call kept.
    const given = this.#followed.position.pass === undefined ? this.#kept : [...this.#given.values()];
    return { position: { from: this.#until, given }, more: false };
  }

  #positionIn(pass: Pass): FollowPosition {
    return { from: this.#followed.position.from, pass, given: [...this.#given.values()] };
  }

  #note(cluster: ClusterName, marks: readonly string[]): void {
    for (const mark of marks) {
      const one = givenSegment(cluster, mark);
      if (!this.#given.has(one.group + mark)) this.#given.set(one.group + mark, one);
    }
  }

  #beginOf(cluster: ClusterName): LogPosition {
    const { position } = this.#followed;
    const given = givenOf(position.given, cluster);
    if (position.pass?.cluster === cluster) {
      return { floor: position.pass.floor, lateUntil: position.pass.lateUntil, given };
    }
    return { floor: floorAt(position.from), lateUntil: position.from, given };
  }

  #openLog(cluster: ClusterName, from: LogPosition): OpenLog {
    const { position, early, scope } = this.#followed;
    const segments = followInScope(this.#ports, scope, {
      cluster,
      from,
      now: this.#until + SETTLED_AFTER_MS,
      // A pass that continues may be old. Segments that have not settled by its end are left to the next pass.
      early: position.pass === undefined ? early : "none",
    });
    const first = segments.next();
    // A log may be read ahead. Its error is thrown only when the caller reaches that log.
    first.catch(() => undefined);
    return { segments, first };
  }
}

async function* followInScope(ports: QueryPorts, scope: Scope, range: FollowRange): Segments {
  return yield* followLog(ports, { ...range, from: await beginInScope(ports.meta, { ...range, scope }) });
}
