/**
 * Percent-encodes all but letters, digits and `-._~`, as Signature Version 4 requires ("UriEncode"; RFC 3986, 2.3).
 * `encodeURIComponent` leaves five more characters.
 */
export function percentEncode(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
