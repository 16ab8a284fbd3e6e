import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Certificate } from "../kubernetes/self-signed-certificate.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text, as the server received them. */
  readonly source: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

/** A reply that a test wants instead of acceptance: code and text. */
export type Reply = readonly [code: number, text: string] | undefined;

export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** What the server replies to recipients, and to messages. */
  replyWith(reply: { readonly toRecipient?: Reply; readonly toMessage?: Reply }): void;
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** For STARTTLS, or for TLS from the start. @default no TLS */
  readonly certificate?: Certificate;
  readonly isSecure?: boolean;
  /** The only user. @default none is needed */
  readonly user?: { readonly name: string; readonly password: string };
}

function errorOf(reply: Reply): Error | undefined {
  return reply && Object.assign(new Error(reply[1]), { responseCode: reply[0] });
}

/** A mail server on this machine: the one of the package smtp-server. */
export async function startMailServer({ certificate, isSecure = false, user }: MailServerOptions): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let replies: Parameters<MailServer["replyWith"]>[0] = {};
  const server = new SMTPServer({
    ...certificate,
    secure: isSecure,
    authOptional: user === undefined,
    disabledCommands: [...(certificate === undefined ? ["STARTTLS"] : []), ...(user === undefined ? ["AUTH"] : [])],
    onAuth: ({ username, password }, _, done) => {
      const isRight = username === user?.name && password === user?.password;
      done(isRight ? null : Object.assign(new Error("Unknown user."), { responseCode: 535 }), { user: username });
    },
    onRcptTo: (_, __, done) => done(errorOf(replies.toRecipient)),
    onData: (stream, { envelope, secure, user: name }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const source = Buffer.concat(chunks).toString();
        received.push({ from, to, source, isEncrypted: secure, user: name === undefined ? undefined : String(name) });
        done(errorOf(replies.toMessage));
      });
    },
  });
  // A client that does not trust the certificate closes the connection.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    replyWith: (next) => {
      replies = next;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
