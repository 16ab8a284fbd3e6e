import { bodyText } from "../json/body-text.ts";
import type { ClusterResponse } from "./cluster-connection.ts";
import { parseObject } from "../json/object-scanner.ts";
import { textOf } from "../json/json-field.ts";
import type { ResourceKind } from "./watched-resource.ts";

/** What was asked for, for sentences. */
export interface Asked {
  readonly server: string;
  readonly resource: ResourceKind;
  /** Absent: in all namespaces. */
  readonly namespace?: string;
}

/** An answer of the API server that is no list and no watch. */
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

/** Throws ResponseProblem unless `response` is JSON that answers the question. */
export async function checkResponse(response: ClusterResponse, asked: Asked): Promise<void> {
  const { status, contentType, retryAfterMillis } = response;
  const isJson = contentType.startsWith("application/json");
  if (status === 200 && isJson) return;
  const body = parseObject(await bodyText(response));
  const message = textOf(body?.["message"]);
  throw new ResponseProblem(sentenceOf(response, asked, isJson, message), status, retryAfterMillis);
}

function sentenceOf(
  { status, contentType }: ClusterResponse,
  { server, resource, namespace }: Asked,
  isJson: boolean,
  message: string | undefined,
): string {
  const said = message === undefined ? "" : ` It says: ${message.slice(0, 256)}`;
  const where = namespace === undefined || !resource.isNamespaced ? "" : ` in namespace ${namespace}`;
  switch (status) {
    case 401:
      return `${server} does not accept the credentials (401): they may have expired. They are read again for the next attempt.`;
    case 403:
      if (message?.includes('"system:anonymous"') === true) {
        return `${server} was asked for ${resource.resource} without credentials (403): look at the user of the context in the kubeconfig.`;
      }
      return `${server} forbids to list and watch ${resource.resource}${where} (403): ${ruleFor(resource, namespace)}`;
    case 404:
      return `${server} does not serve ${resource.resource}${where} (404).${said}`;
    case 410:
      return `${server} no longer has this state of ${resource.resource} (410).${said}`;
    case 429:
      return `${server} has too much to do (429) and asks to come back later.${said}`;
  }
  if (!isJson && status < 400) {
    return `${server} answers with ${contentType === "" ? "no content type" : contentType} instead of JSON (${status}): look for a proxy or a login page in between.`;
  }
  return `${server} cannot answer for ${resource.resource}${where} (${status}).${said}`;
}

/** The rule that is missing, as it stands in a Role. */
function ruleFor({ apiGroup, resource, isNamespaced }: ResourceKind, namespace: string | undefined): string {
  const role = isNamespaced && namespace !== undefined ? `a Role in ${namespace}` : "a ClusterRole";
  return `grant {apiGroups: ["${apiGroup}"], resources: ["${resource}"], verbs: ["get", "list", "watch"]} in ${role}.`;
}
