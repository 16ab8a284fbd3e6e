import { join } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../lib/bundling/bundle-function.ts";
import { metaPartitions } from "../../../src/adapters/dynamodb/meta-partition.ts";
import { ERASABLE_RECORDS, WRITTEN_RECORDS } from "../../../src/ports/deployment/record-permissions.ts";
import type { FunctionName } from "../../../src/ports/deployment/settings/function-settings.ts";
import type { MetaKind } from "../../../src/ports/meta.ts";
import { isAllowed, statementsOf } from "../../lib/policy-evaluator.ts";
import { LIVE, RULES, RULES_SECRET, synthesise } from "../../lib/synthesised.ts";
import { RECORD_KEYS } from "../../support/aws/record-keys.ts";

/** A stage with every function. */
const stack = synthesise({
  ...LIVE,
  archive: "true",
  erasure: "true",
  keepProjectors: "12,9",
  rules: RULES,
  rulesSecret: RULES_SECRET,
  auditLogGroups: "eu=/aws/eks/eu/cluster",
});
const META = "Projection/Meta";

const ROLES: Readonly<Record<FunctionName, string>> = {
  ingest: "In/Ingest/Role",
  project: "Projection/Project/Role",
  refold: "Projection/Refold/Role",
  replay: "Replay/Replay/Role",
  sweep: "Sweep/Sweep/Role",
  audit: "Audit/Audit/Role",
  count: "Count/Count/Role",
  archive: "Archive/Archive/Role",
  retain: "Retain/Retain/Role",
  notify: "Notify/Notify/Role",
  deliver: "Notify/Deliver/Role",
  query: "Query/Query/Role",
  acknowledge: "Query/Acknowledge/Role",
  page: "Query/Page/Role",
  "audit-logs": "AuditLogs/AuditLogs/Role",
};
const FUNCTIONS = Object.entries(ROLES) as readonly (readonly [FunctionName, string])[];

/** The kinds of which a role may send this request for an item. */
function allowedKinds(role: string, action: string): readonly MetaKind[] {
  const allowed = RECORD_KEYS.filter(([kind, key]) =>
    isAllowed(stack, role, { action, table: META, partition: metaPartitions(kind, key).current }),
  );
  return allowed.map(([kind]) => kind).toSorted();
}

/** Files that write records of a kind in a variable. */
const WRITERS_OF_SEVERAL: Readonly<Record<string, readonly MetaKind[]>> = {
  "src/projection/project-cluster.ts": ["node", "cronjob", "namespaceMarks", "hints", "gap", "cluster"],
  "src/upkeep/replay/rebuild-records.ts": ["node", "cronjob", "namespaceMarks", "hints", "gap", "cluster", "namespace"],
  // Passes on what nothing in an answer calls.
  "src/query/job/with-archived-facts.ts": [],
};

/** The kinds of records that are written by the code which is left in the bundle of a function. */
function writtenKinds(name: FunctionName): ReadonlySet<string> {
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, "functions", `${name}.ts`)],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  const bundle = outputFiles.map(({ text }) => text).join("\n");
  const codecs = new Map(
    [...bundle.matchAll(/var (\w+) = recordCodec\(\s*"(\w+)"/g)].map(([, codec = "", kind = ""]) => [codec, kind]),
  );
  const modules = bundle.split(/^\/\/ (?=src\/|functions\/)/m).map((text) => ({ text, file: text.split("\n", 1)[0] }));
  const kinds = modules.flatMap<string>(({ text, file = "" }) => {
    if (file === "src/ports/records/record-codec.ts") return [];
    const byCodec = [...text.matchAll(/writeRecord\([\w.#]+, (\w+)/g)].map(
      ([, codec = ""]) => codecs.get(codec) ?? `the codec ${codec} of ${file}`,
    );
    const byName = [...text.matchAll(/[mM]eta\d*\??\.write\(("?)(\w+)/g)].flatMap<string>(([, quote, kind = ""]) =>
      quote === '"' ? [kind] : (WRITERS_OF_SEVERAL[file] ?? [`a variable of ${file}`]),
    );
    return [...byCodec, ...byName];
  });
  return new Set(kinds);
}

describe("the records that a function writes", () => {
  it.each(FUNCTIONS)("are those that its code writes: %s", (name) => {
    expect([...writtenKinds(name)].toSorted()).toEqual([...new Set(WRITTEN_RECORDS[name])].toSorted());
  });

  it.each(FUNCTIONS)("are those that its role may write: %s", (name, role) => {
    expect(statementsOf(stack, role)).not.toEqual([]);
    expect(allowedKinds(role, "dynamodb:PutItem")).toEqual([...WRITTEN_RECORDS[name]].toSorted());
  });

  it("never grant access, and are no rule, hold or erasure", () => {
    const forOperators = ["retention", "hold", "erasure"];
    expect(Object.values(WRITTEN_RECORDS).flat()).not.toEqual(expect.arrayContaining([expect.toBeOneOf(forOperators)]));
  });

  it.each(["Trial/Project/Role", "Trial/Refold/Role"])("are few in a trial: %s", (role) => {
    expect(allowedKinds(role, "dynamodb:PutItem")).toEqual(["changes", "waiting"]);
  });

  it("can be deleted by the role for erasures only, but for those that grant access", () => {
    for (const action of ["dynamodb:PutItem", "dynamodb:DeleteItem"]) {
      expect(allowedKinds("Erasure/Role", action)).toEqual([...ERASABLE_RECORDS].toSorted());
    }
    expect(FUNCTIONS.flatMap(([, role]) => allowedKinds(role, "dynamodb:DeleteItem"))).toEqual([]);
    const earlier = { action: "dynamodb:DeleteItem", table: META, partition: "hints" };
    expect(isAllowed(stack, "Erasure/Role", earlier)).toBe(true);
  });
});

describe("messages that were set aside", () => {
  it.each(["setAside", "setAside#0"])("are read by ingest only, in partition %s", (partition) => {
    for (const action of ["dynamodb:GetItem", "dynamodb:Query"]) {
      const readers = FUNCTIONS.filter(([, role]) => isAllowed(stack, role, { action, table: META, partition }));
      expect(readers.map(([name]) => name)).toEqual(["ingest"]);
    }
  });

  it("are all that the query function may not read", () => {
    const all = RECORD_KEYS.map(([kind]) => kind).toSorted();
    expect(allowedKinds(ROLES.query, "dynamodb:GetItem")).toEqual(all.filter((kind) => kind !== "setAside"));
  });
});

describe("the inline policies of a role", () => {
  it("stay below 10,240 characters, with ARNs of the longest names", () => {
    const roles = [...stack.resources.values()].filter(({ type }) => type === "AWS::IAM::Role");
    for (const { path } of roles) {
      const text = JSON.stringify(statementsOf(stack, path), (_, value: unknown) =>
        typeof value === "object" && value !== null && ("Fn::GetAtt" in value || "Ref" in value)
          ? "a".repeat(150)
          : value,
      );
      expect(text.length, path).toBeLessThan(10_240);
    }
  });
});
