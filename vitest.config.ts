import { join } from "node:path";
import { defineConfig } from "vitest/config";
import WaitingFirst from "./test/support/running/waiting-first.ts";

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./test/support/running/closing-line.ts"],
    pool: "forks",
    // CI has two processors. A third worker uses them while the tests of deployed stacks wait for a queue.
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    // Tests that kill a program start it some hundred times: V8 compiles it once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/outlive-tests") },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts", "cli/**/*.ts", "functions/**/*.ts", "exporter/**/*.ts", "lib/**/*.ts"],
      reporter: ["text-summary", "html"],
    },
  },
});
