import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { followAuditLog } from "../../../src/host/exporter/follow-audit-log.ts";
import { createJournal } from "../../../src/ports/runtime/journal.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

/** Follows `path` until the first event or log line. */
async function firstOutput(path: string): Promise<{ readonly events: readonly unknown[]; readonly log: string }> {
  const events: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const source = { hasRoom: true, take: (event: unknown) => void events.push(event) };
  const { stop } = followAuditLog(
    path,
    source,
    createJournal(resolve, () => 0),
  );
  const log = await promise;
  stop();
  return { events, log };
}

describe("an audit log that is followed", () => {
  it("sends the events that it contains", async () => {
    const path = join(scratch.path, "audit.log");
    writeFileSync(path, '{"kind":"Event","n":1}\n{"kind":"Event","n":2}\n');
    const { events, log } = await firstOutput(path);
    expect(events).toMatchObject([{ n: 1 }, { n: 2 }]);
    expect(log).toContain("Following the audit log.");
  });

  it("is reported if it does not exist", async () => {
    const path = join(scratch.path, "absent.log");
    expect((await firstOutput(path)).log).toContain(`The audit log ${path} does not exist.`);
  });

  it("is reported if it cannot be read", async () => {
    expect((await firstOutput(scratch.path)).log).toContain("Cannot read the audit log: ");
  });
});
