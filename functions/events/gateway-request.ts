import type { GatewayEvent } from "./gateway-event.ts";

/** An event of an API Gateway REST API as a Fetch request. */
export function requestOf(event: GatewayEvent): Request {
  const headers = headersOf(event);
  const bytes = Buffer.byteLength(event.body ?? "", event.isBase64Encoded === true ? "base64" : "utf8");
  // A GET carries no body through Fetch: its length is what the API goes by to refuse it.
  headers.delete("content-length");
  if (bytes > 0) headers.set("content-length", String(bytes));
  headers.delete("transfer-encoding");
  return new Request(urlOf(event), { method: event.httpMethod, headers });
}

/**
 * The path, and the query of the map that holds every value. The path comes percent-encoded from REST APIs and LocalStack, and decoded from MiniStack: what
 * is encoded stays so, and what could not stand in a URL is encoded. Query values come decoded from all of them.
 */
function urlOf(event: GatewayEvent): URL {
  const url = new URL("https://api.invalid/");
  url.pathname = event.path.replaceAll(/%(?![0-9a-fA-F]{2})/g, "%25");
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? single(event))) {
    for (const value of values ?? []) url.searchParams.append(name, value);
  }
  return url;
}

/** For who calls the function without API Gateway and gives one value for each name. */
function single({ queryStringParameters }: GatewayEvent): Readonly<Record<string, readonly string[]>> {
  const given = Object.entries(queryStringParameters ?? {});
  return Object.fromEntries(given.map(([name, value]) => [name, value === undefined ? [] : [value]]));
}

function headersOf({ headers, multiValueHeaders }: GatewayEvent): Headers {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) read.set(name, value);
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) {
    read.delete(name);
    for (const value of values ?? []) read.append(name, value);
  }
  return read;
}
