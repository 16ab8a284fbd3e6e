import type { TestExemption } from "./missing-tests.ts";

/** Files without a test of the same name, and the tests that specify them instead. */
export const testExemptions: readonly TestExemption[] = [
  {
    files: "bench/",
    tests: [],
    reason: "A benchmark reports figures, and fails if its own assertions about the result fail.",
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
    files: "cli/erase/print-erasures.ts",
    tests: ["test/cli/erase/run-erase.test.ts"],
    reason: "It prints what that command returns.",
  },
  {
    files: "cli/archive/verify-archive.ts",
    tests: ["test/cli/erase/run-erase.test.ts", "test/cli/archive/open-archive.test.ts"],
    reason: "It prints what verifyArchive finds.",
  },
  {
    files: "cli/commands/",
    tests: [],
    reason: "A command parses options and prints: its tests run the program (test/cli, test/end-to-end).",
  },
  {
    files: "cli/deployment/deployed-replay.ts",
    tests: ["test/end-to-end/aws/stack.test.ts"],
    reason: "It only calls the functions of a deployed stack: tests run it against the emulator.",
  },
  {
    files: "cli/deployment/deployed-retention.ts",
    tests: ["test/end-to-end/aws/drills/retention.test.ts"],
    reason: "It only opens the records and the function of a deployed stack: a test runs it against the emulator.",
  },
  {
    files: "cli/deployment/deployed-erasure.ts",
    tests: ["test/end-to-end/aws/drills/erase.test.ts"],
    reason: "It only opens the stores of a deployed stack: a drill erases from one on the emulator.",
  },
  {
    files: "cli/deployment/deployed-restore.ts",
    tests: ["test/end-to-end/aws/drills/restore.test.ts"],
    reason: "It only opens the stores and the function of a deployed stack: a test restores one on the emulator.",
  },
  {
    files: "cli/restore/",
    tests: ["test/end-to-end/aws/drills/restore.test.ts"],
    reason: "A command parses options and prints: a test restores deployed stacks with it.",
  },
  {
    files: "cli/doctor/check-deployment.ts",
    tests: ["test/end-to-end/aws/stack.test.ts"],
    reason: "It only opens the parts of a deployed stack: tests run it against the emulator.",
  },
  {
    files: "cli/doctor/diagnose.ts",
    tests: ["test/end-to-end/access.test.ts", "test/cli/options/credentials-options.test.ts"],
    reason: "It chooses checks and prints them: tests run `outlive doctor`.",
  },
  {
    files: "cli/output/print-answer.ts",
    tests: ["test/end-to-end/cli.test.ts", "test/end-to-end/hostile-text.test.ts"],
    reason: "It prints on standard output: tests compare the output of commands in each format.",
  },
  {
    files: "cli/demo/incident-report.ts",
    tests: ["test/end-to-end/http.test.ts"],
    reason: "It describes the example recordings: a test runs `outlive demo` over them.",
  },
  {
    files: "cli/redrive/redrive-messages.ts",
    tests: ["test/end-to-end/access.test.ts", "test/log/redrive.test.ts"],
    reason: "It prints the result of the use case: tests run `outlive redrive`.",
  },
  {
    files: "cli/registry/",
    tests: ["test/end-to-end/access.test.ts", "test/end-to-end/aws/stack.test.ts"],
    reason: "It prints the result of the use cases: tests run `outlive clusters` and `outlive readers`.",
  },
  {
    files: "web/**.tsx",
    tests: ["test/web/page-views.test.ts", "test/web/page-clusters.test.ts", "test/web/page-troubles.test.ts"],
    reason: "A component is tested in a browser, in the page that contains it.",
  },
  {
    files: "web/job/timeline/draw-*.ts",
    tests: ["test/web/page-views.test.ts"],
    reason: "It draws on a canvas, which only a browser has.",
  },
  {
    files: "web/jobs/job-list.ts",
    tests: ["test/web/page-views.test.ts", "test/web/page-troubles.test.ts"],
    reason: "It is a hook of a component. Its rules are in changed-rows.ts and job-list-row.ts.",
  },
  {
    files: "web/shell/keyboard.ts",
    tests: ["test/web/page-views.test.ts"],
    reason: "It handles the keys of a page, which only a browser has.",
  },
  {
    files: "web/table/use-row-focus.ts",
    tests: ["test/web/page-views.test.ts"],
    reason: "It moves the focus and scrolls, which only a browser does.",
  },
  {
    files: "src/segment/fact-check.ts",
    tests: ["test/segment/segment.test.ts", "test/segment/schema-1.test.ts"],
    reason: "The checks of facts are specified by the law that decode inverts encode, and by stored segments.",
  },
  {
    files: "src/segment/fact-list-v1.ts",
    tests: ["test/segment/segment.test.ts", "test/segment/schema-1.test.ts"],
    reason: "The list of facts is specified by the law that decode inverts encode, and by stored segments.",
  },
  {
    files: "src/adapters/dynamodb/",
    tests: ["test/adapters/dynamodb/dynamo-local.test.ts", "test/adapters/dynamodb/faults.test.ts"],
    reason: "The contract suites of the ports run against DynamoDB Local.",
  },
  {
    files: "lib/query.ts",
    tests: ["test/lib/outlive-stack.test.ts", "test/lib/roles.test.ts"],
    reason: "The tests of the stack specify the synthesized resources of all constructs.",
  },
  {
    files: "functions/events/refold-event.ts",
    tests: ["test/functions/events/project-event.test.ts"],
    reason: "The refold queue continues the projection of the stream: one test sends an item through both.",
  },
  {
    files: "functions/events/stream-records.ts",
    tests: ["test/functions/events/project-event.test.ts"],
    reason: "The outcomes of stream records are specified through the function that reads them.",
  },
  {
    files: "src/log/seal-hints.ts",
    tests: ["test/log/foreign-messages.test.ts"],
    reason: "The segment of a foreign message is specified through ingestion, by what the log has afterwards.",
  },
  {
    files: "src/upkeep/replay/audit-segments.ts",
    tests: ["test/upkeep/replay/audit-projection.test.ts"],
    reason: "A law over arbitrary facts specifies the audit as a whole: it finds exactly the missing items.",
  },
  {
    files: "src/upkeep/replay/fold-units.ts",
    tests: ["test/upkeep/replay/continue-replay.test.ts", "test/upkeep/replay/parallel-replay.test.ts"],
    reason: "A replay is specified as a whole, with a process that is killed at any request.",
  },
  {
    files: "src/upkeep/replay/fresh-fold.ts",
    tests: ["test/upkeep/replay/rebuild-projection.test.ts"],
    reason: "The expected states of a verification are specified by what the verification finds.",
  },
  {
    files: "src/upkeep/replay/verify-projection.ts",
    tests: ["test/upkeep/replay/rebuild-projection.test.ts"],
    reason: "A verification is specified on the projections of a replay.",
  },
  {
    files: "src/http/kubectl/watch/touched-jobs.ts",
    tests: ["test/query/changes/changes.test.ts"],
    reason: "The effects of a segment are specified by the changes that a reader gets.",
  },
  {
    files: "src/projection/job-state/job-state.ts",
    tests: ["test/projection/job-state/large-job.test.ts", "test/projection/job-state/join-job-state.test.ts"],
    reason: "States are specified by the laws of joining facts into them.",
  },
  {
    files: "src/projection/job-state/read-job.ts",
    tests: ["test/query/job/large-job.test.ts"],
    reason: "A view is specified by the answers from it, which must equal those from all Pods at once.",
  },
  {
    files: "src/projection/job-state/segment-set.ts",
    tests: ["test/projection/job-state/large-job.test.ts", "test/projection/job-state/log-keys.test.ts"],
    reason: "The set is specified as a part of the state of a Job with many segments.",
  },
  {
    files: "src/projection/pages/pod-pages.ts",
    tests: ["test/projection/pages/page-tree.test.ts", "test/projection/job-state/large-job.test.ts"],
    reason: "The laws of page trees and of large Jobs specify the pages of Pods.",
  },
  {
    files: "src/projection/project-cluster.ts",
    tests: ["test/projection/project-segments.test.ts", "test/projection/killed-fold.test.ts"],
    reason: "A law specifies the projection as a whole: any order and any duplication give the same records.",
  },
  {
    files: "src/projection/project-job.ts",
    tests: ["test/projection/project-segments.test.ts", "test/projection/killed-fold.test.ts"],
    reason: "A law specifies the projection as a whole: any order and any duplication give the same states.",
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
    files: "src/kubernetes/connection/api-reader.ts",
    tests: ["test/kubernetes/watch/reflector.test.ts", "test/kubernetes/watch/reflector-troubles.test.ts"],
    reason: "Its outcomes are specified through captures of an API server that fails, restarts and refuses.",
  },
  {
    files: "src/kubernetes/watch/resource-reader.ts",
    tests: ["test/kubernetes/watch/reflector.test.ts", "test/kubernetes/watch/reflector-troubles.test.ts"],
    reason: "Its outcomes are specified through captures of an API server that fails, restarts and refuses.",
  },
  {
    files: "src/kubernetes/watch/observation-translation.ts",
    tests: ["test/kubernetes/watch/capture.test.ts", "test/kubernetes/watch/capture-resumed.test.ts"],
    reason: "Its outcomes are specified through captures of an API server that fails, restarts and refuses.",
  },
  {
    files: "src/kubernetes/message/eviction-message.ts",
    tests: ["test/kubernetes/message/parse-message.test.ts"],
    reason: "One table specifies the details of all messages, by the reason that selects the parser.",
  },
  {
    files: "src/kubernetes/message/missing-object-message.ts",
    tests: ["test/kubernetes/message/parse-message.test.ts"],
    reason: "One table specifies the details of all messages, by the reason that selects the parser.",
  },
  {
    files: "src/kubernetes/message/probe-message.ts",
    tests: ["test/kubernetes/message/parse-message.test.ts"],
    reason: "One table specifies the details of all messages, by the reason that selects the parser.",
  },
  {
    files: "src/kubernetes/message/refusal-message.ts",
    tests: ["test/kubernetes/message/parse-message.test.ts"],
    reason: "One table specifies the details of all messages, by the reason that selects the parser.",
  },
  {
    files: "src/kubernetes/message/scheduling-message.ts",
    tests: ["test/kubernetes/message/parse-message.test.ts"],
    reason: "One table specifies the details of all messages, by the reason that selects the parser.",
  },
  {
    files: "src/kubernetes/recording/slim-messages.ts",
    tests: ["test/kubernetes/recording/slim-object.test.ts"],
    reason: "A slim object is specified as a whole: it translates to the same facts.",
  },
  {
    files: "src/kubernetes/translate/read-job-spec.ts",
    tests: ["test/kubernetes/translate/translate-job.test.ts"],
    reason: "The facts of an object are specified through the translation of the whole object.",
  },
  {
    files: "src/kubernetes/translate/read-job-status.ts",
    tests: ["test/kubernetes/translate/translate-job.test.ts"],
    reason: "The facts of an object are specified through the translation of the whole object.",
  },
  {
    files: "src/kubernetes/translate/pod-created.ts",
    tests: ["test/kubernetes/translate/translate-pod.test.ts"],
    reason: "The facts of an object are specified through the translation of the whole object.",
  },
  {
    files: "src/kubernetes/translate/translate-hint-message.ts",
    tests: ["test/log/foreign-messages.test.ts"],
    reason: "The hints of a foreign message are specified through its ingestion.",
  },
  {
    files: "web/api/changes.ts",
    tests: ["test/web/page-troubles.test.ts"],
    reason: "It needs a browser, in which the tests of the page run.",
  },
  {
    files: "web/api/live.ts",
    tests: ["test/web/page-troubles.test.ts"],
    reason: "It needs a browser, in which the tests of the page run.",
  },
  {
    files: "web/api/oidc.ts",
    tests: ["test/web/page-troubles.test.ts"],
    reason: "It needs a browser, in which the tests of the page run.",
  },
  {
    files: "web/api/request.ts",
    tests: ["test/web/page-troubles.test.ts"],
    reason: "It needs a browser, in which the tests of the page run.",
  },
  ...together(
    [
      "src/http/kubectl/answer-kubernetes.ts",
      "src/http/kubectl/cron-job-object.ts",
      "src/http/kubectl/discovery.ts",
      "src/http/kubectl/event-object.ts",
      "src/http/kubectl/job-object.ts",
      "src/http/kubectl/kube-fields.ts",
      "src/http/kubectl/kube-request.ts",
      "src/http/kubectl/kube-shape.ts",
      "src/http/kubectl/list-events-as-kube.ts",
      "src/http/kubectl/list-jobs-as-kube.ts",
      "src/http/kubectl/list-pods-as-kube.ts",
      "src/http/kubectl/pod-object.ts",
      "src/http/kubectl/serve-kubernetes.ts",
      "src/http/kubectl/table.ts",
      "src/http/kubectl/watch/answer-watch.ts",
      "src/http/kubectl/watch/run-watch.ts",
      "src/http/kubectl/watch/watch-jobs.ts",
    ],
    {
      tests: ["test/http/kubectl/kubectl-requests.test.ts", "test/end-to-end/kubectl.test.ts"],
      reason: "The requests that kubectl sends specify the API that it sees.",
    },
  ),
];

/** Files that one suite specifies together. */
function together(files: readonly string[], { tests, reason }: Omit<TestExemption, "files">): readonly TestExemption[] {
  return files.map((file) => ({ files: file, tests, reason }));
}
