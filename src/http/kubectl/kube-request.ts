import { type FieldSelector, parseFieldSelector } from "../../query/list/field-selector.ts";
import { type LabelSelector, parseLabelSelector } from "../../query/list/label-selector.ts";
import { pointAt } from "../../query/list/selector-text.ts";
import { type KubeFields, parseKubeFields } from "./kube-fields.ts";
import { type KubeStatus, kubeStatus } from "./kube-status.ts";
import { findResource, groupVersion, isRuns, type KubeResource, RESOURCES } from "./resources.ts";

/** The requested resource. */
export interface KubePath {
  readonly resource: KubeResource;
  readonly namespace?: string;
  /** One object; absent for a list. */
  readonly name?: string;
}

export type ReadPath =
  | { readonly outcome: "read"; readonly path: KubePath }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

const GROUP = String.raw`/(?:api/v1|apis/(?<group>[^/]+)/(?<version>[^/]+))`;
const NAMESPACE = String.raw`(?:/namespaces/(?<namespace>[^/]+))?`;
const OBJECT = String.raw`(?:/(?<plural>[^/]+)(?:/(?<name>[^/]+))?(?<rest>/.*)?)?`;
const PATH = new RegExp(`^${GROUP}${NAMESPACE}${OBJECT}$`);

/** Reads `/apis/batch/v1/namespaces/NS/jobs/NAME` and its shorter forms. */
export function readPath(path: string): ReadPath {
  const parts = partsOf(path);
  const { namespace, kind, name, rest } = parts;
  const resource = kind === undefined ? undefined : servedAt(path, kind);
  const isWhole = rest === undefined || rest === STATUS;
  if (resource === undefined || !isWhole || !isComplete(resource, parts)) {
    return refused("NotFound", rest === "/log" ? NO_LOGS : notServed(path));
  }
  const named = {
    ...(namespace !== undefined && { namespace: decode(namespace) }),
    ...(name !== undefined && { name: decode(name) }),
  };
  return { outcome: "read", path: { resource, ...named } };
}

function servedAt(path: string, plural: string): KubeResource | undefined {
  const [group, version] = groupOf(path);
  const found = findResource(group, plural);
  return found?.version === version ? found : undefined;
}

/** A single object of a namespaced kind needs a namespace. */
function isComplete({ namespaced }: KubeResource, { namespace, name }: PathParts): boolean {
  return namespaced ? name === undefined || namespace !== undefined : namespace === undefined;
}

/** The subresource of `kubectl get --subresource=status`. Like kube-apiserver, this API returns the whole object. */
const STATUS = "/status";
const NO_LOGS =
  "Outlive does not store container logs. Read them from the cluster while the Pod exists, or from " +
  'your log system. For exit codes, see "kubectl describe pod" or "kubectl outlive pods job/NAME".';

interface PathParts {
  readonly namespace?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly rest?: string | undefined;
}

/** In /api/v1/namespaces/NAME, the namespace is the object itself. */
function partsOf(path: string): PathParts {
  const { namespace, plural, name, rest } = PATH.exec(path)?.groups ?? {};
  if (plural !== undefined) return { namespace, kind: plural, name, rest };
  return namespace === undefined ? {} : { kind: "namespaces", name: namespace };
}

function groupOf(path: string): readonly [group: string, version: string] {
  const { group, version } = PATH.exec(path)?.groups ?? {};
  return [group ?? "", version ?? "v1"];
}

function notServed(path: string): string {
  return (
    `${path} not found: Outlive serves jobs and cronjobs ` +
    `(${groupVersion({ group: "batch" })}), the pods, events and namespaces of Jobs (v1), and ${RUNS}.`
  );
}

const RUNS = RESOURCES.filter(({ plural }) => isRuns(plural))
  .map((resource) => `${resource.plural} (${groupVersion(resource)})`)
  .join(", ");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (cause instanceof URIError) return text;
    throw cause;
  }
}

/** Options of a list or a watch (`metav1.ListOptions`). */
export interface KubeListOptions {
  readonly labels: LabelSelector;
  /** The field selector, if Jobs are requested. */
  readonly fields: FieldSelector;
  /** The field selector of any other kind. */
  readonly others: KubeFields;
  /** The fields that the selector compares with `=`. */
  readonly pairs: ReadonlyMap<string, string>;
  /** The size of a page. */
  readonly limit: number;
  /** The client set no limit. It then ignores continue tokens too. */
  readonly whole: boolean;
  readonly continueToken: string | undefined;
  readonly watch: boolean;
  readonly resourceVersion: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly initialEvents: boolean;
}

/** The default page size of kubectl, and the largest page. */
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
  if (wrong !== undefined) {
    return refused("BadRequest", `${wrong}: "${query.get(wrong)}" is not a non-negative integer.`);
  }
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

/** Clients send unset options as an empty string or as 0. */
function textIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : text;
}

/** 0 means unset. */
function wholeNumber(text: string | null): number | undefined {
  return Number(text ?? "") || undefined;
}

function pairsOf(fields: KubeFields): ReadonlyMap<string, string> {
  return new Map(fields.filter(({ equal }) => equal).map(({ field, value }) => [field, value]));
}
