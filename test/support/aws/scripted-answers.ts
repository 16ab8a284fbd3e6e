/** The response to one request. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: unknown;
}

/** An Error is a broken connection; a function gets the request. */
export type Script = ScriptedAnswer | Error | ((request: unknown) => ScriptedAnswer);

/** The settings of an SDK client whose requests stay in the process. */
export interface ScriptedClient {
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
  readonly requestHandler: { handle(request: { readonly body?: unknown }): Promise<{ readonly response: object }> };
}

/**
 * Settings for an SDK client whose requests get `answers` in order, and the last one repeatedly. The SDK serializes and
 * parses real messages without a network. `requests` records each request.
 */
export function scripted(answers: readonly Script[], { maxAttempts = 1 } = {}) {
  const requests: unknown[] = [];
  const config: ScriptedClient = {
    region: "eu-central-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts,
    requestHandler: {
      handle: async ({ body }) => {
        const request = readBody(body);
        requests.push(request);
        const script = answers[Math.min(requests.length, answers.length) - 1];
        if (script === undefined || script instanceof Error) throw script ?? new Error("No answer was scripted.");
        const answer = typeof script === "function" ? script(request) : script;
        const { status: statusCode, headers = {}, body: content } = answer;
        return { response: { statusCode, headers, body: Buffer.from(JSON.stringify(content)) } };
      },
    },
  };
  return { config, requests };
}

/** Parsed JSON, or the text itself. */
function readBody(body: unknown): unknown {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : body;
  return typeof text === "string" && text.startsWith("{") ? (JSON.parse(text) as unknown) : body;
}

/** An error in the format of AWS's JSON protocols. */
export function failure(type: string, message: string, status = 400): ScriptedAnswer {
  return { status, body: { __type: `com.amazonaws#${type}`, message } };
}

export function success(body: unknown = {}): ScriptedAnswer {
  return { status: 200, body };
}
