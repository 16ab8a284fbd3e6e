import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The response to one request. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An AWS service on this machine with scripted responses, for any caller. The SDK's own clients use it over HTTP. */
export class ScriptedAws {
  readonly #server = createServer();
  /** The bodies of the received requests. */
  readonly requests: string[] = [];
  answer: ScriptedAnswer = { status: 500, body: "" };

  static async start(): Promise<ScriptedAws> {
    const scripted = new ScriptedAws();
    scripted.#server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        scripted.requests.push(Buffer.concat(chunks).toString());
        const { status, body, headers } = scripted.answer;
        response.writeHead(status, headers).end(body);
      });
    });
    scripted.#server.listen(0, "127.0.0.1");
    await once(scripted.#server, "listening");
    return scripted;
  }

  /** Settings for an SDK client that uses it without retries. */
  get settings() {
    const { port } = this.#server.address() as AddressInfo;
    return {
      endpoint: `http://127.0.0.1:${port}`,
      region: "eu-central-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      maxAttempts: 1,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** An error in the format of the query protocol (IAM, CloudFormation). */
export function queryError(status: number, code: string, message: string): ScriptedAnswer {
  return {
    status,
    headers: { "content-type": "text/xml" },
    body: `<ErrorResponse>
      <Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId>
    </ErrorResponse>`,
  };
}

/** An answer of a service with the JSON protocol (DynamoDB, SSM). */
export function jsonAnswer(content: object): ScriptedAnswer {
  return { status: 200, headers: { "content-type": "application/x-amz-json-1.1" }, body: JSON.stringify(content) };
}

/** An error in the format of the JSON protocol. */
export function jsonError(status: number, code: string, message: string): ScriptedAnswer {
  return { ...jsonAnswer({ __type: code, message }), status };
}
