/** What a test needs that a machine may lack. */
export interface Lack {
  /** Whether it is a failure rather than a gap: so for what a machine that runs the whole suite has to have. */
  readonly mustRun?: boolean;
}

/** In CI everything runs that needs no more than what installing the packages and the documented programs gives. */
// oxlint-disable-next-line node/no-process-env -- whoever runs the tests says so here
export const inCi = process.env["CI"] === "true";

/**
 * Whether tests are left out, for `describe.skipIf`: where something is missing. What is left out is said aloud, because a silent gap is read as a proof.
 *
 * @param missing a sentence that says what is not there and what is therefore not tested; `undefined` where all is there
 * @throws where it has to run: then the sentence is the failure
 */
export function skipLoudly(missing: string | undefined, { mustRun = false }: Lack = {}): boolean {
  if (missing === undefined) return false;
  if (mustRun) throw new Error(missing);
  // oxlint-disable-next-line no-console -- what is left out is said aloud
  console.warn(`SKIPPED: ${missing}`);
  return true;
}

/** Whether what files' modes forbid cannot be tested: they forbid nothing to root. */
export function skipForRoot(): boolean {
  return skipLoudly(process.getuid?.() === 0 ? "what a file's mode forbids, which is nothing to root." : undefined);
}
