import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMailSender } from "../../../src/adapters/smtp/send-mail.ts";
import type { MailMessage } from "../../../src/ports/message-sender.ts";
import { authority, selfSignedCertificate } from "../../support/kubernetes/self-signed-certificate.ts";
import { type MailServer, startMailServer } from "../../support/notify/mail-server.ts";

const HOST = "mail.example.org";
const trusted = authority("Test authority");
const certificate = trusted.issue(HOST);
/** `mail.example.org` is this machine, to which TLS would not be required by its address. */
const send = createMailSender({ lookup: (_, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) });

function mailTo(url: string, said: Partial<MailMessage> = {}): MailMessage {
  return {
    kind: "smtp",
    url,
    from: "outlive@example.org",
    to: ["ops@example.org", "dev@example.org"],
    subject: "[Outlive] Failed: Job prod-eu/p/größe",
    body: "Failed.\n\nJob prod-eu/p/größe\n",
    messageId: "<abc@example.org>",
    at: Date.parse("2026-06-01T00:00:00Z"),
    allowAddresses: [],
    ...said,
  };
}

function headersOf({ received }: MailServer): ReadonlyMap<string, string> {
  const [head = ""] = received.at(-1)?.source.split("\r\n\r\n") ?? [];
  const lines = head.replaceAll(/\r\n[ \t]/g, " ").split("\r\n");
  return new Map(lines.map((line) => [line.split(":", 1).join("").toLowerCase(), line.replace(/^[^:]*: ?/, "")]));
}

let server: MailServer;
const local = () => `smtp://127.0.0.1:${server.port}`;
const authorities = getCACertificates();
beforeAll(() => setDefaultCACertificates([...authorities, trusted.cert]));
afterAll(() => setDefaultCACertificates(authorities));

describe("an e-mail", () => {
  beforeEach(async () => {
    server = await startMailServer({});
  });
  afterEach(() => server.close());

  it("goes to all recipients, with its identity and the instant of its state", async () => {
    expect(await send(mailTo(local()))).toEqual({ outcome: "accepted", status: 250 });
    expect(server.received).toMatchObject([
      { from: "outlive@example.org", to: ["ops@example.org", "dev@example.org"], isEncrypted: false },
    ]);
    const headers = headersOf(server);
    expect(Object.fromEntries(headers)).toMatchObject({
      from: "Outlive <outlive@example.org>",
      to: "ops@example.org, dev@example.org",
      subject: "=?UTF-8?Q?=5BOutlive=5D_Failed=3A_Job_prod-eu/p/gr?= =?UTF-8?Q?=C3=B6=C3=9Fe?=",
      "message-id": "<abc@example.org>",
      date: "Mon, 01 Jun 2026 00:00:00 +0000",
      "auto-submitted": "auto-generated",
      "content-type": "text/plain; charset=utf-8",
    });
    expect(headers.has("references")).toBe(false);
  });

  it("refers to the message that it updates", async () => {
    await send(mailTo(local(), { messageId: "<def@example.org>", references: "<abc@example.org>" }));
    const headers = headersOf(server);
    expect(headers.get("references")).toBe("<abc@example.org>");
    expect(headers.get("in-reply-to")).toBe("<abc@example.org>");
  });

  it("has a subject that cannot add a header", async () => {
    await send(mailTo(local(), { subject: "a\r\nBcc: victim@example.org" }));
    expect(headersOf(server).has("bcc")).toBe(false);
    expect(server.received[0]?.to).toEqual(["ops@example.org", "dev@example.org"]);
  });

  it.each([
    ["recipients", "toRecipient"],
    ["the message", "toMessage"],
  ])("is refused for good by a reply 5yz to %s, and can be sent later after 4yz", async (_, to) => {
    server.replyWith({ [to]: [550, "No such user."] });
    expect(await send(mailTo(local()))).toEqual({ outcome: "refused", problem: "550 No such user." });
    server.replyWith({ [to]: [451, "Try again later."] });
    expect(await send(mailTo(local()))).toEqual({ outcome: "unreachable", problem: "451 Try again later." });
  });

  it.each([530, 534, 535, 538])(
    "is tried again if a reply %i to the sender or recipients asks for a user",
    async (code) => {
      server.replyWith({ toRecipient: [code, "Authentication required."] });
      const problem = `${code} Authentication required.`;
      expect(await send(mailTo(local()))).toEqual({ outcome: "unreachable", problem });
    },
  );

  it("is unreachable where no server is, or none answers in time", async () => {
    const url = local();
    const silent = createMailSender({ timeoutMillis: 50, lookup: () => {} });
    expect(await silent(mailTo("smtp://silent.example:25"))).toEqual({
      outcome: "unreachable",
      problem: "no answer in time",
    });
    const closed = await startMailServer({});
    await closed.close();
    const refused = mailTo(url.replace(/\d+$/, String(closed.port)));
    expect(await send(refused)).toEqual({ outcome: "unreachable", problem: "connection refused" });
  });

  it("is not sent without TLS, except to this machine", async () => {
    const result = await send(mailTo(`smtp://${HOST}:${server.port}`));
    expect(result).toMatchObject({ outcome: "unreachable" });
    expect(server.received).toEqual([]);
  });

  it.each(["169.254.169.254", "[fd00:ec2::254]", "0xa9fea9fe", "2852039166"])(
    "is not sent to the metadata service %s",
    async (host) => {
      const result = await createMailSender()(mailTo(`smtp://${host}:25`));
      expect(result.outcome === "unreachable" && result.problem).toContain("link-local or a metadata service");
    },
  );

  it("is not sent to the runtime of a function, unless its address is allowed", async () => {
    const onAws = createMailSender({ refusesLoopback: true });
    const refused = await onAws(mailTo(local()));
    expect(refused.outcome === "unreachable" && refused.problem).toContain("on AWS a loopback address");
    expect(await onAws(mailTo(local(), { allowAddresses: ["127.0.0.0/8"] }))).toMatchObject({ outcome: "accepted" });
  });
});

