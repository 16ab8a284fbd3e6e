/**
 * Whether a text may be the key of an object: names separated by single slashes, as in a relative path. Keys that would
 * leave their folder (`../`), or mean another place on another system, are not allowed.
 */
export function isObjectKey(text: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(text) && !/[\\:]/.test(text) && text.split("/").every(isName);
}

function isName(part: string): boolean {
  return part !== "" && part !== "." && part !== "..";
}
