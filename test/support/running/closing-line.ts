import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";
import { type Skip, skipSummary, skipsIn } from "./skip-summary.ts";

const INSTALL = "`npm run setup:tests` installs the missing programs on Debian and macOS.";

/**
 * Ends a run with a table of what was not tested, and with `N passed, N failed[, N skipped]` as the last line. A run
 * without any test fails.
 */
export default class ClosingLine implements Reporter {
  readonly #skips: Skip[] = [];

  onUserConsoleLog({ content }: { readonly content: string }): void {
    this.#skips.push(...skipsIn(content));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], _reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const passed = count("passed");
    const failed = count("failed") + brokenModules + unhandledErrors.length;
    const skipped = count("skipped");
    process.on("exit", () => {
      const summary = skipSummary(this.#skips);
      if (summary.length > 0) process.stdout.write(`${summary.join("\n")}\n${INSTALL}\n`);
      process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
    });
    if (passed + failed === 0) process.exitCode = 1;
  }
}
