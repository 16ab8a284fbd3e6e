import { openCredentials } from "../options/credentials-options.ts";
import { remoteClient } from "../../src/host/client/remote-client.ts";
import { type Check, collect } from "./check.ts";
import { checkApi } from "./check-api.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { printChecks } from "./print-checks.ts";

/** Runs and prints the checks of what the options name. Fails if a check failed. */
export async function diagnose(options: DoctorOptions): Promise<void> {
  await printChecks(options, await checksOf(options));
}

async function checksOf(options: DoctorOptions): Promise<readonly Check[]> {
  const { stage, server, endpointUrl, timeout, database } = options;
  if (stage !== undefined) {
    const { checkDeployment } = await import("./check-deployment.ts");
    const checks = checkDeployment({
      stage,
      timeoutMillis: timeout * 1_000,
      ...(server !== undefined && { server }),
      openCredentials: (address) => openCredentials(address, options),
      ...(endpointUrl !== undefined && { endpointUrl }),
    });
    return collect(checks);
  }
  if (server !== undefined) {
    const api = remoteClient(server, await openCredentials(server, options));
    return collect(checkApi(api, Date.now));
  }
  const { checkDatabase } = await import("./check-database.ts");
  return checkDatabase(database);
}
