import type { TestExemption } from "./missing-tests.ts";

/** Files without a test of the same name, and the tests that specify them instead. */
export const testExemptions: readonly TestExemption[] = [
  {
    files: "cli/demo/generated/",
    tests: ["test/cli/demo/generated/generated-history.test.ts"],
    reason: "What is generated is specified by what the tracker answers about it.",
  },
  {
    files: "bench/",
    tests: [],
    reason: "A benchmark reports figures, and fails if its own assertions about the result fail.",
  },
  {
    files: [
      "cli/commands/",
      "cli/backup/backup.ts",
      "cli/backup/receive-backup.ts",
      "cli/registry/",
      "cli/restore/",
      "cli/archive/verify-archive.ts",
      "cli/erase/print-erasures.ts",
      "cli/redrive/redrive-messages.ts",
    ],
    tests: [
      "test/end-to-end/cli.test.ts",
      "test/end-to-end/backup.test.ts",
      "test/end-to-end/access.test.ts",
      "test/end-to-end/aws/stack.test.ts",
      "test/end-to-end/aws/drills/restore.test.ts",
      "test/cli/erase/run-erase.test.ts",
      "test/cli/archive/open-archive.test.ts",
    ],
    reason: "A command parses options, calls a use case and prints its result: its tests run the program.",
  },
  {
    files: ["cli/deployment/deployed-*.ts", "cli/doctor/check-deployment.ts"],
    tests: [
      "test/end-to-end/aws/stack.test.ts",
      "test/end-to-end/aws/drills/erase.test.ts",
      "test/end-to-end/aws/drills/restore.test.ts",
      "test/end-to-end/aws/drills/retention.test.ts",
    ],
    reason: "It only opens the parts of a deployed stack: tests and drills run it against the emulator.",
  },
  {
    files: [
      "web/**.tsx",
      "web/api/changes.ts",
      "web/api/oidc.ts",
      "web/api/request.ts",
      "web/compare/compare-requests.ts",
      "web/job/timeline/draw-*.ts",
      "web/jobs/job-list.ts",
      "web/pictures/use-observation.ts",
      "web/shell/keyboard.ts",
      "web/table/use-row-focus.ts",
      "web/table/use-sorting.ts",
    ],
    tests: [
      "test/web/page-views.test.ts",
      "test/web/page-lists.test.ts",
      "test/web/page-clusters.test.ts",
      "test/web/page-trends.test.ts",
      "test/web/page-tour.test.ts",
      "test/web/page-compare.test.ts",
      "test/web/page-troubles.test.ts",
    ],
    reason: "It needs a browser, in which the tests of the page run. What needs none has its own files and tests.",
  },
  {
    files: [
      "src/log/erasure/command/",
      "src/log/erasure/adopt-erasures.ts",
      "src/archive/write/erase-archive.ts",
      "src/archive/write/erase-object.ts",
      "src/archive/write/list-erasures.ts",
      "src/adapters/sqlite/sqlite-eraser.ts",
    ],
    tests: ["test/log/erasure/command/erase-data.test.ts", "test/host/embedded/erase-embedded.test.ts"],
    reason:
      "The steps of an erasure, one per store: tests kill it, search all stores after it, and apply it to " +
      "older backups and archives.",
  },
  {
    files: "src/adapters/dynamodb/",
    tests: ["test/adapters/dynamodb/dynamo-local.test.ts", "test/adapters/dynamodb/faults.test.ts"],
    reason: "The contract suites of the ports run against DynamoDB Local.",
  },
  {
    files: "src/upkeep/replay/verify-projection.ts",
    tests: ["test/upkeep/replay/rebuild-projection.test.ts"],
    reason: "A verification is specified on the projections of a replay.",
  },
  {
    files: [
      "src/host/exporter/export-cluster.ts",
      "src/host/exporter/export-command.ts",
      "src/host/exporter/relay-cluster.ts",
      "src/host/exporter/run-exporter.ts",
    ],
    tests: ["test/end-to-end/exporter.test.ts"],
    reason: "An exporter is specified as a process, against an API server and a queue over HTTP.",
  },
  {
    files: "src/host/embedded/watch-into.ts",
    tests: ["test/end-to-end/serve-watching.test.ts"],
    reason: "A watch into a database is specified as a process, against an API server over HTTP.",
  },
];