describe("an e-mail over TLS", () => {
  const user = { name: "outlive", password: "p@ss/word" };
  const credentials = "outlive:p%40ss%2Fword";
  afterEach(() => server.close());

  it.each([
    ["smtp", false],
    ["smtps", true],
  ])("is encrypted and sent by the user of the %s address", async (scheme, isSecure) => {
    server = await startMailServer({ certificate, isSecure, user });
    expect(await send(mailTo(`${scheme}://${credentials}@${HOST}:${server.port}`))).toMatchObject({
      outcome: "accepted",
    });
    expect(server.received).toMatchObject([{ isEncrypted: true, user: "outlive" }]);
  });

  it.each([
    ["is of no known authority", selfSignedCertificate()],
    ["is for another host", trusted.issue("other.example.org")],
  ])("is not sent to a server whose certificate %s", async (_, invalid) => {
    server = await startMailServer({ certificate: invalid, isSecure: true });
    expect(await send(mailTo(`smtps://${HOST}:${server.port}`))).toMatchObject({ outcome: "unreachable" });
    expect(server.received).toEqual([]);
  });

  it("is tried again if the user is not accepted, because the secret can be corrected", async () => {
    server = await startMailServer({ certificate, user });
    const result = await send(mailTo(`smtp://outlive:hunter2@${HOST}:${server.port}`));
    expect(result).toEqual({ outcome: "unreachable", problem: "535 Unknown user." });
  });

  it("is not sent where an address cannot be read", async () => {
    server = await startMailServer({ certificate, user });
    const result = await send(mailTo(`smtp://outlive:hunter%2@${HOST}:${server.port}`));
    expect(result).toMatchObject({ outcome: "unreachable" });
    expect(JSON.stringify(result)).not.toContain("hunter");
  });
});
