import { JwtVerifier } from "aws-jwt-verify";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import type { VerifiedToken, VerifyToken } from "../../ports/token-verifier.ts";
import { discoverKeys, isTrustworthyUrl } from "./discover-keys.ts";
import { fetchDocument, IssuerUnreachableError } from "./fetch-document.ts";
import { isInvalidKeySet, refusalReason, TokenTermsError } from "./refusal-reason.ts";

/** The issuer whose tokens are accepted, and the audience that they must have. */
export interface TrustedIssuer {
  /** Exactly as in the token's `iss`, including a slash at the end. */
  readonly issuer: string;
  /** The token's `aud` must contain one of these. */
  readonly audience: readonly string[];
  /** The URL of the issuer's keys. @default the one in its discovery document */
  readonly keysUrl?: string;
}

/** The configuration of the issuer is invalid. */
export class IssuerConfigurationError extends Error {
  override readonly name = "IssuerConfigurationError";
}

/** Allowed clock skew between issuer and server (RFC 7519 4.1.4: "usually no more than a few minutes"). */
const CLOCK_SKEW_SECONDS = 60;
/** The keys are read again after this time, so that a revoked key is no longer trusted. */
const KEYS_FRESH_MILLIS = 10 * 60_000;
/** How long the last keys are trusted while the issuer is unreachable. */
const KEYS_TRUSTED_MILLIS = 60 * 60_000;
/** Retry interval after a failed read of the keys. */
const RETRY_MILLIS = 10_000;

/**
 * Verifies tokens with the issuer's public keys: signature (RS256 to RS512, ES256 to ES512 and EdDSA only), issuer,
 * audience and times. The keys are read with the first token. `now` decides when they are read again; the times of a
 * token are compared with the system clock. Throws {@link IssuerConfigurationError}.
 */
export function createTokenVerifier(trusted: TrustedIssuer, now: () => number): VerifyToken {
  checkConfiguration(trusted);
  const keys = new IssuerKeys(trusted, now);
  return async (token) => {
    try {
      const verifier = await keys.verifier();
      return { outcome: "verified", claims: await verifier.verify(token) };
    } catch (cause) {
      return failed(cause);
    }
  };
}

function failed(cause: unknown): VerifiedToken {
  if (areKeysUnreadable(cause)) {
    return {
      outcome: "unverifiable",
      reason:
        `The keys of the token issuer could not be read: ${cause.message} Retry ` +
        "in a moment. An operator can check that the server reaches its issuer.",
    };
  }
  const reason = refusalReason(cause);
  if (reason === undefined) throw cause;
  return { outcome: "refused", reason };
}

function areKeysUnreadable(cause: unknown): cause is Error {
  return cause instanceof IssuerUnreachableError || isInvalidKeySet(cause);
}

type Verifier = Pick<JwtVerifierOfOne, "verify">;
type JwtVerifierOfOne = ReturnType<typeof openVerifier>;

/** A verifier with the issuer's keys, which are read again from time to time. */
class IssuerKeys {
  readonly #trusted: TrustedIssuer;
  readonly #now: () => number;
  #cached: { readonly verifier: Verifier; readonly readAt: number } | undefined;
  #reading: Promise<Verifier> | undefined;
  #retryAt = 0;

  constructor(trusted: TrustedIssuer, now: () => number) {
    this.#trusted = trusted;
    this.#now = now;
  }

  async verifier(): Promise<Verifier> {
    const cached = this.#cached;
    const age = cached === undefined ? Number.POSITIVE_INFINITY : this.#now() - cached.readAt;
    if (cached !== undefined && this.#mayWait(age)) return cached.verifier;
    try {
      return await (this.#reading ??= this.#read());
    } catch (cause) {
      if (cached !== undefined && age < KEYS_TRUSTED_MILLIS && areKeysUnreadable(cause)) return cached.verifier;
      throw cause;
    } finally {
      this.#reading = undefined;
    }
  }

  /** Whether keys of this age may be used without reading them again. */
  #mayWait(age: number): boolean {
    return age < KEYS_FRESH_MILLIS || (age < KEYS_TRUSTED_MILLIS && this.#now() < this.#retryAt);
  }

  async #read(): Promise<Verifier> {
    this.#retryAt = this.#now() + RETRY_MILLIS;
    const { issuer, keysUrl } = this.#trusted;
    const verifier = openVerifier(this.#trusted, keysUrl ?? (await discoverKeys(issuer)));
    await verifier.hydrate();
    this.#cached = { verifier, readAt: this.#now() };
    return verifier;
  }
}

function openVerifier({ issuer, audience }: TrustedIssuer, jwksUri: string) {
  const jwksCache = new SimpleJwksCache({ fetcher: { fetch: fetchDocument } });
  return JwtVerifier.create(
    {
      issuer,
      audience: [...audience],
      jwksUri,
      graceSeconds: CLOCK_SKEW_SECONDS,
      customJwtCheck: ({ header, payload }) => {
        // The library accepts a token without `exp`.
        if (payload.exp === undefined) {
          throw new TokenTermsError("The token has no expiry (`exp`). Get one that expires.");
        }
        // RFC 7519 4.1.6: `iat` says when the token was issued. A time in the future means that the issuer's clock is
        // wrong.
        if (payload.iat !== undefined && payload.iat > Date.now() / 1_000 + CLOCK_SKEW_SECONDS) {
          throw new TokenTermsError(issuedInFuture(payload.iat));
        }
        // RFC 7515 4.1.11: unknown critical extensions must be refused, and this server knows none.
        if ("crit" in header) {
          throw new TokenTermsError("The token requires extensions that this server does not support (`crit`).");
        }
      },
    },
    { jwksCache },
  );
}

function issuedInFuture(issuedAt: number): string {
  const ahead = Math.ceil(issuedAt - Date.now() / 1_000);
  return (
    `The token was issued ${ahead} s in the future (\`iat\`), and at most ${CLOCK_SKEW_SECONDS} s are accepted. ` +
    "Compare the clocks of its issuer and of this server."
  );
}

function checkConfiguration({ issuer, audience, keysUrl }: TrustedIssuer): void {
  for (const url of [issuer, ...(keysUrl === undefined ? [] : [keysUrl])]) {
    if (!isTrustworthyUrl(url)) {
      throw new IssuerConfigurationError(
        `Invalid URL of the token issuer: ${JSON.stringify(url)}. Use a URL that begins with https://.`,
      );
    }
  }
  if (audience.length === 0 || audience.includes("")) {
    throw new IssuerConfigurationError(
      "The audience is not set. Set it to the audience of the tokens for " +
        "this server; otherwise tokens for other services would be accepted.",
    );
  }
}
