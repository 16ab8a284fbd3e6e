import type { Attempt } from "../job/answer.ts";
import { attemptOf } from "../job/attempt.ts";
import { decodePodUid } from "../job/ids.ts";
import type { PodRecord } from "../job/pod-record.ts";
import type { PodPosition } from "../projection/read-job.ts";
import { type DecodedCursor, decodeCursor, encodeCursor } from "./cursor.ts";
import type { JobReference, UnknownJob } from "./find-job.ts";
import type { Paged, PageQuery } from "./page.ts";
import type { QueryPorts } from "./ports.ts";
import type { Scope } from "./scope.ts";
import { rulesOf, viewJob } from "./view-job.ts";

/** The attempts of a Job, one for each Pod it ever had, in order of creation. */
export async function listJobPods(
  ports: QueryPorts,
  scope: Scope,
  wanted: JobReference,
  query: PageQuery,
): Promise<Paged<Attempt> | UnknownJob> {
  const viewed = await viewJob(ports, scope, wanted);
  if (viewed.outcome !== "viewed") return viewed;
  const { view, surroundings } = viewed;
  const question = { pods: view.job.uid };
  const start = startOf(question, query.cursor);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  // One more than the page holds, so that the page knows whether it is the last.
  const pods = await firstPods(viewed.pods(start.position), query.limit + 1);
  const page = pods.slice(0, query.limit);
  const last = pods.length > query.limit ? page.at(-1) : undefined;
  const context = { job: view.job, surroundings, rules: rulesOf(viewed) };
  return {
    outcome: "listed",
    items: page.map((pod) => attemptOf(pod, context)),
    ...(last !== undefined && { nextCursor: encodeCursor(question, [last.created?.createdAt ?? 0, last.uid]) }),
  };
}

function startOf(
  question: unknown,
  cursor: string | undefined,
): DecodedCursor<PodPosition> | { readonly outcome: "starts"; readonly position?: undefined } {
  return cursor === undefined ? { outcome: "starts" } : decodeCursor(question, cursor, positionOf);
}

function positionOf([createdAt, uid]: readonly unknown[]): PodPosition | undefined {
  const podUid = decodePodUid(uid);
  return podUid === undefined || typeof createdAt !== "number" ? undefined : { createdAt, podUid };
}

async function firstPods(pods: AsyncIterable<PodRecord>, most: number): Promise<readonly PodRecord[]> {
  const first: PodRecord[] = [];
  for await (const pod of pods) {
    first.push(pod);
    if (first.length === most) break;
  }
  return first;
}
