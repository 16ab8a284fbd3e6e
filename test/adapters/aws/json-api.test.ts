import { describe, expect, it } from "vitest";
import { callJson, type JsonService } from "../../../src/adapters/aws/json-api.ts";

const SERVICE: JsonService = {
  name: "Some Service",
  signingName: "dynamodb",
  host: "some",
  target: "Some_1",
  throttles: ["SlowDown"],
};

type Answer = { readonly status: number; readonly text: string } | Error;

/** Sends a request to a service that gives these answers, in order. */
async function call(
  answers: readonly Answer[],
  { region = "eu-central-1", endpoint = undefined as string | undefined } = {},
) {
  const urls: string[] = [];
  const answer = callJson(
    SERVICE,
    {
      region: async () => region,
      credentials: async () => ({ accessKeyId: "id", secretAccessKey: "secret" }),
      retry: { attempts: 3, pause: async () => {} },
      endpoint,
      fetch: async (url) => {
        urls.push(url instanceof URL ? url.href : "");
        const next = answers[urls.length - 1] ?? new Error("There are no more answers.");
        if (next instanceof Error) throw next;
        return new Response(next.text, { status: next.status });
      },
    },
    { action: "Do", body: {} },
  );
  return { urls, answer };
}

const OK = { status: 200, text: '{"done":true}' };

describe("a request to a JSON API of AWS", () => {
  it.each([
    ["its region", { region: "us-east-1" }, "https://some.us-east-1.amazonaws.com/"],
    ["China's domain in China", { region: "cn-north-1" }, "https://some.cn-north-1.amazonaws.com.cn/"],
    ["an emulator", { endpoint: "http://127.0.0.1:5500" }, "http://127.0.0.1:5500/"],
  ])("goes to %s", async (_, options, url) => {
    const { urls, answer } = await call([OK], options);
    expect(await answer).toEqual({ done: true });
    expect(urls).toEqual([url]);
  });

  it("is repeated after a throttle and an error of the service", async () => {
    const throttled = { status: 400, text: '{"__type":"com.amazon#SlowDown"}' };
    const { urls, answer } = await call([throttled, { status: 503, text: "<html>" }, OK]);
    expect(await answer).toEqual({ done: true });
    expect(urls).toHaveLength(3);
  });

  it("is not repeated when it is invalid, and fails with the name and the status of the service's error", async () => {
    const { urls, answer } = await call([{ status: 400, text: '{"__type":"a#Invalid","Message":"No."}' }, OK]);
    await expect(answer).rejects.toMatchObject({
      name: "Invalid",
      message: "No.",
      $metadata: { httpStatusCode: 400 },
    });
    expect(urls).toHaveLength(1);
  });

  it("fails after three attempts with the error of the connection; names a silent service", async () => {
    const refused = Object.assign(new Error("refused"), { name: "ECONNREFUSED" });
    const { answer } = await call(Array.from({ length: 3 }, () => new TypeError("fetch failed", { cause: refused })));
    await expect(answer).rejects.toBe(refused);
    const silent = await call(Array.from({ length: 3 }, () => ({ status: 500, text: "" })));
    await expect(silent.answer).rejects.toMatchObject({
      name: "SomeServiceError",
      message: "Some Service answered 500.",
    });
  });
});
