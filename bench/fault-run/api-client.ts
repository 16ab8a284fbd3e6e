import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

/** The kubeconfig format of the test cluster's tools: JSON with a token. */
interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Requests to the API server under test. A failed request is a response with status 0, because the server is killed
 * repeatedly.
 */
export type ApiClient = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

const TIMEOUT_MILLIS = 4000;

export function apiClient(kubeconfig: string): ApiClient {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  const { server = "", "certificate-authority-data": ca = "" } = clusters[0]?.cluster ?? {};
  const agent = new Agent({ keepAlive: true, maxSockets: 12, ca: Buffer.from(ca, "base64") });
  const authorization = `Bearer ${users[0]?.user.token}`;
  return (method, path, body) =>
    new Promise((resolve) => {
      const failed = () => resolve({ status: 0, body: undefined });
      const sent = request(
        new URL(path, server),
        { method, agent, headers: { authorization, "content-type": contentTypeOf(method) }, timeout: TIMEOUT_MILLIS },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", failed);
          response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) }));
        },
      );
      sent.on("timeout", () => sent.destroy());
      sent.on("error", failed);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** The patches of this benchmark are merge patches (RFC 7396). */
function contentTypeOf(method: string): string {
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
