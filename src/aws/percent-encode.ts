/** As signatures have it (Signature Version 4, "UriEncode"; RFC 3986, 2.3): all but letters, digits and `-._~`, of which `encodeURIComponent` leaves five more. */
export function percentEncode(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
