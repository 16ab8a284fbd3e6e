import { connect, isIPv4, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import { shortText } from "../../job/text/short-text.ts";
import type { MailMessage, SendOf, SendResult } from "../../ports/message-sender.ts";
import {
  type CheckedAddresses,
  checkedLookup,
  connectionProblem,
  hostOf,
  refusedHost,
} from "../addresses/checked-lookup.ts";
import { allowList } from "../addresses/refused-addresses.ts";

export interface MailSenderOptions extends Omit<CheckedAddresses, "allowed"> {
  /** For the whole exchange. @default 20000 */
  readonly timeoutMillis?: number;
}

const TIMEOUT_MILLIS = 20_000;

/**
 * Sends e-mails by SMTP, one connection for each. TLS is required and verified, except on loopback. The addresses of
 * metadata services are refused, as for requests.
 */
export function createMailSender(options: MailSenderOptions = {}): SendOf<MailMessage> {
  return async (message) => {
    const url = new URL(message.url);
    const rules = { ...options, allowed: allowList(message.allowAddresses) };
    const refused = refusedHost(hostOf(url), rules);
    if (refused !== undefined) return { outcome: "unreachable", problem: refused };
    const signal = AbortSignal.timeout(options.timeoutMillis ?? TIMEOUT_MILLIS);
    try {
      await transportTo(url, { ...rules, signal }).sendMail({ ...contentOf(message), signal });
      return { outcome: "accepted", status: 250 };
    } catch (cause) {
      return unsent(cause);
    }
  };
}

interface Connecting extends CheckedAddresses {
  readonly signal: AbortSignal;
}

function transportTo(url: URL, connecting: Connecting) {
  const secure = url.protocol === "smtps:";
  const host = hostOf(url);
  const port = Number(url.port) || (secure ? 465 : 587);
  const isLoopback = host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
  const { username, password } = url;
  return createTransport({
    host,
    port,
    secure,
    ...(isLoopback ? { ignoreTLS: true } : { requireTLS: true }),
    ...(username !== "" && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      forceAuth: true,
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_, done) => openSocket({ host, port }, connecting, done),
  });
}

type Opened = (error: Error | null, socket: { readonly connection: Socket } | false) => void;

/** nodemailer resolves names by itself. It uses a socket that is connected already, and begins TLS on it. */
function openSocket(
  to: { readonly host: string; readonly port: number },
  { signal, ...rules }: Connecting,
  done: Opened,
): void {
  const connection = connect({ ...to, signal, lookup: checkedLookup(rules) });
  const fail = (error: Error): void => done(new Error(connectionProblem(error), { cause: error }), false);
  connection.once("error", fail);
  connection.once("connect", () => {
    connection.off("error", fail);
    done(null, { connection });
  });
}

/** RFC 3834: a message that no program answers. */
const GENERATED = { "auto-submitted": "auto-generated" };

function contentOf({ from, to, subject, body, messageId, references, at }: MailMessage) {
  return {
    from: { name: "Outlive", address: from },
    to: [...to],
    subject,
    text: body,
    messageId,
    date: new Date(at),
    headers: GENERATED,
    ...(references !== undefined && { references, inReplyTo: references }),
  };
}

/** RFC 4954: authentication is required, too weak or wrong, or needs TLS. Servers reply it to the sender, too. */
const CREDENTIALS: ReadonlySet<unknown> = new Set([530, 534, 535, 538]);

/**
 * Why a message was not sent. A reply 5yz about the sender, a recipient or the text is final. Everything else, such as
 * credentials or a missing certificate, can be repaired.
 */
function unsent(cause: unknown): SendResult {
  if (!(cause instanceof Error)) return { outcome: "unreachable", problem: String(cause) };
  const { code, permanent, response, responseCode }: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(cause),
  );
  if (code === "EABORT") return { outcome: "unreachable", problem: "no answer in time" };
  const problem = shortText(typeof response === "string" ? response : cause.message);
  const isFinal = permanent === true && !CREDENTIALS.has(responseCode) && (code === "EENVELOPE" || code === "EMESSAGE");
  return { outcome: isFinal ? "refused" : "unreachable", problem };
}
