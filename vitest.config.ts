import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import WaitingFirst from "./test/support/running/waiting-first.ts";

/**
 * Tests that change the environment or globals, for programs that they start or for modules that they load again; and
 * those whose scene begins with each test file.
 */
const ISOLATED = ["test/{emulators,end-to-end,web,kubernetes/connection,kubernetes/watch}/**/*.test.ts"];

/** Tests that deploy stages to an emulator of AWS, or kill processes again and again (npm run test:drills). */
const DRILLS = ["test/end-to-end/{aws,drills}/**/*.test.ts"];

export default defineConfig({
  test: {
    environment: "node",
    projects: [
      // The other tests share the modules that their worker has loaded: half of their time was loading.
      {
        extends: true,
        test: {
          name: "rules",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...ISOLATED],
          isolate: false,
        },
      },
      { extends: true, test: { name: "programs", include: ISOLATED, exclude: [...configDefaults.exclude, ...DRILLS] } },
      // Each waits for what it expects: a time limit only ends a test that fails.
      { extends: true, test: { name: "drills", include: DRILLS, testTimeout: 1_800_000, hookTimeout: 900_000 } },
    ],
    reporters: ["default", "./test/support/running/closing-line.ts"],
    pool: "forks",
    // CI has two processors. A third worker uses them while tests wait for programs.
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    // Tests that kill a program start it some hundred times: V8 compiles it once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/outlive-tests") },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A page, a server or a program may need seconds on a busy machine. A poll ends as soon as it sees what it expects.
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      provider: "v8",
      // The pure rules, of which every branch has an observable result (npm run test:coverage).
      include: ["src/{job,segment,explain,parents}/**/*.ts"],
      reporter: ["text-summary", "html"],
      // A point below what is covered, because properties take other examples in each run.
      thresholds: { lines: 97, statements: 97, functions: 96, branches: 94 },
    },
  },
});
