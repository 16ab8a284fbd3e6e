import { bodyText } from "../json/body-text.ts";
import type { ClusterResponse } from "./cluster-connection.ts";
import { parseObject } from "../json/object-scanner.ts";
import { textOf } from "../json/json-field.ts";
import type { ResourceKind } from "./watched-resource.ts";

/** The request, for messages. */
export interface ResourceRequest {
  readonly server: string;
  readonly resource: ResourceKind;
  /** Absent: all namespaces. */
  readonly namespace?: string;
}

/** A response of the API server that is neither a list nor a watch. */
export class ResponseProblem extends Error {
  override readonly name = "ResponseProblem";
  readonly status: number;
  readonly retryAfterMillis: number | undefined;

  constructor(message: string, status: number, retryAfterMillis: number | undefined) {
    super(message);
    this.status = status;
    this.retryAfterMillis = retryAfterMillis;
  }
}

/** Throws ResponseProblem unless `response` has status 200 and JSON. */
export async function checkResponse(response: ClusterResponse, request: ResourceRequest): Promise<void> {
  const { status, contentType, retryAfterMillis } = response;
  if (status === 200 && isJsonType(contentType)) return;
  const body = parseObject(await bodyText(response));
  const message = textOf(body?.["message"]);
  throw new ResponseProblem(problemText(response, request, message), status, retryAfterMillis);
}

const CHECK_USER = "Check the context's user in the kubeconfig.";

function problemText(
  { status, contentType }: ClusterResponse,
  { server, resource, namespace }: ResourceRequest,
  message: string | undefined,
): string {
  const detail = message === undefined ? "" : ` Its message: ${message.slice(0, 256)}`;
  const where = whereOf(resource, namespace);
  switch (status) {
    case 401:
      return `${server} refused the credentials (401). They may have expired; the next attempt reads them again.`;
    case 403:
      return forbiddenText({ server, resource, namespace }, message);
    case 404:
      return `${server} does not serve ${resource.resource}${where} (404).${detail}`;
    case 410:
      return `${server} no longer has this state of ${resource.resource} (410).${detail}`;
    case 429:
      return `${server} is overloaded (429) and asks for a later retry.${detail}`;
  }
  if (status < 400 && !isJsonType(contentType)) {
    const sent = contentType === "" ? "no content type" : contentType;
    return `${server} sent ${sent} instead of JSON (${status}). Check for a proxy or login page in between.`;
  }
  return `${server} failed to serve ${resource.resource}${where} (${status}).${detail}`;
}

function whereOf({ isNamespaced }: ResourceKind, namespace: string | undefined): string {
  return namespace === undefined || !isNamespaced ? "" : ` in namespace ${namespace}`;
}

interface DeniedRequest extends Omit<ResourceRequest, "namespace"> {
  readonly namespace: string | undefined;
}

function forbiddenText({ server, resource, namespace }: DeniedRequest, message: string | undefined): string {
  if (message?.includes('"system:anonymous"') === true) {
    return `${server} received a request for ${resource.resource} without credentials (403). ${CHECK_USER}`;
  }
  const where = whereOf(resource, namespace);
  return `Cannot watch ${resource.resource}${where} on ${server}: access denied (403). ${ruleFor(resource, namespace)}`;
}

function isJsonType(contentType: string): boolean {
  return contentType.startsWith("application/json");
}

/** The missing rule, as a Role contains it. */
function ruleFor({ apiGroup, plural, isNamespaced }: ResourceKind, namespace: string | undefined): string {
  const role = isNamespaced && namespace !== undefined ? `a Role in ${namespace}` : "a ClusterRole";
  return `Grant {apiGroups: ["${apiGroup}"], resources: ["${plural}"], verbs: ["get", "list", "watch"]} in ${role}.`;
}
