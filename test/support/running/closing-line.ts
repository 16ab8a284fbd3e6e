import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";

/** Ends a run with `N passed, N failed[, N skipped]` alone on a line, and with failure where no test ran: nothing tested is nothing proven. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], _reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const passed = count("passed");
    const failed = count("failed") + brokenModules + unhandledErrors.length;
    const skipped = count("skipped");
    process.on("exit", () => {
      process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
    });
    if (passed + failed === 0) process.exitCode = 1;
  }
}
