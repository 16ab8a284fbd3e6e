import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { NAMED_QUERIES } from "../../../lib/archive/named-queries.ts";
import { COLUMNS } from "../../../src/archive/rows/job-rows.ts";
import { LIVE, synthesise } from "../synthesised.ts";

/** Names that a query gives itself, and words of SQL in lower case. */
const OWN = /^(latest_[a-z]+|numbered|place|failed|needless|runs|series|team|jobs|attempts|facts|pods|week|[nfja])$/;
const FUNCTIONS = /^(row_number|element_at|count|round|sum|coalesce|max|lag|date_trunc|date_diff|approx_percentile)$/;
const OTHERS = /^(current_date|varchar|dt)$/;
const RESULTS = /^(seconds|needless_hours|failed_hours|p50_seconds|p95_seconds|previous_at|longest_pause_seconds)$/;

describe("the named queries of the archive", () => {
  it("use columns that the tables have", () => {
    const known = new Set(Object.values(COLUMNS).flatMap((table) => table.map(({ name }) => name)));
    for (const { sql } of NAMED_QUERIES) {
      const words = sql.replaceAll(/'[^']*'/g, "").match(/\b[a-z_][a-z0-9_]*\b/g) ?? [];
      const unknown = words.filter(
        (w) => !known.has(w) && !OWN.test(w) && ![FUNCTIONS, OTHERS, RESULTS].some((own) => own.test(w)),
      );
      expect(unknown).toEqual([]);
    }
  });

  it("each read some days only: Athena charges per byte", () => {
    for (const { sql } of NAMED_QUERIES) expect(sql).toContain("dt >= ");
  });

  it("are in the workgroup of the stage", () => {
    const { template } = synthesise({ ...LIVE, archive: "true" });
    template.resourceCountIs("AWS::Athena::NamedQuery", NAMED_QUERIES.length);
    template.allResourcesProperties("AWS::Athena::NamedQuery", {
      Database: "outlive_live",
      WorkGroup: "outlive-live",
      QueryString: Match.anyValue(),
    });
  });
});
