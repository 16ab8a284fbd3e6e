import { createHmac, randomBytes } from "node:crypto";

/** What a hash names: the same text hashed as two kinds of thing gives two hashes. */
export type NamedThing = "namespace" | "job" | "uid" | "pod";

/** With 96 bits per hash, an erasure of 1,000,000 names has two equal hashes once in 10^17 erasures. */
const HASH_BYTES = 12;
/** The characters of a hash: base64url of its bytes. */
const HASH_CHARACTERS = 16;

export function newSalt(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * A name as a salted hash (HMAC-SHA-256). A hash recognizes a name without containing it. It does not protect against
 * guessing: a program that has the salt can try names.
 */
export function saltedHash(salt: string, thing: NamedThing, ...names: readonly string[]): string {
  const hmac = createHmac("sha256", Buffer.from(salt, "base64url"));
  return hmac
    .update([thing, ...names].join("\0"))
    .digest()
    .subarray(0, HASH_BYTES)
    .toString("base64url");
}

/** Hashes one after the other, and back. */
export function splitHashes(text: string): readonly string[] {
  return text.match(new RegExp(`.{${HASH_CHARACTERS}}`, "g")) ?? [];
}
