import type { ExceededResource, MessageDetails, Refuser } from "../../job/model/message-details.ts";
import { isObjectName, isQuantity, isResourceName, type ParseMessage } from "./message-grammar.ts";

/** Why the API server refused a Pod, from the Event FailedCreate of the Job controller: "Error creating: ...". */
export const parseRefusalMessage: ParseMessage = (message) =>
  quotaRefusal(message) ??
  webhookRefusal(message) ??
  policyRefusal(message) ??
  podSecurityRefusal(message) ??
  limitRangeRefusal(message) ??
  otherRefusal(message);

const MAX_RESOURCES = 8;

/**
 * `exceeded quota: NAME, requested: cpu=2, used: cpu=1, limited: cpu=2`, or `failed quota: NAME: must specify cpu for:
 * ...`.
 */
function quotaRefusal(message: string): MessageDetails | undefined {
  const [, requested, used, limited] =
    /exceeded quota: [^,]+, requested: (.+?), used: (.+?), limited: ([^\n]+)$/s.exec(message) ?? [];
  if (requested === undefined) {
    return /(?:exceeded|failed) quota: /.test(message) ? { about: "refusal", by: "quota" } : undefined;
  }
  const [uses, limits] = [amountsOf(used), amountsOf(limited)];
  const resources = [...amountsOf(requested)].slice(0, MAX_RESOURCES).map(([resource, amount]) => {
    const [inUse, limit] = [uses.get(resource), limits.get(resource)];
    return { resource, requested: amount, ...(inUse && { used: inUse }), ...(limit && { limit }) };
  });
  return { about: "refusal", by: "quota", resources };
}

/** `limits.cpu=2,pods=1` as amounts by resource. */
function amountsOf(text = ""): ReadonlyMap<string, string> {
  const amounts = new Map<string, string>();
  for (const part of text.split(",")) {
    const [resource = "", amount = ""] = part.trim().split("=");
    if (isQuotaResource(resource) && isQuantity(amount)) amounts.set(resource, amount);
  }
  return amounts;
}

function isQuotaResource(text: string): boolean {
  return isResourceName(text.replace(/^(?:requests|limits)\./, "")) || /^count\/[a-z]+(?:\.[a-z.]+)?$/.test(text);
}

/**
 * `admission webhook "NAME" denied the request: ...`, or `failed calling webhook "NAME": ...`. The webhook's own text
 * is left out.
 */
function webhookRefusal(message: string): MessageDetails | undefined {
  const denied = /admission webhook "([^"]*)" denied the request/.exec(message)?.[1];
  if (denied !== undefined) return { about: "refusal", by: "webhook", ...webhookNamed(denied) };
  const failed = /failed (?:calling|to call) (?:admission )?webhook "([^"]*)"/.exec(message)?.[1];
  return failed === undefined
    ? undefined
    : { about: "refusal", by: "webhook", ...webhookNamed(failed), unreachable: true };
}

/** `ValidatingAdmissionPolicy 'NAME' with binding 'NAME' denied request: ...`. */
function policyRefusal(message: string): MessageDetails | undefined {
  const name = /(?:Validating|Mutating)AdmissionPolicy '([^']*)'/.exec(message)?.[1];
  return name === undefined ? undefined : { about: "refusal", by: "policy", ...named(name) };
}

/** `violates PodSecurity "restricted:latest": ...`. */
function podSecurityRefusal(message: string): MessageDetails | undefined {
  const level = /violates PodSecurity "([^":]*)/.exec(message)?.[1];
  if (level === undefined) return undefined;
  return { about: "refusal", by: "podSecurity", ...(LEVELS.has(level) && { name: level }) };
}
const LEVELS = new Set(["privileged", "baseline", "restricted"]);

/** `maximum cpu usage per Container is 1, but limit is 2`. */
function limitRangeRefusal(message: string): MessageDetails | undefined {
  const parts = [...message.matchAll(LIMIT)];
  if (parts.length === 0) return /limit to request ratio per /.test(message) ? EXCEEDED_RATIO : undefined;
  const resources = parts.slice(0, MAX_RESOURCES).flatMap(([, resource = "", limit = "", requested = ""]) => {
    if (!isResourceName(resource)) return [];
    const exceeded: ExceededResource = {
      resource,
      ...(isQuantity(requested) && { requested }),
      ...(isQuantity(limit) && { limit }),
    };
    return [exceeded];
  });
  return { about: "refusal", by: "limitRange", resources };
}

const EXCEEDED_RATIO: MessageDetails = { about: "refusal", by: "limitRange" };
const LIMIT =
  /(?:max|min)imum (\S+) usage per (?:Container|Pod) is ([^\s,]+), but (?:(?:limit|request) is ([^\s,.\]]+)|no )/g;

const OTHERS: readonly (readonly [RegExp, Refuser])[] = [
  [/error looking up service account|serviceaccount "[^"]*" not found/, "serviceAccount"],
  [/no PriorityClass with name/, "priorityClass"],
  [/RuntimeClass "[^"]*" not found/, "runtimeClass"],
  [/because it is being terminated|namespaces? "[^"]*" not found/, "namespaceTerminating"],
  [/ is invalid: /, "invalid"],
  [/ is forbidden: /, "forbidden"],
  [/Internal error|time(?:d )?out|unavailable|currently unable|connection refused|etcdserver/i, "unavailable"],
];

function otherRefusal(message: string): MessageDetails | undefined {
  const by = OTHERS.find(([pattern]) => pattern.test(message))?.[1];
  return by === undefined ? undefined : { about: "refusal", by };
}

/** The API server accepts only webhook names of at least three parts. */
function webhookNamed(name: string): { readonly name?: string } {
  return name.split(".").length >= 3 ? named(name) : {};
}

function named(name: string): { readonly name?: string } {
  return isObjectName(name) ? { name } : {};
}
