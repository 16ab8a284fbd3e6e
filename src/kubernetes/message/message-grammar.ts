import type { MessageDetails } from "../../job/model/message-details.ts";

/** The texts that a parser may keep, besides numbers and fixed words. */
export interface MessageOptions {
  /** Names of missing ConfigMaps, Secrets, ServiceAccounts and volume claims (`--include-names`). */
  readonly names: boolean;
}

/** Parses a message; `undefined` where it has another form. Never keeps free text. */
export type ParseMessage = (message: string, options: MessageOptions) => MessageDetails | undefined;

/** Longer messages repeat the output of programs. */
export const MAX_PARSED_LENGTH = 4_096;

/** The names of images, programs and paths are quoted, and may contain any of the words that parsers look for. */
export function withoutQuoted(message: string): string {
  return message.replaceAll(/"[^"]*"/g, '""');
}

/** Whether `text` is a resource of Kubernetes itself, or one with a domain such as `nvidia.com/gpu`. */
export function isResourceName(text: string): boolean {
  return OWN_RESOURCES.has(text) || HUGE_PAGES.test(text) || EXTENDED_RESOURCE.test(text);
}
const OWN_RESOURCES = new Set(["cpu", "memory", "ephemeral-storage", "storage", "pods"]);
const HUGE_PAGES = /^hugepages-[0-9]{1,4}[KMG]i$/;
const EXTENDED_RESOURCE = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{1,63}\/[A-Za-z0-9._-]{1,63}$/;

/** Whether `text` is a quantity: `500m`, `2Gi`, `1e3`. */
export function isQuantity(text: string): boolean {
  return /^[0-9]{1,20}(?:\.[0-9]{1,9})?(?:[numkKMGTPE]i?|e[0-9]{1,2})?$/.test(text);
}

/** Whether `text` is a DNS subdomain, as names of objects are. */
export function isObjectName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(text);
}

/** Whether `text` is a DNS label, as names of containers are. */
export function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text);
}
