import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import * as v from "valibot";
import type { Access } from "../../src/http/access/access.ts";
import { STANDARD_CLAIM, STANDARD_GROUPS_CLAIM } from "../../src/http/access/oidc-access.ts";
import { bearerAccess, tokenGrant, type TokenGrant } from "../../src/http/access/token-access.ts";
import { readGrants } from "../../src/query/access/grant-text.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { tokenIn } from "./token-options.ts";

/** Who may ask a server. One of these at most; none of them: whoever is on this machine. */
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
  return command
    .addOption(
      new Option("--token <token>", "ask every reader for this token; without one, only this machine is answered").env(
        "OUTLIVE_TOKEN",
      ),
    )
    .addOption(new Option("--token-file <file>", "the same, in a file").env("OUTLIVE_TOKEN_FILE"))
    .addOption(
      new Option(
        "--tokens-file <file>",
        'several tokens, each with what it lets see: JSON such as [{"token":"...","grants":["prod-eu/batch"]}]',
      ).env("OUTLIVE_TOKENS_FILE"),
    )
    .addOption(
      new Option("--oidc-issuer <url>", "take tokens of this OpenID Connect issuer").env("OUTLIVE_OIDC_ISSUER"),
    )
    .addOption(
      new Option("--oidc-audience <names>", "that are made for one of these, separated by commas")
        .env("OUTLIVE_OIDC_AUDIENCE")
        .argParser((text): readonly string[] => text.split(",").map((name) => name.trim())),
    )
    .addOption(
      new Option("--oidc-keys-url <url>", "where the issuer's keys are, if its discovery document does not say").env(
        "OUTLIVE_OIDC_KEYS_URL",
      ),
    )
    .addOption(
      new Option("--oidc-claim <name>", "the claim that holds what a reader may see")
        .env("OUTLIVE_OIDC_CLAIM")
        .default(STANDARD_CLAIM),
    )
    .addOption(
      new Option("--oidc-groups-claim <name>", "the claim that holds a reader's groups")
        .env("OUTLIVE_OIDC_GROUPS_CLAIM")
        .default(STANDARD_GROUPS_CLAIM),
    )
    .addOption(
      new Option("--oidc-group-grants <json>", 'what each group may see, such as {"sre":["*"],"data":["prod-eu/data"]}')
        .env("OUTLIVE_OIDC_GROUP_GRANTS")
        .argParser(readGroupGrants),
    );
}

/** Who may ask. Ends the command where the options say two things, or half of one. */
export async function chooseAccess(options: AccessOptions): Promise<Access> {
  const { token, tokenFile, tokensFile, oidcIssuer } = options;
  const given = [token, tokenFile, tokensFile, oidcIssuer].filter((value) => value !== undefined);
  if (given.length > 1) throw new CommandFailure(2, TWO_WAYS);
  if (token === "") throw new CommandFailure(2, "The token is empty: give it at least one character.");
  if (token !== undefined) return bearerAccess(token);
  if (tokenFile !== undefined) return bearerAccess(tokenIn(tokenFile));
  if (tokensFile !== undefined) return { kind: "bearer", tokens: tokensIn(tokensFile) };
  return oidcIssuer === undefined ? { kind: "loopback" } : issuerAccess(oidcIssuer, options);
}

const TWO_WAYS = "Say in one way who may ask: --token, --token-file, --tokens-file or --oidc-issuer.";

async function issuerAccess(issuer: string, options: AccessOptions): Promise<Access> {
  const { oidcAudience: audience, oidcKeysUrl: keysUrl, oidcClaim, oidcGroupsClaim, oidcGroupGrants } = options;
  if (audience === undefined) throw new CommandFailure(2, NO_AUDIENCE);
  const { createTokenVerifier } = await import("../../src/oidc/token-verifier.ts");
  const verify = createTokenVerifier({ issuer, audience, ...(keysUrl !== undefined && { keysUrl }) }, Date.now);
  const rules = { claim: oidcClaim, groupsClaim: oidcGroupsClaim, groupGrants: oidcGroupGrants ?? {} };
  return { kind: "oidc", verify, rules };
}

const NO_AUDIENCE =
  "Without an audience, tokens made for any other service of the issuer would be taken: name this server's with --oidc-audience.";

const tokensSchema = v.pipe(
  v.array(
    v.strictObject({
      token: v.pipe(v.string(), v.regex(/^\S{16,}$/, "a token has at least 16 characters and no space")),
      grants: v.pipe(v.array(v.string()), v.minLength(1, "a token without grants lets see nothing")),
    }),
  ),
  v.minLength(1, "it is to hold at least one token"),
);

function tokensIn(file: string): readonly TokenGrant[] {
  const read = v.safeParse(tokensSchema, jsonIn(file));
  if (!read.success) {
    const [{ message }] = read.issues;
    throw new CommandFailure(2, `The tokens' file ${file} is not as it is to be (${message}): write ${EXAMPLE}.`);
  }
  return read.output.map(({ token, grants }) => tokenGrant(token, scopeOf(file, grants)));
}

const EXAMPLE = '[{"token":"...","grants":["CLUSTER/NAMESPACE"]}]';

function scopeOf(file: string, grants: readonly string[]) {
  const { scope, refused } = readGrants(grants);
  const [first] = refused;
  if (first === undefined) return scope;
  throw new CommandFailure(
    2,
    `The tokens' file ${file} grants "${first}", which is nothing: write CLUSTER/NAMESPACE, CLUSTER/* or *.`,
  );
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    // What JSON.parse says of a text holds some of the text, and here that is tokens.
    const reason = cause instanceof SyntaxError ? "it is no JSON" : cause instanceof Error ? cause.message : "";
    throw new CommandFailure(2, `The tokens' file ${file} cannot be read (${reason}): write ${EXAMPLE}.`);
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
