import { lookup as resolve, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { type AddressRules, isRefusedAddress } from "./refused-addresses.ts";

export interface CheckedAddresses extends AddressRules {
  /** Resolves a host name to all of its addresses. @default the resolver of the system */
  readonly lookup?: (host: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;
}

const REFUSED_KINDS = "link-local or a metadata service, or on AWS a loopback address";

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Why a host that is an IP address may not be contacted. A name is checked when it is resolved. */
export function refusedHost(host: string, rules: AddressRules): string | undefined {
  if (isIP(host) === 0 || !isRefusedAddress(host, rules)) return undefined;
  return `address ${host} is ${REFUSED_KINDS}; allow it with allowAddresses`;
}

/** A lookup that fails if any address of the name is refused. */
export function checkedLookup({ lookup = resolveAll, ...rules }: CheckedAddresses): LookupFunction {
  return (host, { all }, done) => {
    lookup(host, (error, addresses) => {
      const [first] = addresses;
      if (error !== null || first === undefined) return done(error ?? new Error("no address"), "", 0);
      const refused = addresses.find(({ address }) => isRefusedAddress(address, rules));
      if (refused !== undefined) return done(new RefusedAddressError(refused.address), "", 0);
      return all === true ? done(null, [...addresses]) : done(null, first.address, first.family);
    });
  };
}

function resolveAll(host: string, done: Parameters<NonNullable<CheckedAddresses["lookup"]>>[1]): void {
  resolve(host, { all: true }, (error, addresses) => done(error, error === null ? addresses : []));
}

class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
  constructor(address: string) {
    super(`the name resolves to ${address}, which is ${REFUSED_KINDS}; allow it with allowAddresses`);
  }
}

/** Why a connection failed, in a clause without the address of the request, which may be a secret. */
export function connectionProblem(error: Error): string {
  if (error instanceof RefusedAddressError) return error.message;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return PROBLEMS[code] ?? code;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host name does not exist",
  EAI_AGAIN: "the host name cannot be resolved now",
  EHOSTUNREACH: "the host is unreachable",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is signed by an unknown authority",
  CERT_HAS_EXPIRED: "the certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host",
};
