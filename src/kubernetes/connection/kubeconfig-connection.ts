import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type RequestOptions as HttpOptions,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { ClusterConnection, ClusterResponse, RequestOptions } from "./cluster-connection.ts";
import { ConnectionError, KubeconfigError } from "./connection-error.ts";
import { KubectlConfig } from "./kubectl-config.ts";
import { errorMessage } from "../../text/error-message.ts";

/** Where to learn how to reach a cluster. `default`: `$KUBECONFIG`, `~/.kube/config`, or the service account of the Pod this runs in. */
export type ClusterSource =
  | { readonly kind: "kubeconfig"; readonly file: string; readonly context?: string }
  | { readonly kind: "default"; readonly context?: string }
  | { readonly kind: "inCluster" };

/** NATs and load balancers forget a connection that is quiet for a minute or more; client-go keeps it alive every 30 s, too. */
const KEEP_ALIVE_MILLIS = 30_000;

/** Throws KubeconfigError where `source` leads to no cluster. */
export function openKubeconfig(source: ClusterSource): ClusterConnection {
  return new KubeconfigConnection(source);
}

/**
 * What a kubeconfig can hold (tokens, token files, exec plugins, client certificates, proxies, OIDC) is client-node's business; how bytes are
 * read is ours: HTTP/1.1 with a connection for each request, so that a watch that stands still holds up nothing else.
 */
class KubeconfigConnection implements ClusterConnection {
  readonly #source: ClusterSource;
  #config: KubeConfig;
  /** client-node caches tokens, agents and what exec plugins said in the KubeConfig: once they are refused, a new one is made. */
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

  send(method: "POST" | "PUT", path: string, json: string, options: RequestOptions): Promise<ClusterResponse> {
    return this.#request(method, path, options, json);
  }

  async #request(
    method: string,
    path: string,
    { signal, accept = "application/json" }: RequestOptions,
    json?: string,
  ): Promise<ClusterResponse> {
    const authorization: OutgoingHttpHeaders = {};
    const options = await this.#authorize(authorization);
    const url = new URL(this.server.replace(/\/+$/, "") + path);
    const send = url.protocol === "http:" ? requestHttp : requestHttps;
    const headers = {
      ...authorization,
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
    return new ConnectionError(sentenceOf(this.server, code, textOfError(cause)), { cause });
  }

  /** What the connection takes; what goes into headers is added to `headers`. */
  async #authorize(headers: OutgoingHttpHeaders): Promise<HttpOptions> {
    const options: HttpOptions = { headers };
    try {
      if (this.#isStale) this.#config = loadConfig(this.#source);
      await this.#config.applyToHTTPSOptions(options);
      // A file ends with a line feed, which no header may hold.
      const { Authorization: authorization } = headers;
      if (typeof authorization === "string") headers["Authorization"] = authorization.trim();
    } catch (cause) {
      this.#isStale = true;
      throw new ConnectionError(`The credentials for ${this.server} cannot be had: ${textOfError(cause)}`, { cause });
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
    throw new KubeconfigError(`${name} cannot be read as a kubeconfig: ${textOfError(cause)}`, { cause });
  }
  if ("context" in source) config.setCurrentContext(source.context);
  const currentContext = config.getCurrentContext();
  if (config.getContextObject(currentContext) === null) {
    throw new KubeconfigError(`${name} has no context ${currentContext}: ${choiceOf(config)}`);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null || !URL.canParse(cluster.server)) {
    throw new KubeconfigError(`${name} names no server for context ${currentContext}: add cluster.server, a URL.`);
  }
  if (source.kind === "default" && cluster.server === NOWHERE) {
    throw new KubeconfigError("There is no kubeconfig: name one with --kubeconfig, or set KUBECONFIG.");
  }
  return config;
}

/** Where client-node points when it has found nothing. */
const NOWHERE = "http://localhost:8080";

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

function choiceOf(config: KubeConfig): string {
  const names = config.getContexts().map(({ name }) => name);
  return names.length === 0 ? "it holds no contexts at all." : `there are ${names.join(", ")}.`;
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

/** What OpenSSL says of a certificate that is not trusted or not valid. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL/;

function sentenceOf(server: string, code: string, text: string): string {
  if (CERTIFICATE.test(code)) {
    return `The certificate of ${server}, or ours for it, is refused (${code}): look at the certificate authority in the kubeconfig.`;
  }
  switch (code) {
    case "ECONNREFUSED":
      return `Nobody answers at ${server} (ECONNREFUSED): is the address right, and the API server up?`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The name in ${server} cannot be resolved (${code}): is the address right?`;
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `${server} cannot be reached (${code}): look at the network in between.`;
  }
  return `The connection to ${server} broke: ${text}`;
}

function textOfError(cause: unknown): string {
  const text = errorMessage(cause);
  return text.endsWith(".") ? text : `${text}.`;
}
