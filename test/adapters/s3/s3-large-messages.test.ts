import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createS3LargeMessages } from "../../../src/adapters/s3/s3-large-messages.ts";

interface Answer {
  readonly status: number;
  readonly body?: string;
}

interface Put {
  readonly method: string | undefined;
  readonly path: string;
  readonly bytes: Buffer;
  readonly authorization: string | undefined;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that gives these responses of S3 in order, and then repeats the last one. */
async function bucketThat(...answers: readonly Answer[]) {
  const puts: Put[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      puts.push({
        method: request.method,
        path: request.url ?? "",
        bytes: Buffer.concat(chunks),
        authorization: request.headers.authorization,
      });
      const { status, body = "" } = answers[Math.min(puts.length, answers.length) - 1] ?? { status: 500 };
      response.writeHead(status, { "content-type": "application/xml" }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { puts, messages: createS3LargeMessages({ ...ASIDE, endpoint }) };
}

const ASIDE = {
  bucket: "aside",
  region: async () => "eu-central-1",
  credentials: async () => ({ accessKeyId: "AK", secretAccessKey: "SK", sessionToken: "TOK" }),
  retry: { attempts: 3, pause: async () => undefined },
};

describe("large messages in a bucket", () => {
  it("are stored under their name by a signed request", async () => {
    const { puts, messages } = await bucketThat({ status: 200 });
    await messages.keep("ab12#AROAX", Uint8Array.of(1, 2, 3));
    expect(puts).toHaveLength(1);
    expect(puts[0]).toMatchObject({ path: "/aside/ab12%23AROAX", bytes: Buffer.of(1, 2, 3) });
    expect(puts[0]?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-central-1\/s3\/aws4_request/);
  });

  it("are stored again after a transient failure", async () => {
    const { puts, messages } = await bucketThat({ status: 503 }, { status: 500 }, { status: 200 });
    await messages.keep("ab12", Uint8Array.of(1));
    expect(puts).toHaveLength(3);
  });

  it.each([
    [403, "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", "AwsAccessDeniedError", 1],
    [404, "<Error><Code>NoSuchBucket</Code><Message>None</Message></Error>", "AwsResourceMissingError", 1],
    [503, "<Error><Code>SlowDown</Code><Message>Reduce</Message></Error>", "AwsThrottledError", 3],
    [500, "not XML", "AwsUnavailableError", 3],
  ])("cause an error that names the bucket at status %i", async (status, body, name, tried) => {
    const { puts, messages } = await bucketThat({ status, body });
    await expect(messages.keep("ab12", Uint8Array.of(1))).rejects.toMatchObject({
      name,
      message: expect.stringMatching(/^Bucket aside[: ]/) as string,
    });
    expect(puts).toHaveLength(tried);
  });

  it("cause an error if the endpoint is unreachable", async () => {
    const { messages } = await bucketThat({ status: 200 });
    for (const close of closing.splice(0)) close();
    await expect(messages.keep("ab12", Uint8Array.of(1))).rejects.toThrow(/^Bucket aside cannot be reached/);
  });

  it("are read by a signed request", async () => {
    const { puts, messages } = await bucketThat({ status: 503 }, { status: 200, body: "segment" });
    expect(await messages.read("ab12#AROAX")).toEqual(new Uint8Array(Buffer.from("segment")));
    expect(puts).toHaveLength(2);
    expect(puts[1]).toMatchObject({ method: "GET", path: "/aside/ab12%23AROAX" });
    expect(puts[1]?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-central-1\/s3\/aws4_request/);
  });

  it("are undefined if there is no object of their name", async () => {
    const { messages } = await bucketThat({ status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" });
    expect(await messages.read("ab12")).toBeUndefined();
  });

  it("cause an error if they cannot be read", async () => {
    const { messages } = await bucketThat({ status: 403, body: "<Error><Code>AccessDenied</Code></Error>" });
    await expect(messages.read("ab12")).rejects.toMatchObject({ name: "AwsAccessDeniedError" });
  });

  it("have the bucket in the host name on AWS", async () => {
    const asked: string[] = [];
    const send: typeof fetch = async (url) => {
      asked.push(String(url instanceof Request ? url.url : url));
      return new Response();
    };
    for (const region of ["eu-central-1", "cn-north-1"]) {
      await createS3LargeMessages({ ...ASIDE, region: async () => region, fetch: send }).keep("ab12", Uint8Array.of(1));
    }
    expect(asked).toEqual([
      "https://aside.s3.eu-central-1.amazonaws.com/ab12",
      "https://aside.s3.cn-north-1.amazonaws.com.cn/ab12",
    ]);
  });
});
