import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const KINDS: Readonly<Record<string, string>> = {
  jobs: "Job",
  pods: "Pod",
  cronjobs: "CronJob",
  nodes: "Node",
  namespaces: "Namespace",
  events: "Event",
};

/**
 * An API server whose lists are empty. It passes each watch on, after its first bookmark. Resolves with its port on
 * 127.0.0.1.
 */
export async function startEmptyApiServer(onWatch: (kind: string, response: ServerResponse) => void): Promise<number> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const resource = pathname.slice(pathname.lastIndexOf("/") + 1);
    const answer = (body: unknown) => response.end(JSON.stringify(body));
    response.setHeader("content-type", "application/json");
    if (resource === "version") return answer({ gitVersion: "v1.36.0" });
    if (resource === "kube-system") return answer({ kind: "Namespace", metadata: { uid: "k", name: resource } });
    if (searchParams.has("sendInitialEvents")) {
      response.statusCode = 422;
      return answer({ kind: "Status", message: "not supported" });
    }
    const kind = KINDS[resource] ?? "Unknown";
    const metadata = { resourceVersion: "1" };
    if (!searchParams.has("watch")) return answer({ kind: `${kind}List`, metadata, items: [] });
    response.write(`${JSON.stringify({ type: "BOOKMARK", object: { kind, metadata } })}\n`);
    return onWatch(kind, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
