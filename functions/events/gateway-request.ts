import type { GatewayEvent } from "./gateway-event.ts";

/** An event of an API Gateway REST API as a Fetch request. */
export function requestOf(event: GatewayEvent): Request {
  const headers = headersOf(event);
  const { httpMethod: method, isBase64Encoded } = event;
  const body = Buffer.from(event.body ?? "", isBase64Encoded === true ? "base64" : "utf8");
  // A Fetch GET has no body. The API rejects one by its length.
  headers.delete("content-length");
  if (body.length > 0) headers.set("content-length", String(body.length));
  headers.delete("transfer-encoding");
  const isRead = ["GET", "HEAD"].includes(method.toUpperCase());
  return new Request(urlOf(event), { method, headers, ...(!isRead && body.length > 0 && { body }) });
}

/**
 * The path, and all query values. REST APIs and LocalStack send the path percent-encoded, MiniStack decoded: encoded
 * characters stay encoded, and others are encoded where a URL needs it. All of them send decoded query values.
 */
function urlOf(event: GatewayEvent): URL {
  const url = new URL("https://api.invalid/");
  url.pathname = event.path.replaceAll(/%(?![0-9a-fA-F]{2})/g, "%25");
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? single(event))) {
    for (const value of values ?? []) url.searchParams.append(name, value);
  }
  return url;
}

/** For direct invocations, which have one value per name. */
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
