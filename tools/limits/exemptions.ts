import type { TestExemption } from "./missing-tests.ts";

/** Files without a test of the same name, and the tests that specify them instead. */
export const testExemptions: readonly TestExemption[] = [
  {
    files: "bench/",
    tests: [],
    reason: "A benchmark reports figures and fails when its own assertions about the result fail.",
  },
];
