import { type FieldSelector, parseFieldSelector } from "../query/list/field-selector.ts";
import { type LabelSelector, parseLabelSelector } from "../query/list/label-selector.ts";
import { pointAt } from "../query/list/selector-text.ts";
import { type KubeFields, parseKubeFields } from "./kube-fields.ts";
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
  const isWhole = rest === undefined || rest === STATUS;
  if (resource === undefined || !isWhole || !isPlaced(resource, place, thing)) {
    return refused("NotFound", rest === "/log" ? NO_LOGS : notServed(path));
  }
  const named = {
    ...(place !== undefined && { namespace: decode(place) }),
    ...(thing !== undefined && { name: decode(thing) }),
  };
  return { outcome: "read", path: { resource, ...named } };
}

/** One object of a kind that has namespaces is in one. */
function isPlaced({ namespaced }: KubeResource, place: string | undefined, thing: string | undefined): boolean {
  return namespaced ? thing === undefined || place !== undefined : place === undefined;
}

/** The subresource that `kubectl get --subresource=status` asks for: the object, as kube-apiserver answers too. */
const STATUS = "/status";
const NO_LOGS =
  'Outlive keeps no output of containers: ask the cluster while the Pod is there, or where its logs were shipped to. How each container ended is in "kubectl describe pod" and "kubectl outlive pods job/NAME".';

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
  /** Those that this API selects Jobs by, where Jobs are asked for. */
  readonly fields: FieldSelector;
  /** Those of other kinds. */
  readonly others: KubeFields;
  /** Fields of whichever kind that must have a value. */
  readonly pairs: ReadonlyMap<string, string>;
  /** Objects of a page. */
  readonly limit: number;
  /** No limit was asked for: clients that do not ask for one look for no token either. */
  readonly whole: boolean;
  readonly continueToken: string | undefined;
  readonly watch: boolean;
  readonly resourceVersion: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly initialEvents: boolean;
}

/** What kubectl asks for at once unless it is told otherwise, and the most of a page. */
const STANDARD_LIMIT = 500;

export type ReadOptions =
  | { readonly outcome: "read"; readonly options: KubeListOptions }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

export function readListOptions(query: URLSearchParams, plural: KubeResource["plural"]): ReadOptions {
  const labelText = query.get("labelSelector") ?? "";
  const labels = parseLabelSelector(labelText);
  if (labels.outcome === "rejected") return refused("BadRequest", `labelSelector: ${pointAt(labelText, labels)}`);
  const fieldText = query.get("fieldSelector") ?? "";
  const isJobs = plural === "jobs";
  const fields = isJobs ? parseFieldSelector(fieldText) : NO_FIELDS;
  if (fields.outcome === "rejected") return refused("BadRequest", `fieldSelector: ${pointAt(fieldText, fields)}`);
  const others = isJobs ? NO_FIELDS : parseKubeFields(plural, fieldText);
  if (others.outcome === "rejected") return refused("BadRequest", `fieldSelector: ${pointAt(fieldText, others)}`);
  const wrong = ["limit", "timeoutSeconds"].find((name) => !/^\d{0,18}$/.test(query.get(name) ?? ""));
  if (wrong !== undefined) return refused("BadRequest", `${wrong}: "${query.get(wrong)}" is not a whole number.`);
  const limit = wholeNumber(query.get("limit"));
  return {
    outcome: "read",
    options: {
      labels: labels.selector,
      fields: fields.selector,
      others: others.selector,
      pairs: pairsOf([...fields.selector, ...others.selector]),
      limit: Math.min(STANDARD_LIMIT, limit ?? STANDARD_LIMIT),
      whole: limit === undefined,
      continueToken: textIn(query, "continue"),
      watch: isTrue(query.get("watch")),
      resourceVersion: textIn(query, "resourceVersion"),
      timeoutSeconds: wholeNumber(query.get("timeoutSeconds")),
      bookmarks: isTrue(query.get("allowWatchBookmarks")),
      initialEvents: isTrue(query.get("sendInitialEvents")),
    },
  };
}

const NO_FIELDS = { outcome: "parsed", selector: [] } as const;

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

/** 0 is what is not asked for. */
function wholeNumber(text: string | null): number | undefined {
  return Number(text ?? "") || undefined;
}

function pairsOf(fields: KubeFields): ReadonlyMap<string, string> {
  return new Map(fields.filter(({ equal }) => equal).map(({ field, value }) => [field, value]));
}
