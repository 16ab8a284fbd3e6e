import { AUDITED_KINDS, DELETING_VERBS, EVICTION } from "../../src/ports/deployment/audited-requests.ts";

/**
 * What the subscription delivers: deletions and evictions that the function translates, in the pattern language of
 * CloudWatch Logs ("Filter pattern syntax", at most 1,024 characters). Log events that are not JSON do not match.
 * Almost all audit events are of other requests: each would be part of an invocation.
 */
export const DELETIONS_PATTERN = [
  `{ ($.kind = "Event")`,
  `($.stage = "ResponseComplete")`,
  `(${anyOf("$.objectRef.resource", [...AUDITED_KINDS.keys()].map(pluralOf))})`,
  `(${anyOf("$.verb", DELETING_VERBS)} || ($.objectRef.subresource = "${EVICTION}")) }`,
].join(" && ");

/** The pattern has no place for the group: the function ignores the same plural of another one. */
function pluralOf(resource: string): string {
  return resource.split(".", 1).join("");
}

function anyOf(field: string, values: readonly string[]): string {
  return values.map((value) => `(${field} = "${value}")`).join(" || ");
}
