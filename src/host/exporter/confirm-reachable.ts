import { CommandFailure } from "../command-line/command-failure.ts";
import { bodyText } from "../../kubernetes/json/body-text.ts";
import type { ClusterConnection, ClusterResponse } from "../../kubernetes/connection/cluster-connection.ts";
import { ConnectionError } from "../../kubernetes/connection/connection-error.ts";

/**
 * The time limit of the first request. A reachable server answers within seconds. If the watch is interrupted later, it
 * is retried without a limit.
 */
const PATIENCE_MILLIS = 10_000;

/**
 * Makes one request, so that a command whose watch would retry forever fails at once. Throws CommandFailure if the
 * server cannot be reached or rejects the credentials. Does nothing after `signal` is aborted.
 */
export async function confirmReachable(
  connection: ClusterConnection,
  signal: AbortSignal,
  patienceMillis = PATIENCE_MILLIS,
): Promise<void> {
  const patience = AbortSignal.timeout(patienceMillis);
  try {
    const response = await connection.get("/version", { signal: AbortSignal.any([signal, patience]) });
    await bodyText(response);
    failIfRefused(response, connection.server);
  } catch (cause) {
    if (signal.aborted) return;
    if (!(cause instanceof ConnectionError)) throw cause;
    const problem = patience.aborted
      ? `${connection.server} did not respond within ${patienceMillis / 1000} s. Check the server of the context.`
      : cause.message;
    throw new CommandFailure(2, problem, { cause });
  }
}

function failIfRefused({ status }: ClusterResponse, server: string): void {
  if (status !== 401) return;
  throw new CommandFailure(2, `${server} refused the credentials (401). Check the context's user in the kubeconfig.`);
}
