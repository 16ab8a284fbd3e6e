import type { TestExemption } from "./missing-tests.ts";

/** Files without a test of the same name, and the tests that specify them instead. */
export const testExemptions: readonly TestExemption[] = [
  {
    files: "bench/",
    tests: [],
    reason: "A benchmark reports figures, and fails if its own assertions about the result fail.",
  },
  {
    files: "cli/commands/",
    tests: [],
    reason: "A command parses options and prints: its tests run the program (test/cli, test/end-to-end).",
  },
  {
    files: "src/segment/",
    tests: ["test/segment/segment.test.ts", "test/segment/schema-1.test.ts"],
    reason: "The parts of the codec are specified together, by the law that decode inverts encode.",
  },
  {
    files: "src/dynamodb/",
    tests: ["test/dynamodb/dynamo-local.test.ts", "test/dynamodb/faults.test.ts"],
    reason: "The contract suites of the ports run against DynamoDB Local.",
  },
];
