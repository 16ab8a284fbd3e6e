import { type FieldSelector, parseFieldSelector } from "../../query/field-selector.ts";
import { type LabelSelector, parseLabelSelector } from "../../query/label-selector.ts";
import { pointAt } from "../../query/selector-text.ts";
import { type KubeStatus, kubeStatus } from "./kube-status.ts";
import { findResource, groupVersion, type KubeResource } from "./resources.ts";

/** What of the API is asked for. */
export interface KubePath {
  readonly resource: KubeResource;
  readonly namespace?: string;
  /** One object; absent for a list. */
  readonly name?: string;
}

export type ReadPath =
  | { readonly outcome: "read"; readonly path: KubePath }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

const PATH =
  /^\/(?:api\/v1|apis\/(?<group>[^/]+)\/(?<version>[^/]+))(?:\/namespaces\/(?<namespace>[^/]+))?(?:\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?<rest>\/.*)?)?$/;

/** Reads `/apis/batch/v1/namespaces/NS/jobs/NAME` and its shorter forms. */
export function readPath(path: string): ReadPath {
  const { place, kind, thing, rest } = partsOf(path);
  const [group, version] = groupOf(path);
  const resource = version === "v1" && kind !== undefined ? findResource(group, kind) : undefined;
  const isServed = resource !== undefined && rest === undefined && (resource.namespaced || place === undefined);
  if (!isServed) return refused("NotFound", notServed(path));
  return { outcome: "read", path: { resource, ...decoded("namespace", place), ...decoded("name", thing) } };
}

interface PathParts {
  readonly place?: string | undefined;
  readonly kind?: string | undefined;
  readonly thing?: string | undefined;
  readonly rest?: string | undefined;
}

/** A namespace is both a place and a thing: /api/v1/namespaces/NAME is the thing. */
function partsOf(path: string): PathParts {
  const { namespace, plural, name, rest } = PATH.exec(path)?.groups ?? {};
  if (plural !== undefined) return { place: namespace, kind: plural, thing: name, rest };
  return namespace === undefined ? {} : { kind: "namespaces", thing: namespace };
}

function groupOf(path: string): readonly [group: string, version: string] {
  const { group, version } = PATH.exec(path)?.groups ?? {};
  return [group ?? "", version ?? "v1"];
}

function decoded<Key extends string>(key: Key, text: string | undefined): { readonly [Part in Key]?: string } {
  return text === undefined ? {} : ({ [key]: decode(text) } as { readonly [Part in Key]: string });
}

function notServed(path: string): string {
  return `Outlive has nothing at ${path}: it serves jobs and cronjobs (${groupVersion({ group: "batch" })}), and the pods, events and namespaces of Jobs (v1).`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (cause instanceof URIError) return text;
    throw cause;
  }
}

/** How a list or a watch is asked for (`metav1.ListOptions`). */
export interface KubeListOptions {
  readonly labels: LabelSelector;
  /** Those that this API selects Jobs by. */
  readonly fields: FieldSelector;
  /** All of the field selector, as pairs: other resources have other fields. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly limit: number;
  readonly continueToken: string | undefined;
  readonly watch: boolean;
  readonly resourceVersion: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly initialEvents: boolean;
}

/** What kubectl asks for at once unless it is told otherwise; who asks for no limit gets as many, and a token to go on. */
const STANDARD_LIMIT = 500;

export type ReadOptions =
  | { readonly outcome: "read"; readonly options: KubeListOptions }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

export function readListOptions(query: URLSearchParams, kind: string): ReadOptions {
  const labelText = query.get("labelSelector") ?? "";
  const labels = parseLabelSelector(labelText);
  if (labels.outcome === "rejected") return refused("BadRequest", `labelSelector: ${pointAt(labelText, labels)}`);
  const fieldText = query.get("fieldSelector") ?? "";
  const fields = kind === "Job" ? parseFieldSelector(fieldText) : ({ outcome: "parsed", selector: [] } as const);
  if (fields.outcome === "rejected") return refused("BadRequest", `fieldSelector: ${pointAt(fieldText, fields)}`);
  return {
    outcome: "read",
    options: {
      labels: labels.selector,
      fields: fields.selector,
      pairs: pairsOf(fieldText),
      limit: Math.min(STANDARD_LIMIT, wholeNumber(query.get("limit")) ?? STANDARD_LIMIT),
      continueToken: textIn(query, "continue"),
      watch: isTrue(query.get("watch")),
      resourceVersion: textIn(query, "resourceVersion"),
      timeoutSeconds: wholeNumber(query.get("timeoutSeconds")),
      bookmarks: isTrue(query.get("allowWatchBookmarks")),
      initialEvents: isTrue(query.get("sendInitialEvents")),
    },
  };
}

function refused(reason: Parameters<typeof kubeStatus>[0], message: string) {
  return { outcome: "refused", status: kubeStatus(reason, message) } as const;
}

function isTrue(text: string | null): boolean {
  return text === "true" || text === "1" || text === "";
}

/** Clients write what they do not ask for as empty, or as 0. */
function textIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : text;
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

function pairsOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(",").flatMap((term) => {
    const [field, value] = term.split(/==?/);
    return field === undefined || value === undefined || field.endsWith("!") ? [] : [[field.trim(), value] as const];
  });
  return new Map(pairs);
}
