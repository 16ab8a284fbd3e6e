import { describe, expect, it } from "vitest";
import { confirmReachable } from "../../../src/host/exporter/confirm-reachable.ts";
import type { ClusterConnection, ClusterResponse } from "../../../src/kubernetes/connection/cluster-connection.ts";
import { ConnectionError } from "../../../src/kubernetes/connection/connection-error.ts";

const server = "https://10.0.0.1:6443";
const never = new AbortController().signal;

function connectionWith(get: ClusterConnection["get"]): ClusterConnection {
  return { server, get, send: () => Promise.reject(new TypeError("nothing is sent")) };
}

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function answering(status: number): ClusterConnection {
  const rest = { contentType: "application/json", date: undefined, retryAfterMillis: undefined };
  return connectionWith((): Promise<ClusterResponse> =>
    Promise.resolve({ status, ...rest, body: bodyOf(`{"gitVersion":"v1.36.3"}`) }),
  );
}

/** A server that never answers: the request ends when it is aborted. */
const silent = connectionWith(
  (_, { signal }) =>
    new Promise((__, reject) => {
      signal.addEventListener("abort", () => reject(new ConnectionError("aborted")));
    }),
);

describe("a cluster that a command needs from the start", () => {
  it.each([200, 403, 500, 503])("is reachable where it answers with status %i", async (status) => {
    await expect(confirmReachable(answering(status), never)).resolves.toBeUndefined();
  });

  it("fails the command where it refuses the connection, with the reason", async () => {
    const refusing = connectionWith(() => Promise.reject(new ConnectionError(`${server} refused the connection.`)));
    const failure = { exitStatus: 2, message: `${server} refused the connection.` };
    await expect(confirmReachable(refusing, never)).rejects.toMatchObject(failure);
  });

  it("fails the command where it refuses the credentials", async () => {
    const message = `${server} refused the credentials (401). Check the context's user in the kubeconfig.`;
    await expect(confirmReachable(answering(401), never)).rejects.toMatchObject({ exitStatus: 2, message });
  });

  it("fails the command where it does not answer in time", async () => {
    const message = `${server} did not respond within 0.001 s. Check the server of the context.`;
    await expect(confirmReachable(silent, never, 1)).rejects.toMatchObject({ exitStatus: 2, message });
  });

  it("ends without a failure where the command is stopped meanwhile", async () => {
    const stopper = new AbortController();
    const confirmed = confirmReachable(silent, stopper.signal);
    stopper.abort();
    await expect(confirmed).resolves.toBeUndefined();
  });

  it("passes on an error that does not come from the connection", async () => {
    const broken = connectionWith(() => Promise.reject(new TypeError("a defect")));
    await expect(confirmReachable(broken, never)).rejects.toBeInstanceOf(TypeError);
  });
});
