import type { MessageDetails } from "../../job/model/message-details.ts";

/** What a parser may keep of a message besides numbers and fixed words. */
export interface MessageOptions {
  /** Names of missing ConfigMaps, Secrets, ServiceAccounts and volume claims (`--include-names`). */
  readonly names: boolean;
}

/** Reads the messages of some reasons; `undefined` where a message is not of the expected form. Never keeps free text. */
export type ParseMessage = (message: string, options: MessageOptions) => MessageDetails | undefined;

/** No message of Kubernetes says more in more characters; longer ones repeat what programs wrote. */
export const MAX_PARSED_LENGTH = 4_096;

/** A resource: one of Kubernetes' own, or one with a domain such as `nvidia.com/gpu`. */
export function isResourceName(text: string): boolean {
  return OWN_RESOURCES.has(text) || HUGE_PAGES.test(text) || EXTENDED_RESOURCE.test(text);
}
const OWN_RESOURCES = new Set(["cpu", "memory", "ephemeral-storage", "storage", "pods"]);
const HUGE_PAGES = /^hugepages-[0-9]{1,4}[KMG]i$/;
const EXTENDED_RESOURCE = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{1,63}\/[A-Za-z0-9._-]{1,63}$/;

/** A quantity: "500m", "2Gi", "1e3". */
export function isQuantity(text: string): boolean {
  return /^[0-9]{1,20}(?:\.[0-9]{1,9})?(?:[numkKMGTPE]i?|e[0-9]{1,2})?$/.test(text);
}

/** A DNS subdomain, which names of objects are. */
export function isObjectName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(text);
}

/** A DNS label, which names of containers are. */
export function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text);
}
