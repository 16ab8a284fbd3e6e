import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import * as v from "valibot";
import type { Access } from "../../src/http/access/access.ts";
import { type OidcAccess, STANDARD_CLAIM, STANDARD_GROUPS_CLAIM } from "../../src/http/access/oidc-access.ts";
import { bearerAccess, type TokenAccess, tokenGrant, type TokenGrant } from "../../src/http/access/token-access.ts";
import { GRANT_FORMS, readGrants } from "../../src/query/access/grant-text.ts";
import type { Rights } from "../../src/query/access/scope.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { tokenIn } from "./token-options.ts";

/** How a server authenticates readers: static tokens, an issuer, or both. Without any, it serves this machine only. */
export interface AccessOptions {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokensFile?: string;
  readonly oidcIssuer?: string;
  readonly oidcAudience?: readonly string[];
  readonly oidcKeysUrl?: string;
  readonly oidcClaim: string;
  readonly oidcGroupsClaim: string;
  readonly oidcGroupGrants?: Readonly<Record<string, readonly string[]>>;
}

export function addAccessOptions(command: Command): Command {
  return addIssuerOptions(addStaticTokenOptions(command));
}

function addStaticTokenOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--token <token>", "require this token; without a token, only this machine has access").env(
        "OUTLIVE_TOKEN",
      ),
    )
    .addOption(new Option("--token-file <file>", "require the token in this file").env("OUTLIVE_TOKEN_FILE"))
    .addOption(
      new Option(
        "--tokens-file <file>",
        'accept these tokens, each with grants: JSON such as [{"token":"...","grants":["prod-eu/batch"]}]',
      ).env("OUTLIVE_TOKENS_FILE"),
    );
}

function addIssuerOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--oidc-issuer <url>", "accept tokens of this OpenID Connect issuer").env("OUTLIVE_OIDC_ISSUER"),
    )
    .addOption(
      new Option("--oidc-audience <names>", "audiences of accepted tokens, separated by commas")
        .env("OUTLIVE_OIDC_AUDIENCE")
        .argParser((text): readonly string[] => text.split(",").map((name) => name.trim())),
    )
    .addOption(
      new Option("--oidc-keys-url <url>", "address of the issuer's keys (default: from its discovery document)").env(
        "OUTLIVE_OIDC_KEYS_URL",
      ),
    )
    .addOption(
      new Option("--oidc-claim <name>", "claim with the grants of a reader")
        .env("OUTLIVE_OIDC_CLAIM")
        .default(STANDARD_CLAIM),
    )
    .addOption(
      new Option("--oidc-groups-claim <name>", "claim with the groups of a reader")
        .env("OUTLIVE_OIDC_GROUPS_CLAIM")
        .default(STANDARD_GROUPS_CLAIM),
    )
    .addOption(
      new Option("--oidc-group-grants <json>", 'grants of each group, such as {"sre":["*"],"data":["prod-eu/data"]}')
        .env("OUTLIVE_OIDC_GROUP_GRANTS")
        .argParser(readGroupGrants),
    );
}

/** The method that the options name. Fails if they name two sources of static tokens, or an issuer incompletely. */
export async function chooseAccess(options: AccessOptions): Promise<Access> {
  const tokens = staticAccess(options);
  const { oidcIssuer } = options;
  if (oidcIssuer === undefined) return tokens ?? { kind: "loopback" };
  return { ...(await issuerAccess(oidcIssuer, options)), ...(tokens && { tokens: tokens.tokens }) };
}

function staticAccess({ token, tokenFile, tokensFile }: AccessOptions): TokenAccess | undefined {
  const given = [token, tokenFile, tokensFile].filter((value) => value !== undefined);
  if (given.length > 1) throw new CommandFailure(2, "Set only one of --token, --token-file and --tokens-file.");
  if (token === "") throw new CommandFailure(2, "The token is empty. Set at least one character.");
  if (token !== undefined) return bearerAccess(token);
  if (tokenFile !== undefined) return bearerAccess(tokenIn(tokenFile));
  return tokensFile === undefined ? undefined : { kind: "bearer", tokens: tokensIn(tokensFile) };
}

async function issuerAccess(issuer: string, options: AccessOptions): Promise<OidcAccess> {
  const { oidcAudience: audience, oidcKeysUrl: keysUrl, oidcClaim, oidcGroupsClaim, oidcGroupGrants } = options;
  if (audience === undefined) throw new CommandFailure(2, NO_AUDIENCE);
  const { createTokenVerifier } = await import("../../src/adapters/oidc/oidc-token-verifier.ts");
  const verify = createTokenVerifier({ issuer, audience, ...(keysUrl !== undefined && { keysUrl }) }, Date.now);
  const rules = { claim: oidcClaim, groupsClaim: oidcGroupsClaim, groupGrants: oidcGroupGrants ?? {} };
  return { kind: "oidc", verify, rules };
}

const NO_AUDIENCE =
  "--oidc-audience is not set. Without it, the server would accept tokens that the issuer made for other services. " +
  "Set it to this server's audience.";

const tokensSchema = v.pipe(
  v.array(
    v.strictObject({
      token: v.pipe(v.string(), v.regex(/^\S{16,}$/, "a token has at least 16 characters and no space")),
      grants: v.pipe(v.array(v.string()), v.minLength(1, "a token has no grants")),
      name: v.exactOptional(v.pipe(v.string(), v.regex(/^[\w.@-]{1,64}$/, "a name has 1 to 64 letters or digits"))),
    }),
  ),
  v.minLength(1, "it has no tokens"),
);

function tokensIn(file: string): readonly TokenGrant[] {
  const read = v.safeParse(tokensSchema, jsonIn(file));
  if (!read.success) {
    const [{ message }] = read.issues;
    throw new CommandFailure(2, `Invalid tokens file ${file}: ${message}. Write ${EXAMPLE}.`);
  }
  return read.output.map(({ token, grants, name }) => {
    const { scope, acknowledges } = rightsOf(file, grants);
    return tokenGrant(token, scope, { acknowledges, name });
  });
}

const EXAMPLE = '[{"token":"...","grants":["CLUSTER/NAMESPACE"]}]';

function rightsOf(file: string, grants: readonly string[]): Rights {
  const {
    refused: [first],
    ...rights
  } = readGrants(grants);
  if (first === undefined) return rights;
  throw new CommandFailure(2, `Invalid grant "${first}" in tokens file ${file}. Write ${GRANT_FORMS}.`);
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    // An error of JSON.parse quotes the text, which contains tokens here.
    const reason = cause instanceof SyntaxError ? "it is not JSON" : cause instanceof Error ? cause.message : "";
    throw new CommandFailure(2, `Cannot read tokens file ${file}: ${reason}. Write ${EXAMPLE}.`);
  }
}

const groupGrantsSchema = v.record(v.string(), v.array(v.string()));

function readGroupGrants(text: string): Readonly<Record<string, readonly string[]>> {
  const read = v.safeParse(groupGrantsSchema, parsed(text));
  const refused = read.success ? readGrants(Object.values(read.output).flat()).refused : ["?"];
  if (read.success && refused.length === 0) return read.output;
  throw new InvalidArgumentError('Write JSON such as {"sre":["*"],"data":["prod-eu/data","staging/*"]}.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
