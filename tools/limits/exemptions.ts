import type { TestExemption } from "./missing-tests.ts";

/** Files without a test of the same name, and the tests that specify them instead. */
export const testExemptions: readonly TestExemption[] = [
  {
    files: "bench/",
    tests: [],
    reason: "A benchmark reports figures, and fails if its own assertions about the result fail.",
  },
  {
    files: [
      "cli/commands/",
      "cli/registry/",
      "cli/restore/",
      "cli/archive/verify-archive.ts",
      "cli/doctor/diagnose.ts",
      "cli/erase/print-erasures.ts",
      "cli/redrive/redrive-messages.ts",
    ],
    tests: [
      "test/end-to-end/cli.test.ts",
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
      "web/api/live.ts",
      "web/api/oidc.ts",
      "web/api/request.ts",
      "web/job/timeline/draw-*.ts",
      "web/jobs/job-list.ts",
      "web/shell/keyboard.ts",
      "web/table/use-row-focus.ts",
    ],
    tests: ["test/web/page-views.test.ts", "test/web/page-clusters.test.ts", "test/web/page-troubles.test.ts"],
    reason: "It needs a browser, in which the tests of the page run. What needs none has its own files and tests.",
  },
  {
    files: "src/log/erasure/command/",
    tests: ["test/log/erasure/command/erase-data.test.ts", "test/host/embedded/erase-embedded.test.ts"],
    reason: "The steps of an erasure, one per store: tests search the bytes of all stores after it.",
  },
  {
    files: "src/log/erasure/adopt-erasures.ts",
    tests: ["test/host/embedded/erase-embedded.test.ts"],
    reason: "Tests restore databases from backups and archives that are older than an erasure.",
  },
  ...together(
    ["src/archive/write/erase-archive.ts", "src/archive/write/erase-object.ts", "src/archive/write/list-erasures.ts"],
    {
      tests: ["test/log/erasure/command/erase-data.test.ts", "test/host/embedded/erase-embedded.test.ts"],
      reason: "Tests erase from an archive that a database has written, kill the erasure, and verify the archive.",
    },
  ),
  {
    files: "src/adapters/sqlite/sqlite-eraser.ts",
    tests: ["test/host/embedded/erase-embedded.test.ts"],
    reason: "Statements of one line each: tests search the file after them.",
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
    files: "src/query/summary/row-tally.ts",
    tests: ["test/query/summary/summarise-jobs.test.ts", "test/query/summary/summary-of-sums.test.ts"],
    reason: "It reads the rows of a summary: the tests of summaries specify the bound and what is counted.",
  },
  {
    files: "src/query/cron-jobs/cron-jobs.ts",
    tests: ["test/query/cron-jobs/cron-runs.test.ts"],
    reason: "The CronJobs and their runs are specified together, on the same stores.",
  },
  {
    files: "src/query/cron-jobs/cron-run.ts",
    tests: ["test/query/cron-jobs/cron-runs.test.ts"],
    reason: "A run is specified as a part of the runs of its CronJob.",
  },
  {
    files: "src/query/job/derive-loaded.ts",
    tests: ["test/query/job/large-job.test.ts"],
    reason: "A law specifies it: the answer from pages equals the answer from all Pods at once.",
  },
  {
    files: "src/query/job/job-indexes.ts",
    tests: ["test/query/job/large-job.test.ts"],
    reason: "The pages of indexes are specified on a Job with many Pods.",
  },
  {
    files: "src/query/job/job-pods.ts",
    tests: ["test/query/job/large-job.test.ts"],
    reason: "The pages of attempts are specified on a Job with many Pods.",
  },
  {
    files: "src/query/job/load-job.ts",
    tests: ["test/query/job/get-job.test.ts", "test/query/job/large-job.test.ts"],
    reason: "Loading is specified by the items that an answer reads, each of them once.",
  },
  {
    files: "src/query/list/merged-rows.ts",
    tests: ["test/query/list/list-jobs.test.ts"],
    reason: "A property of lists specifies the merge: each Job once, in order, for any page size.",
  },
  {
    files: "src/host/exporter/export-cluster.ts",
    tests: ["test/end-to-end/exporter.test.ts"],
    reason: "An exporter is specified as a process, against an API server and a queue over HTTP.",
  },
  {
    files: "src/host/exporter/export-command.ts",
    tests: ["test/end-to-end/exporter.test.ts"],
    reason: "An exporter is specified as a process, against an API server and a queue over HTTP.",
  },
  {
    files: "src/host/exporter/relay-cluster.ts",
    tests: ["test/end-to-end/exporter.test.ts"],
    reason: "An exporter is specified as a process, against an API server and a queue over HTTP.",
  },
  {
    files: "src/host/exporter/run-exporter.ts",
    tests: ["test/end-to-end/exporter.test.ts"],
    reason: "An exporter is specified as a process, against an API server and a queue over HTTP.",
  },
  {
    files: "src/host/embedded/watch-into.ts",
    tests: ["test/end-to-end/serve-watching.test.ts"],
    reason: "A watch into a database is specified as a process, against an API server over HTTP.",
  },
  {
    files: "src/host/command-line/report-failure.ts",
    tests: ["test/end-to-end/cli.test.ts"],
    reason: "It writes to standard error: the tests of the process read it.",
  },
  ...together(
    [
      "src/http/contract/parameters.ts",
      "src/http/contract/read-parameters.ts",
      "src/http/create-api.ts",
      "src/http/routes/job-path.ts",
      "src/http/serve-route.ts",
    ],
    {
      tests: ["test/http/answers.test.ts", "test/http/invalid-requests.test.ts"],
      reason: "Requests to the API specify its parts together.",
    },
  ),
  ...together(["src/http/page/answer-page.ts", "src/http/page/page-files.ts"], {
    tests: ["test/http/page/page.test.ts"],
    reason: "Requests for the page specify its parts together.",
  }),
  ...together(["src/http/streams/change-events.ts", "src/http/streams/change-hub.ts"], {
    tests: ["test/http/streams/change-stream.test.ts", "test/http/streams/scoped-stream.test.ts"],
    reason: "Readers of the stream specify its parts together.",
  }),
];

/** Files that one suite specifies together. */
function together(files: readonly string[], { tests, reason }: Omit<TestExemption, "files">): readonly TestExemption[] {
  return files.map((file) => ({ files: file, tests, reason }));
}
