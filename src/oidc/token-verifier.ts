import { JwtVerifier } from "aws-jwt-verify";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import type { VerifiedToken, VerifyToken } from "../ports/token-verifier.ts";
import { discoverKeys, isTrustworthyUrl } from "./discover-keys.ts";
import { fetchDocument, IssuerUnreachableError } from "./fetch-document.ts";
import { areNoKeys, refusalReason, TokenTermsError } from "./refusal-reason.ts";

/** Whose tokens are trusted, and for whom they must have been made. */
export interface TrustedIssuer {
  /** As the token's `iss` has it, to the last slash. */
  readonly issuer: string;
  /** One of these must be in the token's `aud`. */
  readonly audience: readonly string[];
  /** Where the issuer's keys are. @default what its discovery document says */
  readonly keysUrl?: string;
}

/** The configuration is no issuer's: a person must correct it. */
export class IssuerConfigurationError extends Error {
  override readonly name = "IssuerConfigurationError";
}

/** How far the clocks of issuer and server may be apart, in seconds (RFC 7519 4.1.4: "usually no more than a few minutes"). */
const CLOCK_SKEW_SECONDS = 60;
/** After so long the keys are read again, so that one that was withdrawn is trusted no longer. */
const KEYS_FRESH_MILLIS = 10 * 60_000;
/** So long the last keys are trusted while the issuer cannot be reached. */
const KEYS_TRUSTED_MILLIS = 60 * 60_000;
/** An issuer that could not be reached is asked again after so long. */
const RETRY_MILLIS = 10_000;

/**
 * Checks tokens by the issuer's public keys: signature (RS256 to RS512, ES256 to ES512, EdDSA, and nothing else), issuer, audience, times. The keys are read at
 * the first token. `now` is for how long they are kept; a token's own times are compared with the system's clock. Throws {@link IssuerConfigurationError}.
 */
export function createTokenVerifier(trusted: TrustedIssuer, now: () => number): VerifyToken {
  refuseNonsense(trusted);
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
  if (cause instanceof IssuerUnreachableError || areNoKeys(cause)) {
    return {
      outcome: "unverifiable",
      reason: `The keys that tokens are checked with cannot be read: ${cause.message} Ask again in a moment; who runs this server can see whether it reaches its issuer.`,
    };
  }
  const reason = refusalReason(cause);
  if (reason === undefined) throw cause;
  return { outcome: "refused", reason };
}

type Verifier = Pick<JwtVerifierOfOne, "verify">;
type JwtVerifierOfOne = ReturnType<typeof openVerifier>;

/** A verifier with the issuer's keys, read anew from time to time. */
class IssuerKeys {
  readonly #trusted: TrustedIssuer;
  readonly #now: () => number;
  #held: { readonly verifier: Verifier; readonly readAt: number } | undefined;
  #reading: Promise<Verifier> | undefined;
  #askAgainAt = 0;

  constructor(trusted: TrustedIssuer, now: () => number) {
    this.#trusted = trusted;
    this.#now = now;
  }

  async verifier(): Promise<Verifier> {
    const held = this.#held;
    const age = held === undefined ? Number.POSITIVE_INFINITY : this.#now() - held.readAt;
    const mayWait = age < KEYS_FRESH_MILLIS || (age < KEYS_TRUSTED_MILLIS && this.#now() < this.#askAgainAt);
    if (held !== undefined && mayWait) return held.verifier;
    try {
      return await (this.#reading ??= this.#read());
    } catch (cause) {
      const isUnreadable = cause instanceof IssuerUnreachableError || areNoKeys(cause);
      if (held !== undefined && age < KEYS_TRUSTED_MILLIS && isUnreadable) return held.verifier;
      throw cause;
    } finally {
      this.#reading = undefined;
    }
  }

  async #read(): Promise<Verifier> {
    this.#askAgainAt = this.#now() + RETRY_MILLIS;
    const { issuer, keysUrl } = this.#trusted;
    const verifier = openVerifier(this.#trusted, keysUrl ?? (await discoverKeys(issuer)));
    await verifier.hydrate();
    this.#held = { verifier, readAt: this.#now() };
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
        // The library takes a token without an end for one that never ends.
        if (payload.exp === undefined) throw new TokenTermsError("The token never expires: get one that does (`exp`).");
        // RFC 7515 4.1.11: who does not understand an extension that the token calls critical must refuse it; this server understands none.
        if ("crit" in header) throw new TokenTermsError("The token asks for extensions unknown here (`crit`).");
      },
    },
    { jwksCache },
  );
}

function refuseNonsense({ issuer, audience, keysUrl }: TrustedIssuer): void {
  for (const url of [issuer, ...(keysUrl === undefined ? [] : [keysUrl])]) {
    if (!isTrustworthyUrl(url)) {
      throw new IssuerConfigurationError(
        `${JSON.stringify(url)} is no address to trust an issuer by: write a URL that begins with https://.`,
      );
    }
  }
  if (audience.length === 0 || audience.includes("")) {
    throw new IssuerConfigurationError(
      "Without an audience, tokens made for any other service of the issuer would be taken: name the audience that its tokens for this server have.",
    );
  }
}
