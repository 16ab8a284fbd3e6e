/** The largest number of the API's integer fields. */
export const MAX_INT32 = 2_147_483_647;

/** Limits of a fact's fields, so that no Job can grow an item beyond its size limit (docs/facts.md). */
export const MAX_LABEL_BYTES = 4096;
export const MAX_MARK_BYTES = 2048;
/** Of these, what the kinds that users have added say. */
export const MAX_ADDED_MARK_BYTES = 1024;
/** Keys of a Job, or of an object above it, that are for Outlive. */
export const MAX_OWN_KEYS = 8;
const MAX_TEXT_BYTES = 256;
export const MAX_INDEX_SET_BYTES = 4096;
export const MAX_CONDITIONS = 16;
export const MAX_UNCOUNTED = 100;
export const MAX_FINALIZERS = 16;
export const MAX_TAINTS = 16;
export const MAX_REQUESTERS = 16;
export const MAX_CONTAINERS = 32;
export const MAX_DEVICES = 8;
export const MAX_RESOURCES = 32;
/** The API server's limits for policies (`batch/v1` validation): rules, exit codes and conditions of a rule. */
export const MAX_POLICY_RULES = 20;
export const MAX_EXIT_CODES = 255;
export const MAX_POLICY_CONDITIONS = 20;
/** The longest name of an object (RFC 1123 subdomain) and of a namespace (label). */
export const MAX_NAME_LENGTH = 253;
export const MAX_NAMESPACE_LENGTH = 63;

/** The longest prefix of `text` of at most `maxBytes` in UTF-8 that ends between two characters. */
export function cutText(text: string, maxBytes: number = MAX_TEXT_BYTES): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  while (end < text.length) {
    const character = text.codePointAt(end) ?? 0;
    bytes += utf8Length(character);
    if (bytes > maxBytes) return copy(text.slice(0, end));
    end += character > 0xffff ? 2 : 1;
  }
  return text;
}

/** A slice of a string keeps the whole string in memory. */
function copy(slice: string): string {
  return Buffer.from(slice).toString();
}

/** The bytes of `text` in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += utf8Length(character.codePointAt(0) ?? 0);
  return bytes;
}

function utf8Length(character: number): number {
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character < 0x10000 ? 3 : 4;
}
