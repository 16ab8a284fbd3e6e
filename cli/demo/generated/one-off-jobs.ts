import type { Instant } from "../../../src/job/model/instant.ts";
import { drawnBetween } from "./drawn.ts";
import { EU_NODES, euTemplate, nodeFor, OUT_OF_MEMORY } from "./generated-cluster.ts";
import { finalStatus } from "./job-life.ts";
import { JobObject, PodObject, SUCCEEDS } from "./job-objects.ts";
import { HOUR, MINUTE, type RecordedEvent, SECOND, stamp } from "./watch-events.ts";

/** Jobs that people made: one whose image cannot be pulled now, and one with indexes. */
export function oneOffJobs(now: Instant): readonly RecordedEvent[] {
  return [...catalogMigration(now - 40 * MINUTE), ...productIndex(now - 20 * HOUR)];
}

function catalogMigration(createdAt: Instant): readonly RecordedEvent[] {
  const image = "registry.example.com/shop/migrate-catalog:5.0.0-rc1";
  const job = new JobObject({ ...euTemplate("shop", "catalog", "migrate"), name: "migrate-catalog", image, createdAt });
  const pod = new PodObject({ job, number: 0, createdAt, node: "eu-node-2" });
  const notFound = `failed to resolve reference "${image}": ${image}: not found`;
  return [
    job.event(createdAt, {}, { type: "ADDED" }),
    pod.created(),
    job.event(createdAt + SECOND, { startTime: stamp(createdAt), active: 1, ready: 0 }),
    pod.waiting(createdAt + 4 * SECOND, "ErrImagePull", notFound),
    pod.waiting(createdAt + 19 * SECOND, "ImagePullBackOff", `Back-off pulling image "${image}": ${notFound}`),
  ];
}

const INDEXES = 24;
const AT_ONCE = 6;

/** Six indexes at a time. The Pods of two of them ran out of memory once. */
function productIndex(createdAt: Instant): readonly RecordedEvent[] {
  const template = { ...euTemplate("search", "search", "reindex"), indexes: INDEXES, cpu: "2", memory: "1Gi" };
  const job = new JobObject({ ...template, name: "reindex-products", createdAt });
  const startTime = stamp(createdAt);
  const events: RecordedEvent[] = [
    job.event(createdAt, {}, { type: "ADDED" }),
    job.event(createdAt + SECOND, { startTime, active: AT_ONCE, ready: 0 }),
  ];
  const freeAt = Array.from({ length: AT_ONCE }, () => createdAt);
  for (let index = 0; index < INDEXES; index += 1) {
    const slot = freeAt.indexOf(Math.min(...freeAt));
    let startsAt = freeAt[slot] ?? createdAt;
    for (const [again, end] of (FAILED_ONCE.has(index) ? [OUT_OF_MEMORY, SUCCEEDS] : [SUCCEEDS]).entries()) {
      const number = 2 * index + again;
      const node = nodeFor(`reindex ${number}`, EU_NODES);
      const pod = new PodObject({ job, number, createdAt: startsAt, index, node });
      const at = pod.startsAt + Math.round(drawnBetween(200, 900, `reindex ${number}`)) * SECOND;
      events.push(pod.created(), pod.running(), pod.ended(at, end), pod.counted(at + SECOND, at, end));
      startsAt = at + 10 * SECOND;
    }
    freeAt[slot] = startsAt;
  }
  const at = Math.max(...freeAt) + SECOND;
  const totals = { startTime, succeeded: INDEXES, failed: FAILED_ONCE.size, completedIndexes: `0-${INDEXES - 1}` };
  return [...events, job.event(at, { ...totals, ...finalStatus(at, true) })];
}

const FAILED_ONCE: ReadonlySet<number> = new Set([7, 15]);
