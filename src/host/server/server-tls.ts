import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import {
  createSecureContext,
  type SecureContextOptions,
  Server as TlsServer,
  TLSSocket,
  type TlsOptions,
} from "node:tls";
import { CommandFailure } from "../command-line/command-failure.ts";
import { errorMessage } from "../../job/text/error-message.ts";

/** The PEM files that identify the server. With `clientCaFile`, clients must have certificates too. */
export interface ServerTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** The authority that signed the certificates of clients. Connections without one are refused. */
  readonly clientCaFile?: string;
  /** The common name in the client's certificate, if the authority signs certificates of others too. */
  readonly clientName?: string;
}

const HANDSHAKE_MILLIS = 10_000;

/** Node's options for these files. Throws CommandFailure where one cannot be used. */
export function secureOptions(tls: ServerTls): TlsOptions {
  const isMutual = tls.clientCaFile !== undefined;
  return {
    ...readFiles(tls),
    minVersion: "TLSv1.2",
    handshakeTimeout: HANDSHAKE_MILLIS,
    requestCert: isMutual,
    rejectUnauthorized: isMutual,
  };
}

/** Uses renewed files for new connections. If they cannot be used, throws and keeps the previous ones. */
export function renewTls(server: Server, tls: ServerTls): void {
  if (server instanceof TlsServer) server.setSecureContext({ ...readFiles(tls), minVersion: "TLSv1.2" });
}

/** The common name of the certificate that TLS has verified. */
export function clientNameOf(socket: Socket): string | undefined {
  const name = socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject.CN : undefined;
  return Array.isArray(name) ? undefined : name;
}

function readFiles({ certFile, keyFile, clientCaFile }: ServerTls): SecureContextOptions {
  const files = {
    cert: read(certFile),
    key: read(keyFile),
    ...(clientCaFile !== undefined && { ca: read(clientCaFile) }),
  };
  try {
    createSecureContext(files);
    return files;
  } catch (cause) {
    const names = [certFile, keyFile, clientCaFile].filter((file) => file !== undefined).join(", ");
    throw new CommandFailure(
      2,
      `The certificate or key in ${names} cannot be used: ${errorMessage(cause)}. ` +
        "Write PEM files that belong together.",
      { cause },
    );
  }
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new CommandFailure(2, `Cannot read ${file}: ${errorMessage(cause)}.`, { cause });
  }
}
