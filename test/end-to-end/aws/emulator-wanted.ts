import { type EmulatorName, installEmulator } from "../../emulators/emulator.ts";
import { inCi, skipLoudly } from "../../support/running/skip-without.ts";

export type Wanted = { readonly outcome: "run"; readonly name: EmulatorName } | { readonly outcome: "skip" };

/**
 * Which emulator the suite is for: MiniStack, or what OUTLIVE_EMULATOR says. Installs it where that was not done yet (some ten seconds; LocalStack a minute).
 * Skipped aloud where nothing here can run it; in CI that is a failure.
 */
export function emulatorWanted(environment: Readonly<Record<string, string | undefined>> = process.env): Wanted {
  const name: EmulatorName = environment["OUTLIVE_EMULATOR"] === "localstack" ? "localstack" : "ministack";
  if (environment["AWS_ENDPOINT_URL"] !== undefined) return { outcome: "run", name };
  const { failure } = installEmulator(name);
  if (failure === undefined) return { outcome: "run", name };
  skipLoudly(`the deployed stack is not tested on ${name}: ${failure} (test/emulators/README.md)`, { mustRun: inCi });
  return { outcome: "skip" };
}
