import { DAY_MILLIS, HOUR_MILLIS, LATEST } from "../../job/model/instant.ts";
import type { Scope } from "../access/scope.ts";
import type { QueryPorts } from "../ports.ts";
import { usageOfRows } from "./usage-of-rows.ts";
import { usageOfSums } from "./usage-of-sums.ts";
import type { UsageQuery, UsageReport } from "./usage-report.ts";

/**
 * What the Pods of the Jobs reserved within a range of whole UTC days, or of whole hours if grouped by hour. Jobs count
 * once they are over.
 */
export async function reportUsage(ports: QueryPorts, scope: Scope, query: UsageQuery): Promise<UsageReport> {
  const whole = { ...query, ...wholeRange(query) };
  const ofSums = query.nodeLabels === undefined ? await usageOfSums(ports, scope, whole) : undefined;
  return ofSums ?? usageOfRows(ports, scope, whole);
}

function wholeRange({ by, since, until }: UsageQuery): Pick<UsageQuery, "since" | "until"> {
  const unit = by === "hour" ? HOUR_MILLIS : DAY_MILLIS;
  return { since: Math.floor(since / unit) * unit, until: Math.min(Math.ceil(until / unit) * unit, LATEST) };
}
