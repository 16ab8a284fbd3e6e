/** The warnings of an answer (RFC 7234, 5.5): each has the code 299, an agent, and a quoted text. */
export function warningsOf(headers: Headers): readonly string[] {
  return [...(headers.get("warning") ?? "").matchAll(/299 \S+ "([^"]*)"/g)].map(([, text = ""]) => text);
}
