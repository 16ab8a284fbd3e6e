import { createHash } from "node:crypto";
import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { mayReadCluster, type Scope } from "../access/scope.ts";
import { decodeCursor, encodeCursor } from "../list/cursor.ts";
import { floorAt, type LogPosition, parsePosition } from "./log-position.ts";

/**
 * How far a reader has followed the logs of any number of clusters. All advance together, pass by pass: a pass returns
 * the settled segments of one interval for one cluster after the other. The position therefore has a constant size.
 */
export interface FollowPosition {
  /** Segments sealed before this instant, and late ones that arrived until it, were returned for every cluster. */
  readonly from: Instant;
  /** The pass in progress; absent between two passes. */
  readonly pass?: Pass;
  /** Segments that were returned, and that the next pass finds again. */
  readonly given: readonly GivenSegment[];
}

/** Clusters with a smaller name have been read until `until`, and those with a greater name until the pass began. */
export interface Pass extends Pick<LogPosition, "floor" | "lateUntil"> {
  readonly until: Instant;
  readonly cluster: ClusterName;
}

export interface GivenSegment {
  /** One of 64 groups of clusters, so that a mark is not compared with the segments of most other clusters. */
  readonly group: string;
  /** The `segmentMark`. */
  readonly mark: string;
  /** Unknown in a position from a cursor, because a cursor names only clusters that its reader may know. */
  readonly cluster?: ClusterName;
}

/** How many returned segments a cursor lists: 7 characters each. */
export const MAX_GIVEN = 56;

export function followFrom(instant: Instant): FollowPosition {
  return { from: instant, given: [] };
}

export function givenSegment(cluster: ClusterName, mark: string): GivenSegment {
  return { group: groupOf(cluster), mark, cluster };
}

/** The marks that may belong to segments of the cluster. */
export function givenOf(given: readonly GivenSegment[], cluster: ClusterName): readonly string[] {
  const group = groupOf(cluster);
  return given.filter((one) => (one.cluster ?? cluster) === cluster && one.group === group).map(({ mark }) => mark);
}

function groupOf(cluster: ClusterName): string {
  return createHash("sha256").update(cluster).digest("base64url").slice(0, 1);
}

/** Identifies cursors of changes. Part of every cursor, so it must not change. */
export const CURSOR_KIND = "changes";
/** The first field. A cursor of an earlier version has a number there, and then a position for each cluster. */
const LAYOUT = "pass";
/** The first field where announced changes follow, and the log is read up to the first of them. */
export const LOG_LAYOUT = "log";
type Layout = typeof LAYOUT | typeof LOG_LAYOUT;

/**
 * The cursor of a position, below 1,024 bytes. It has no trace of clusters that the reader may not see. If more
 * segments were given than it lists, those that it leaves out are returned again.
 */
export function encodeFollow({ from, pass, given }: FollowPosition, scope: Scope, layout: Layout = LAYOUT): string {
  const own = given.filter(({ cluster }) => cluster === undefined || mayReadCluster(scope, cluster));
  const marks = own.slice(-MAX_GIVEN).map(({ group, mark }) => group + mark);
  const known = pass && scopedPass(pass, scope);
  return encodeCursor(CURSOR_KIND, [
    layout,
    from,
    marks.join(""),
    ...(known ? [known.until, known.cluster, `${known.floor}|${known.lateUntil}|`] : []),
  ]);
}

/** The same progress, expressed by clusters that the reader may know. */
function scopedPass(pass: Pass, scope: Scope): Pass | undefined {
  if (mayReadCluster(scope, pass.cluster) || scope === "everything") return pass;
  const before = scope.grants
    .flatMap(({ cluster }) => decodeClusterName(cluster) ?? [])
    .filter((cluster) => cluster < pass.cluster)
    .sort()
    .at(-1);
  return before && passAfter(before, pass.until);
}

/** A pass that has just finished with the cluster. */
export function passAfter(cluster: ClusterName, until: Instant): Pass {
  return { until, cluster, floor: floorAt(until), lateUntil: until };
}

export type DecodedFollow =
  | { readonly outcome: "decoded"; readonly position: FollowPosition }
  | { readonly outcome: "refused"; readonly problem: string };

/** A cursor with another layout is rejected with the instant at which to begin again. */
export function decodeFollow(cursor: string, layout: Layout = LAYOUT): DecodedFollow {
  const decoded = decodeCursor(CURSOR_KIND, cursor, (fields) =>
    fields[0] === layout ? readPosition(fields) : (restartOf(readPosition(fields)) ?? readEarlier(fields)),
  );
  if (decoded.outcome === "refused" || !("restartAt" in decoded.position)) return decoded as DecodedFollow;
  return { outcome: "refused", problem: restartProblem(decoded.position.restartAt) };
}

function restartProblem(restartAt: Instant): string {
  return (
    "The cursor is from an earlier version of Outlive, or from another deployment. Omit it and begin with " +
    `\`since=${formatInstant(restartAt)}\`: no change is missed, and some are repeated.`
  );
}

/** Where to begin again to miss nothing. */
function restartOf(position: FollowPosition | undefined): { readonly restartAt: Instant } | undefined {
  if (position === undefined) return undefined;
  const { from, pass } = position;
  return { restartAt: Math.min(from, pass?.until ?? from) - SETTLED_AFTER_MS };
}

/** Group and mark of any number of segments. */
const MARKS = /^(?:[A-Za-z0-9_-]{7})*$/;

function readPosition([layout, from, marks, ...rest]: readonly unknown[]): FollowPosition | undefined {
  if (!isLayout(layout) || !isInstant(from) || typeof marks !== "string" || !MARKS.test(marks)) return undefined;
  const given = marks.match(/.{7}/g) ?? [];
  const pass = readPass(rest);
  if (rest.length > 0 && pass === undefined) return undefined;
  return {
    from,
    given: given.map((text) => ({ group: text.slice(0, 1), mark: text.slice(1) })),
    ...(pass && { pass }),
  };
}

function isLayout(layout: unknown): layout is Layout {
  return layout === LAYOUT || layout === LOG_LAYOUT;
}

function readPass([until, name, text]: readonly unknown[]): Pass | undefined {
  const cluster = decodeClusterName(name);
  const position = typeof text === "string" ? parsePosition(text) : undefined;
  if (!isInstant(until) || cluster === undefined || position === undefined) return undefined;
  return { until, cluster, floor: position.floor, lateUntil: position.lateUntil };
}

/** For a cursor of an earlier version: where its reader must begin again to miss nothing. */
function readEarlier([madeAt, ...fields]: readonly unknown[]): { readonly restartAt: Instant } | undefined {
  if (!isInstant(madeAt)) return undefined;
  const positions = fields.map((field) =>
    typeof field === "string" ? parsePosition(field.slice(field.indexOf("|") + 1)) : undefined,
  );
  if (positions.includes(undefined)) return undefined;
  const instants = positions.flatMap((position) => (position ? [sealedFloor(position), position.lateUntil] : []));
  return { restartAt: Math.min(madeAt - SETTLED_AFTER_MS, ...instants) };
}

function sealedFloor({ floor }: LogPosition): Instant {
  return Date.parse(floor.split("#", 1)[0] ?? "");
}

function isInstant(value: unknown): value is Instant {
  return typeof value === "number" && Number.isSafeInteger(value);
}
