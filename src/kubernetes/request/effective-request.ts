import { formatQuantity, parseQuantity } from "../../job/usage/quantity.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isResourceName } from "../message/message-grammar.ts";
import type { RawCondition } from "../translate/condition.ts";
import { MAX_RESOURCES } from "../translate/bounds.ts";

/** Nano-units by resource. */
type Resources = ReadonlyMap<string, bigint>;

/** What a Pod's spec and status say about its resources. */
export interface RequestingPod {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly conditions: readonly RawCondition[];
}

/**
 * What the scheduler reserves for a Pod, by resource: the larger one of what its init containers need at some moment
 * (KEP-753) and what its containers and sidecars need together, or what the Pod itself requests (KEP-2837), and its
 * overhead. While it is being resized (KEP-1287), the larger one of what is desired, allocated and in effect.
 */
export function effectiveRequest({ spec, status, conditions }: RequestingPod): Readonly<Record<string, string>> {
  const resize = { status, isInfeasible: conditions.some(isInfeasibleResize) };
  const overhead = resourcesOf(spec["overhead"]);
  const request = new Map(requestOfContainers(spec, resize));
  for (const [name, amount] of requestOfPod(spec, { ...resize, request, overhead })) request.set(name, amount);
  const reserved = [...sum(request, overhead)].filter(([, amount]) => amount > 0n);
  const texts = reserved.map(([name, amount]) => [name, formatQuantity(amount)] as const);
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_RESOURCES));
}

interface Resize {
  readonly status: JsonObject;
  /** The node can never grant what is desired, so that it reserves only what it has granted before. */
  readonly isInfeasible: boolean;
}

function isInfeasibleResize({ type, status, reason }: RawCondition): boolean {
  return type === "PodResizePending" && status === "True" && reason === "Infeasible";
}

function requestOfContainers(spec: JsonObject, resize: Resize): Resources {
  const reports = [...itemsOf(resize.status["containerStatuses"]), ...itemsOf(resize.status["initContainerStatuses"])];
  const byName = new Map(reports.map((report) => [fieldsOf(report)["name"], fieldsOf(report)]));
  const requestOf = (container: JsonObject): Resources => {
    const report = byName.get(container["name"]) ?? {};
    const inEffect = fieldsOf(report["resources"])["requests"];
    return granted(requested(container), [report["allocatedResources"], inEffect].map(resourcesOf), resize);
  };
  let sidecars: Resources = new Map();
  let starting: Resources = new Map();
  for (const container of itemsOf(spec["initContainers"]).map(fieldsOf)) {
    if (container["restartPolicy"] === "Always") sidecars = sum(sidecars, requestOf(container));
    else starting = larger(starting, sum(requestOf(container), sidecars));
  }
  const working = itemsOf(spec["containers"]).map((container) => requestOf(fieldsOf(container)));
  return larger(starting, sum(...working, sidecars));
}

/** A request that is absent equals the limit. */
function requested(container: JsonObject): Resources {
  const { requests, limits } = fieldsOf(container["resources"]);
  return new Map([...resourcesOf(limits), ...resourcesOf(requests)]);
}

interface PodLevel extends Resize {
  /** That of its containers. */
  readonly request: Resources;
  readonly overhead: Resources;
}

/** The resources that the Pod itself requests. The status has them with the overhead. */
function requestOfPod(spec: JsonObject, { request, overhead, ...resize }: PodLevel): Resources {
  const { requests, limits } = fieldsOf(spec["resources"]);
  const own = new Map([...resourcesOf(requests)].filter(([name]) => isOfPod(name)));
  for (const [name, amount] of resourcesOf(limits)) {
    // The API server's default.
    if (isOfPod(name) && !own.has(name)) own.set(name, request.get(name) ?? amount);
  }
  const { allocatedResources, resources } = resize.status;
  const reports = [allocatedResources, fieldsOf(resources)["requests"]].map(resourcesOf);
  const known = reports.map((report) => sum(report, negative(overhead, report)));
  return new Map([...granted(own, known, resize)].filter(([name]) => own.has(name)));
}

function isOfPod(resource: string): boolean {
  return resource === "cpu" || resource === "memory" || resource.startsWith("hugepages-");
}

function granted(desired: Resources, known: readonly Resources[], { isInfeasible }: Resize): Resources {
  return isInfeasible ? new Map([...desired, ...larger(...known)]) : larger(desired, ...known);
}

/** The amounts of a list of requests or limits. What is no resource, or no quantity, is left out. */
export function resourcesOf(list: unknown): Resources {
  const resources = new Map<string, bigint>();
  for (const [name, quantity] of Object.entries(fieldsOf(list))) {
    const amount = isResourceName(name) ? parseQuantity(quantityText(quantity)) : undefined;
    if (amount !== undefined) resources.set(name, amount);
  }
  return resources;
}

function quantityText(quantity: unknown): string {
  return typeof quantity === "number" ? String(quantity) : (textOf(quantity) ?? "");
}

function sum(...lists: readonly Resources[]): Resources {
  return merged(lists, (a, b) => a + b);
}

function larger(...lists: readonly Resources[]): Resources {
  return merged(lists, (a, b) => (a > b ? a : b));
}

function negative(list: Resources, names: Resources): Resources {
  return new Map([...list].filter(([name]) => names.has(name)).map(([name, amount]) => [name, -amount]));
}

function merged(lists: readonly Resources[], pick: (a: bigint, b: bigint) => bigint): Resources {
  const all = new Map<string, bigint>();
  for (const [name, amount] of lists.flatMap((list) => [...list])) {
    const known = all.get(name);
    all.set(name, known === undefined ? amount : pick(known, amount));
  }
  return all;
}
