import { defineConfig } from "vitest/config";
import StackFirst from "./test/support/running/stack-first.ts";

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./test/support/running/closing-line.ts"],
    pool: "forks",
    maxWorkers: 2,
    sequence: { sequencer: StackFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts", "cli/**/*.ts", "functions/**/*.ts", "exporter/**/*.ts", "lib/**/*.ts"],
      reporter: ["text-summary", "html"],
    },
  },
});
