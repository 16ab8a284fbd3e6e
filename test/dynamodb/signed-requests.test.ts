import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Exchange, keepAliveExchange } from "../../src/aws/exchange.ts";
import { createDynamoJobStore } from "../../src/dynamodb/dynamo-job-store.ts";
import { createSignedRequests, type DynamoAccess } from "../../src/dynamodb/signed-requests.ts";
import { clusterNamed, jobUid } from "../support/names.ts";
import { failure, type ScriptedAnswer, success } from "../support/scripted-answers.ts";

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly connection: number | undefined;
}

/** `hang`: the answer begins and never ends. `cut`: the connection is broken in the middle of it. */
type Answer = ScriptedAnswer | "hang" | "cut";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** DynamoDB on this machine that answers one thing after the other, the last one for ever, and how its client is to ask it. */
async function dynamoThat(...answers: readonly Answer[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, socket } = request;
      asked.push({ headers, body: Buffer.concat(chunks).toString(), connection: socket.remotePort });
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? success();
      if (typeof answer !== "string") {
        return void response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
      }
      response.writeHead(200, { "content-length": "100" }).write("{");
      if (answer === "cut") setImmediate(() => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const pauses: number[] = [];
  const access: DynamoAccess = {
    region: "eu-central-1",
    credentials: { accessKeyId: "AK", secretAccessKey: "SK", sessionToken: "TOK" },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchange: keepAliveExchange({ requestMillis: 200, connections: 2 }),
    backOff: { attempts: 3, pause: async (attempt) => void pauses.push(attempt) },
    now: () => Date.UTC(2026, 10, 21),
  };
  return { asked, pauses, access, requests: createSignedRequests(access) };
}

const Key = { pk: { S: "a" }, sk: { S: "b" } };
const wanted = { TableName: "log", Key, ConsistentRead: true };

describe("a request that is signed without the SDK", () => {
  it("is a POST of JSON that names its operation, and what comes back is the operation's output", async () => {
    const { asked, requests } = await dynamoThat(success({ Item: { ...Key, state: { B: "AQI=" } } }));
    expect(await requests.getItem(wanted)).toEqual({ Item: { ...Key, state: { B: Uint8Array.of(1, 2) } } });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.body).toBe('{"TableName":"log","Key":{"pk":{"S":"a"},"sk":{"S":"b"}},"ConsistentRead":true}');
    expect(asked[0]?.headers).toMatchObject({
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "DynamoDB_20120810.GetItem",
      "x-amz-security-token": "TOK",
    });
  });

  it.each([
    ["eu-central-1", "dynamodb.eu-central-1.amazonaws.com"],
    ["us-gov-west-1", "dynamodb.us-gov-west-1.amazonaws.com"],
    ["cn-north-1", "dynamodb.cn-north-1.amazonaws.com.cn"],
  ])("goes to AWS's own endpoint in %s", async (region, host) => {
    const hosts: string[] = [];
    const exchange: Exchange = async (url) => {
      hosts.push(`${url.protocol}//${url.host}${url.pathname}`);
      return { status: 200, headers: {}, body: Buffer.from("{}") };
    };
    await createSignedRequests({ region, credentials: SDK_CREDENTIALS, exchange }).getItem(wanted);
    expect(hosts).toEqual([`https://${host}/`]);
  });

  it("has the signature that the SDK gives it", async () => {
    const authorizations: (string | undefined)[] = [];
    const exchange: Exchange = async (_, headers) => {
      authorizations.push(headers["authorization"]);
      return { status: 200, headers: {}, body: Buffer.from("{}") };
    };
    const access = { region: "eu-central-1", credentials: SDK_CREDENTIALS, exchange, now: () => 1_795_262_400_000 };
    await createSignedRequests(access).getItem(wanted);
    expect(authorizations[0]).toMatch(/Signature=96f8fb004cb1a5de67f34b5ca2f0d9943f6e99d8aeef40565ec9ae9d7c06e417$/);
  });

  it("keeps its connection for the next one", async () => {
    const { asked, requests } = await dynamoThat(success());
    await requests.getItem(wanted);
    await requests.query({ TableName: "log" });
    expect(new Set(asked.map(({ connection }) => connection)).size).toBe(1);
  });

  it.each<[string, Answer]>([
    ["DynamoDB fails", failure("InternalServerError", "internal", 500)],
    ["a proxy fails", { status: 502, body: "<html>" }],
    ["it is throttled", failure("ProvisionedThroughputExceededException", "exceeded")],
    ["the connection breaks in the middle of the answer", "cut"],
    ["nothing comes in time", "hang"],
  ])("is sent again where %s", async (_, fault) => {
    const { asked, pauses, requests } = await dynamoThat(fault, success({ Item: Key }));
    expect(await requests.getItem(wanted)).toEqual({ Item: Key });
    expect(asked).toHaveLength(2);
    expect(pauses).toEqual([2]);
  });

  it("is not sent again where it would be refused again", async () => {
    const { asked, requests } = await dynamoThat(failure("ValidationException", "wrong"));
    await expect(requests.getItem(wanted)).rejects.toMatchObject({ name: "ValidationException", message: "wrong" });
    expect(asked).toHaveLength(1);
  });

  it("is signed by DynamoDB's clock once that has refused this machine's", async () => {
    const skewed = failure("InvalidSignatureException", "Signature expired: 20261121T000000Z is now earlier than ...");
    const headers = { date: "Tue, 02 Dec 2031 10:00:00 GMT" };
    const { asked, requests } = await dynamoThat({ ...skewed, headers }, success());
    await requests.getItem(wanted);
    await requests.getItem(wanted);
    expect(asked.map((one) => one.headers["x-amz-date"])).toEqual([
      "20261121T000000Z",
      "20311202T100000Z",
      "20311202T100000Z",
    ]);
  });

  it("is given up after its attempts, by the name that AWS gave", async () => {
    const { asked, pauses, access } = await dynamoThat(failure("ThrottlingException", "too much"));
    const jobs = createDynamoJobStore(createSignedRequests(access), { table: "jobs", retentionDays: 400 });
    const read = jobs.read({ cluster: clusterNamed("east"), jobUid: jobUid("a") });
    await expect(read).rejects.toMatchObject({ name: "AwsThrottledError" });
    expect(asked).toHaveLength(3);
    expect(pauses).toEqual([2, 3]);
  });

  it.each([
    ["region", { region: undefined }, "AwsSettingsError", /set AWS_REGION/],
    ["credentials", { credentials: undefined }, "AwsCredentialsError", /AWS_ACCESS_KEY_ID/],
  ])("is not sent without %s", async (_, without, name, sentence) => {
    const { asked, access } = await dynamoThat(success());
    const requests = createSignedRequests({ ...access, ...without });
    const jobs = createDynamoJobStore(requests, { table: "jobs", retentionDays: 400 });
    const read = jobs.read({ cluster: clusterNamed("east"), jobUid: jobUid("a") });
    await expect(read).rejects.toMatchObject({ name, message: expect.stringMatching(sentence) as string });
    expect(asked).toHaveLength(0);
  });
});

describe("a put that is refused by what stands there", () => {
  it("tells it, as the SDK does", async () => {
    const refused = failure("ConditionalCheckFailedException", "The conditional request failed");
    const { requests } = await dynamoThat({
      ...refused,
      body: { ...(refused.body as object), Item: { sha256: { B: "AA==" } } },
    });
    await expect(requests.putItem({ TableName: "log", Item: Key })).rejects.toMatchObject({
      name: "ConditionalCheckFailedException",
      Item: { sha256: { B: Uint8Array.of(0) } },
    });
  });
});

const SDK_CREDENTIALS = { accessKeyId: "AK", secretAccessKey: "SK", sessionToken: "TOK" };
