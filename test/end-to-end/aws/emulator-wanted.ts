import { spawnSync } from "node:child_process";
import type { EmulatorName } from "../../emulators/emulator.ts";

export type Wanted = { readonly outcome: "run"; readonly name: EmulatorName } | { readonly outcome: "skip" };

/** Which emulator the suite is for: MiniStack, or what OUTLIVE_EMULATOR says. Skipped aloud where nothing here can run it; in CI that is a failure. */
export function emulatorWanted(environment: Readonly<Record<string, string | undefined>> = process.env): Wanted {
  const name: EmulatorName = environment["OUTLIVE_EMULATOR"] === "localstack" ? "localstack" : "ministack";
  if (environment["AWS_ENDPOINT_URL"] !== undefined || hasPython()) return { outcome: "run", name };
  const missing = `${name} needs Python 3.11 (MiniStack) or 3.13 (LocalStack), or an emulator at AWS_ENDPOINT_URL (test/emulators/README.md)`;
  if (environment["CI"] === "true") throw new Error(`${missing}.`);
  // oxlint-disable-next-line no-console -- what is left out is said aloud
  console.warn(`SKIPPED: the deployed stack is not tested: ${missing}.`);
  return { outcome: "skip" };
}

function hasPython(): boolean {
  return spawnSync("python3", ["--version"]).status === 0;
}
