import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";

export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Posts a body and reads the whole answer, whatever its status. Throws what Node says of a connection that breaks, and an error called `TimeoutError`. */
export type Exchange = (url: URL, headers: Readonly<Record<string, string>>, body: string) => Promise<Answer>;

export interface ExchangeLimits {
  /** From the first byte sent to the last one read, connecting included. */
  readonly requestMillis: number;
  /** Connections at once; what is asked for beyond waits. */
  readonly connections: number;
}

/** Exchanges over connections that stay open: a new one to AWS is three round trips and a handshake. */
export function keepAliveExchange({ requestMillis, connections }: ExchangeLimits): Exchange {
  const options = { keepAlive: true, maxSockets: connections };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  return (url, headers, body) =>
    new Promise((resolve, reject) => {
      const isPlain = url.protocol === "http:";
      const asked: RequestOptions = { method: "POST", headers, agent: agents[isPlain ? "http:" : "https:"] };
      const sent = (isPlain ? requestHttp : requestHttps)(url, asked, (response) => {
        readAnswer(response).then(resolve, reject);
      });
      const timer = setTimeout(() => sent.destroy(new ExchangeTimeoutError(url, requestMillis)), requestMillis);
      sent.on("error", reject);
      sent.on("close", () => clearTimeout(timer));
      sent.end(body);
    });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

/** By the SDK's name for it. */
class ExchangeTimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor({ host }: URL, millis: number) {
    super(`${host} did not answer within ${millis} ms.`);
  }
}
