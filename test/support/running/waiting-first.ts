import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Tests that take minutes, mostly waiting for programs, the retries of a queue or an emulator. Longest first. */
const WAITING = [
  "aws/stack",
  "cli",
  "exporter",
  "aws/drills/erase",
  "aws/drills/outage",
  "aws/drills/restore",
  "aws/drills/athena",
].map((name) => `/test/end-to-end/${name}.test.ts`);

/**
 * Starts with the tests that wait most of their time, so that the others run beside them. By default the order follows
 * the file sizes, and at the end one processor waits for them.
 */
export default class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = WAITING.findIndex((file) => moduleId.endsWith(file));
  return place === -1 ? WAITING.length : place;
}
