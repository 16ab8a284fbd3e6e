import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { DELETIONS_PATTERN } from "../../../lib/audit-logs/deletions-pattern.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import type { auditLogGroup } from "./audit-log-group.ts";
import { foldCluster, type RecordedCluster, sealed } from "./recorded-clusters.ts";
import type { StackTools } from "./stack-tools.ts";

/** The cluster whose audit log is in CloudWatch Logs, and the log group as EKS names it. */
export const AUDITED = clusterNamed("audited");
export const AUDITED_GROUP = "/aws/eks/audited/cluster";

export interface AuditedStage {
  readonly tools: StackTools;
  readonly group: ReturnType<typeof auditLogGroup>;
  /** Resolves when the API and `outlive fold` have the same answers. */
  readonly answersAsFolded: (recorded: RecordedCluster) => Promise<void>;
}

const LINES_AT_ONCE = 20;

/** A cluster whose exporter sends what it watches, and whose API server's audit log is only in CloudWatch Logs. */
export function describeAuditLogs(open: () => AuditedStage, recorded: RecordedCluster): void {
  const whole = { ...recorded, cluster: AUDITED };
  const watched = { ...whole, facts: whole.facts.filter(({ kind }) => kind !== "RequestHinted") };

  it("answers of deletions as if it had the audit log, which it gets in parts, mixed, and twice", async () => {
    const { tools, group, answersAsFolded } = open();
    await tools.send(watched, sealed(watched, Date.now()));
    await answersAsFolded(watched);
    const { jobs } = await foldCluster(whole);
    expect(jobs.some(({ deletedBy }) => deletedBy?.confidence === "certain")).toBe(true);
    const [subscription] = await group.deliverEverything();
    expect(subscription?.filterPattern).toBe(DELETIONS_PATTERN);
    const lines = auditLog(recorded.cluster);
    for (const some of [...inParts(lines), ...inParts(lines)]) {
      await group.write(["I1121 08:47:34 controller.go:1] started", ...some]);
    }
    await answersAsFolded(whole);
    expect((await tools.setAside()).filter(({ reason }) => reason.includes(AUDITED))).toEqual([]);
  });
}

function auditLog(name: string): readonly string[] {
  const file = new URL(`../../../examples/${name}.audit.ndjson.gz`, import.meta.url);
  return gunzipSync(readFileSync(file)).toString().trim().split("\n");
}

function inParts(lines: readonly string[]): readonly (readonly string[])[] {
  const parts = Math.ceil(lines.length / LINES_AT_ONCE);
  return Array.from({ length: parts }, (_, n) => lines.slice(n * LINES_AT_ONCE, (n + 1) * LINES_AT_ONCE));
}
