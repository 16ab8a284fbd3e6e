import { type EmulatorName, installEmulator } from "../../emulators/emulator.ts";
import { inCi, skipWithout } from "../../support/running/skip-without.ts";

export type Wanted = { readonly outcome: "run"; readonly name: EmulatorName } | { readonly outcome: "skip" };

/**
 * The emulator of this run: MiniStack, or the one named in OUTLIVE_EMULATOR. The first call installs it, in about ten
 * seconds (LocalStack: a minute). If it cannot run here, its tests are skipped; in CI they fail.
 */
export function emulatorWanted(environment: Readonly<Record<string, string | undefined>> = process.env): Wanted {
  const name: EmulatorName = environment["OUTLIVE_EMULATOR"] === "localstack" ? "localstack" : "ministack";
  if (environment["AWS_ENDPOINT_URL"] !== undefined) return { outcome: "run", name };
  const { failure } = installEmulator(name);
  if (failure === undefined) return { outcome: "run", name };
  const dependency = `${name} (test/emulators/README.md)`;
  skipWithout(false, { dependency, untested: "the deployed stack", reason: failure, mustRun: inCi });
  return { outcome: "skip" };
}
