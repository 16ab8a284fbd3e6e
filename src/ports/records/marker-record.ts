/** The value of a record whose key says everything: kinds `namespace`, `logDay` and `late`. */
export const MARKER = "{}";
