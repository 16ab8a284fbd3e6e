import * as v from "valibot";
import { type Problem, problem, type ProblemPlace } from "./contract/problem.ts";
import { ReaderLeftError } from "./reader-left.ts";

export type ReadBody =
  | { readonly outcome: "read"; readonly value: unknown }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** A note of 500 characters takes 3 kB at most, as JSON with an escape for each. */
const MAX_BODY_BYTES = 4_096;

/**
 * Why a request that changes something is refused; `undefined` if no page of another origin can have sent it. Readers
 * on this machine need no token, so that a page that they visit could otherwise write for them.
 */
export function foreignOrigin(headers: Headers): Problem | undefined {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const isOwn = site === null ? origin === null || isAt(origin, headers.get("host")) : OWN_SITES.has(site);
  if (isOwn) return undefined;
  return problem("foreign-origin", "Pages of other origins may not send this request. Use the page of this server.");
}

/** `Sec-Fetch-Site` of a page of this server, and of no page at all. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

function isAt(origin: string, host: string | null): boolean {
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}

/** Reads the JSON of a request. A browser sends this type to another origin only if that allows it (CORS). */
export async function readBody(request: Request, schema: v.GenericSchema): Promise<ReadBody> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refused(problem("body-not-json", NOT_JSON));
  const bytes = await boundedBytes(request);
  if (bytes === undefined) return refused(problem("body-too-large", TOO_LARGE));
  const parsed = parsedJson(bytes);
  if (parsed === undefined) return refused(problem("bad-body", "The body of the request is not JSON in UTF-8."));
  const read = v.safeParse(schema, parsed.value);
  if (read.success) return { outcome: "read", value: read.output };
  const errors = read.issues.map((issue): ProblemPlace => {
    return { in: "body", name: v.getDotPath(issue) ?? "", detail: issue.message };
  });
  const sentences = errors.map(({ name, detail }) => `Field ${JSON.stringify(name)} (body) ${detail}.`);
  return refused(problem("bad-body", sentences.join(" "), errors));
}

const NOT_JSON = "Send the body as JSON, with the header `Content-Type: application/json`.";
const TOO_LARGE = `The body of the request is longer than ${MAX_BODY_BYTES} bytes.`;

function refused(problem: Problem): ReadBody {
  return { outcome: "refused", problem };
}

/** `undefined` for a longer body, of which no more is read. Throws ReaderLeftError if the client leaves before. */
async function boundedBytes({ headers, body }: Request): Promise<Uint8Array | undefined> {
  if (Number(headers.get("content-length") ?? "0") > MAX_BODY_BYTES) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    throw new ReaderLeftError();
  }
  return Buffer.concat(chunks);
}

function parsedJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch (cause) {
    // The decoder throws a TypeError.
    if (cause instanceof SyntaxError || cause instanceof TypeError) return undefined;
    throw cause;
  }
}
