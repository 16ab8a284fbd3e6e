declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The registered name of a cluster. */
export type ClusterName = Branded<"ClusterName">;
/** `metadata.uid` of a Job: never reused in a cluster, unlike its name. */
export type JobUid = Branded<"JobUid">;
/** `metadata.uid` of a Pod. */
export type PodUid = Branded<"PodUid">;

/**
 * The longest uid that is accepted. The API server writes 36 characters (RFC 9562); some virtual kubelets write more.
 */
const MAX_UID_LENGTH = 128;

/** Whether `text` can be a uid: 1 to 128 characters of printable ASCII without spaces. */
function isUid(text: unknown): text is string {
  return typeof text === "string" && text.length > 0 && text.length <= MAX_UID_LENGTH && /^[\x21-\x7e]+$/.test(text);
}

/** A Job's uid; `undefined` if `text` is not valid. */
export function decodeJobUid(text: unknown): JobUid | undefined {
  return isUid(text) ? (text as JobUid) : undefined;
}

/** A Pod's uid; `undefined` if `text` is not valid. */
export function decodePodUid(text: unknown): PodUid | undefined {
  return isUid(text) ? (text as PodUid) : undefined;
}

/**
 * A cluster's name: 1 to 63 characters of `[a-zA-Z0-9._-]`, starting with a letter or digit; `undefined` if `text` is
 * not valid. The name is part of keys, so it cannot contain `#`.
 */
export function decodeClusterName(text: unknown): ClusterName | undefined {
  return typeof text === "string" && /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}$/.test(text) ? (text as ClusterName) : undefined;
}
