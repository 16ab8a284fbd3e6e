import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type RequestOptions as HttpOptions,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { ClusterConnection, ClusterResponse, RequestOptions, SendOptions } from "./cluster-connection.ts";
import { ConnectionError, KubeconfigError } from "./connection-error.ts";
import { KubectlConfig } from "./kubectl-config.ts";
import { errorMessage } from "../../job/text/error-message.ts";

/** Where to find the cluster. `default`: `$KUBECONFIG`, `~/.kube/config`, or the service account of the Pod. */
export type ClusterSource =
  | { readonly kind: "kubeconfig"; readonly file: string; readonly context?: string }
  | { readonly kind: "default"; readonly context?: string }
  | { readonly kind: "inCluster" };

/** NATs and load balancers drop connections that are idle for a minute. client-go uses the same interval. */
const KEEP_ALIVE_MILLIS = 30_000;

/** Throws KubeconfigError where `source` names no cluster. */
export function openKubeconfig(source: ClusterSource): ClusterConnection {
  return new KubeconfigConnection(source);
}

/**
 * client-node handles the contents of a kubeconfig: tokens, token files, exec plugins, certificates, proxies,
 * OIDC.
 * This class reads the bytes: HTTP/1.1 with one connection per request, so that an idle watch blocks no other
 * request.
 */
class KubeconfigConnection implements ClusterConnection {
  readonly #source: ClusterSource;
  #config: KubeConfig;
  /**
   * client-node caches tokens, agents and the output of exec plugins in the KubeConfig. After a refusal, a new one
   * is made.
   */
  #isStale = false;

  constructor(source: ClusterSource) {
    this.#source = source;
    this.#config = loadConfig(source);
  }

  get server(): string {
    return serverOf(this.#config);
  }

  get(path: string, options: RequestOptions): Promise<ClusterResponse> {
    return this.#request("GET", path, options);
  }

  send(method: "POST" | "PUT", path: string, options: SendOptions): Promise<ClusterResponse> {
    return this.#request(method, path, options);
  }

  async #request(
    method: string,
    path: string,
    { signal, accept = "application/json", json }: RequestOptions & Partial<SendOptions>,
  ): Promise<ClusterResponse> {
    const authorization: OutgoingHttpHeaders = {};
    const options = await this.#authorize(authorization);
    const url = new URL(this.server.replace(/\/+$/, "") + path);
    const send = url.protocol === "http:" ? requestHttp : requestHttps;
    const headers = {
      ...authorization,
      // Without the parameter `drop=metadata.managedFields` (KEP-5958): their times date the facts.
      accept,
      "accept-encoding": "identity",
      "user-agent": "outlive",
      ...(json !== undefined && { "content-type": "application/json" }),
    };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url, { ...options, method, headers, signal }, resolve);
      request.on("socket", (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MILLIS));
      request.on("error", (cause) => reject(this.#errorOf(cause)));
      request.end(json);
    });
    if (message.statusCode === 401) this.#isStale = true;
    return responseOf(message, (cause) => this.#errorOf(cause));
  }

  #errorOf(cause: unknown): ConnectionError {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (CERTIFICATE.test(code)) this.#isStale = true;
    return new ConnectionError(connectionProblem(this.server, code, textOfError(cause)), { cause });
  }

  /** The options of the connection. Adds the request headers to `headers`. */
  async #authorize(headers: OutgoingHttpHeaders): Promise<HttpOptions> {
    const options: HttpOptions = { headers };
    try {
      if (this.#isStale) this.#config = loadConfig(this.#source);
      await this.#config.applyToHTTPSOptions(options);
      // A token file ends with a line feed, which is invalid in a header.
      const { Authorization: authorization } = headers;
      if (typeof authorization === "string") headers["Authorization"] = authorization.trim();
    } catch (cause) {
      this.#isStale = true;
      throw new ConnectionError(`Cannot load the credentials for ${this.server}: ${textOfError(cause)}`, { cause });
    }
    this.#isStale = false;
    return options;
  }
}

function loadConfig(source: ClusterSource): KubeConfig {
  const config = new KubectlConfig();
  const name = nameOf(source);
  try {
    load(config, source);
  } catch (cause) {
    throw new KubeconfigError(`Cannot read ${name} as a kubeconfig: ${textOfError(cause)}`, { cause });
  }
  if ("context" in source) config.setCurrentContext(source.context);
  const currentContext = config.getCurrentContext();
  if (config.getContextObject(currentContext) === null) {
    throw new KubeconfigError(`${name} has no context ${currentContext}. ${contextsOf(config)}`);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null || !URL.canParse(cluster.server)) throw new KubeconfigError(noServer(source, currentContext));
  if (source.kind === "default" && cluster.server === DEFAULT_SERVER) {
    throw new KubeconfigError("No kubeconfig found. Pass one with --kubeconfig, or set KUBECONFIG.");
  }
  return config;
}

function noServer(source: ClusterSource, context: string): string {
  if (source.kind !== "inCluster") {
    return `${nameOf(source)} has no server for context ${context}. Set cluster.server to a URL.`;
  }
  return (
    "This process does not run in a Pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set. " +
    "Name a kubeconfig with --kubeconfig."
  );
}

/** The server that client-node uses when it finds no kubeconfig. */
const DEFAULT_SERVER = "http://localhost:8080";

function load(config: KubeConfig, source: ClusterSource): void {
  switch (source.kind) {
    case "kubeconfig":
      config.loadFromFile(source.file);
      return;
    case "default":
      config.loadFromDefault();
      return;
    case "inCluster":
      config.loadFromCluster();
  }
}

function nameOf(source: ClusterSource): string {
  switch (source.kind) {
    case "kubeconfig":
      return source.file;
    case "default":
      return "The kubeconfig";
    case "inCluster":
      return "The Pod's service account";
  }
}

function contextsOf(config: KubeConfig): string {
  const names = config.getContexts().map(({ name }) => name);
  return names.length === 0 ? "It has no contexts." : `Available contexts: ${names.join(", ")}.`;
}

function serverOf(config: KubeConfig): string {
  return config.getCurrentCluster()?.server ?? "the cluster";
}

function responseOf(message: IncomingMessage, errorOf: (cause: unknown) => ConnectionError): ClusterResponse {
  const date = Date.parse(message.headers.date ?? "");
  const retryAfter = Number(message.headers["retry-after"]);
  return {
    status: message.statusCode ?? 0,
    contentType: message.headers["content-type"] ?? "",
    date: Number.isNaN(date) ? undefined : date,
    retryAfterMillis: Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter * 1000 : undefined,
    body: bytesOf(message, errorOf),
  };
}

async function* bytesOf(
  message: IncomingMessage,
  errorOf: (cause: unknown) => ConnectionError,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message) if (chunk instanceof Uint8Array) yield chunk;
  } catch (cause) {
    throw errorOf(cause);
  }
}

/** The codes that OpenSSL reports for untrusted or invalid certificates. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL/;

function connectionProblem(server: string, code: string, text: string): string {
  if (CERTIFICATE.test(code)) {
    return `A certificate for ${server} was refused (${code}). Check the certificates in the kubeconfig.`;
  }
  switch (code) {
    case "ECONNREFUSED":
      return `${server} refused the connection (ECONNREFUSED). Check the address, and that the API server is running.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `Cannot resolve the host name of ${server} (${code}). Check the address.`;
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `Cannot reach ${server} (${code}). Check the network.`;
  }
  return `The connection to ${server} failed: ${text}`;
}

function textOfError(cause: unknown): string {
  const text = errorMessage(cause);
  return text.endsWith(".") ? text : `${text}.`;
}
