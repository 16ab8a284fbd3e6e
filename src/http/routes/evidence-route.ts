import * as v from "valibot";
import { problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";

const NO_ARCHIVE =
  "This API has no archive, and only archived facts can be proven. " +
  'Start "outlive serve" with --archive, or set --archive for a database file.';

const NEEDS_EVERYTHING =
  "Evidence contains the manifests of the archive, which name all clusters and count their Jobs. It needs access to " +
  "everything: ask an operator or an auditor for it.";

export const evidenceRoute = defineRoute({
  template: `${JOB_TEMPLATE}/evidence`,
  operationId: "exportEvidence",
  summary: "Export the archived facts about a Job, with the hashes that prove them",
  path: JOB_PATH,
  query: UID_QUERY,
  answer: v.pipe(v.looseObject({}), v.description("A file for `outlive archive verify`.")),
  answerIs: "The evidence.",
  statuses: [404, 410],
  handle: async ({ ports, archive, scope, now }, path, { uid }) => {
    if (archive === undefined) return { problem: problem("no-archive", NO_ARCHIVE) };
    if (scope !== "everything") return { problem: problem("forbidden", NEEDS_EVERYTHING) };
    const wanted = { ...path, uid };
    const { collectEvidence } = await import("../../archive/evidence/collect-evidence.ts");
    const collected = await collectEvidence({ ports: await ports(), archive }, { scope, wanted }, now);
    switch (collected.outcome) {
      case "collected":
        return { body: collected.evidence };
      case "notArchived":
        return { problem: problem("not-archived", notArchived(path.name)) };
      case "erased":
        return { problem: problem("evidence-erased", erasedFrom(collected.key)) };
      case "unknownCluster":
      case "unknownJob":
        return { problem: unknownJob(wanted, collected) };
    }
  },
});

function erasedFrom(key: string): string {
  return (
    `Facts were erased from segment file ${key} of the archive, so that nothing proves its other facts. ` +
    "Evidence that was exported before the erasure stays valid."
  );
}

function notArchived(name: string): string {
  return (
    `The archive has no facts about Job ${JSON.stringify(name)} yet. ` +
    "An hour is archived some minutes after its end. Retry then."
  );
}
