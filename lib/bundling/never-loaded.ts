/**
 * Modules that the SDK imports on demand and most functions never need: Lambda provides credentials in the environment,
 * and no request uses an event stream. They would be a quarter of each bundle (measured by bench/lambda-bundles.ts).
 */
const NEVER_LOADED = [
  "@aws-sdk/credential-provider-http",
  "@aws-sdk/credential-provider-ini",
  "@aws-sdk/credential-provider-process",
  "@aws-sdk/credential-provider-sso",
  "@aws-sdk/credential-provider-web-identity",
  "@smithy/credential-provider-imds",
  "@smithy/core/event-streams",
];

/** The client of S3 imports event streams, for SelectObjectContent. */
const LOADED_BY_S3 = "@smithy/core/event-streams";
/** Functions that read or write the archive. */
const WITH_ARCHIVE: ReadonlySet<string> = new Set(["archive", "audit", "query", "refold", "replay"]);

/** The modules that a function's bundle leaves out. */
export function neverLoadedBy(name: string): readonly string[] {
  return WITH_ARCHIVE.has(name) ? NEVER_LOADED.filter((each) => each !== LOADED_BY_S3) : NEVER_LOADED;
}
