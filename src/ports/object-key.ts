/**
 * Whether a text may be the key of an object: names that are separated by single slashes, as a relative path. A key
 * that leaves its folder (`../`), or means another place on another system, is none.
 */
export function isObjectKey(text: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(text) && !/[\\:]/.test(text) && text.split("/").every(isName);
}

function isName(part: string): boolean {
  return part !== "" && part !== "." && part !== "..";
}
