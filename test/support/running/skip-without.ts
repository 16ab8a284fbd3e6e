/** A dependency that may be missing, and what is not tested without it. */
export interface Requirement {
  /** The name of the program or of the data to install: "helm", "Java 17". */
  readonly dependency: string;
  /** What is not tested without it. */
  readonly untested: string;
  /** The reason why it cannot be used, unless it is missing. */
  readonly reason?: string;
  /** Whether the run fails instead of skipping, for example in CI. */
  readonly mustRun?: boolean;
}

/** In CI, all tests must run that need only the packages and the documented programs. */
// oxlint-disable-next-line node/no-process-env -- CI systems announce themselves in the environment
export const inCi = process.env["CI"] === "true";

/** The beginning of a line that the summary of the run collects (skip-summary.ts). */
export const SKIP_MARK = "SKIPPED ";

/**
 * Whether tests are skipped, for `describe.skipIf`. A skip is reported in the summary of the run.
 *
 * @throws if the dependency is missing although `mustRun` is set
 */
export function skipWithout(isPresent: boolean, { mustRun = false, ...requirement }: Requirement): boolean {
  if (isPresent) return false;
  const { dependency, untested, reason = "not installed" } = requirement;
  if (mustRun) throw new Error(`${dependency}: ${reason}. Without it, these tests cannot run: ${untested}.`);
  // oxlint-disable-next-line no-console -- the reporter reads the console of the processes that run tests
  console.warn(`${SKIP_MARK}${JSON.stringify({ dependency, untested, reason })}`);
  return true;
}

/** Whether tests of file modes are skipped: modes do not restrict root. */
export function skipForRoot(): boolean {
  return skipWithout(process.getuid?.() !== 0, {
    dependency: "a user other than root",
    untested: "errors of files without read or write permission",
    reason: "the tests run as root",
  });
}
