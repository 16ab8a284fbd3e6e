import { CommandFailure } from "../command-line/command-failure.ts";
import type { ListenAddress } from "../server/listen.ts";
import type { ServerTls } from "../server/server-tls.ts";

/**
 * The address for batches of the API server's audit webhook, and how the API server authenticates: with a token, with a
 * client certificate, or with both.
 */
export type AuditWebhook = ListenAddress &
  (
    | { readonly token: string; readonly tls?: ServerTls }
    | { readonly token?: undefined; readonly tls: ServerTls & { readonly clientCaFile: string } }
  );

/** The settings as the command line has them. */
export interface AuditWebhookSettings {
  readonly auditWebhook?: ListenAddress;
  readonly auditWebhookToken?: string;
  readonly auditWebhookCert?: string;
  readonly auditWebhookKey?: string;
  readonly auditWebhookClientCa?: string;
  readonly auditWebhookClientName?: string;
}

const MIN_TOKEN_LENGTH = 16;

/** Throws CommandFailure where senders would not be authenticated: audit events prove who deleted an object. */
export function auditWebhookOf(settings: AuditWebhookSettings): AuditWebhook | undefined {
  const { auditWebhook: address, auditWebhookToken: token, auditWebhookClientCa: clientCaFile } = settings;
  if (address === undefined) return undefined;
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH) throw unauthenticated();
  const tls = tlsOf(settings);
  if (token !== undefined) return { ...address, token, ...(tls && { tls }) };
  if (tls === undefined || clientCaFile === undefined) throw unauthenticated();
  return { ...address, tls: { ...tls, clientCaFile } };
}

function tlsOf(settings: AuditWebhookSettings): ServerTls | undefined {
  const { auditWebhookCert: certFile, auditWebhookKey: keyFile } = settings;
  const { auditWebhookClientCa: clientCaFile, auditWebhookClientName: clientName } = settings;
  if ([certFile, keyFile, clientCaFile, clientName].every((setting) => setting === undefined)) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    throw new CommandFailure(
      2,
      "TLS of the audit webhook needs a certificate and its key. " +
        "Set OUTLIVE_AUDIT_WEBHOOK_CERT and OUTLIVE_AUDIT_WEBHOOK_KEY to PEM files.",
    );
  }
  if (clientName !== undefined && clientCaFile === undefined) {
    throw new CommandFailure(
      2,
      "The name of the audit webhook's client is verified by an authority. Set OUTLIVE_AUDIT_WEBHOOK_CLIENT_CA too.",
    );
  }
  return {
    certFile,
    keyFile,
    ...(clientCaFile !== undefined && { clientCaFile }),
    ...(clientName !== undefined && { clientName }),
  };
}

function unauthenticated(): CommandFailure {
  return new CommandFailure(
    2,
    `The audit webhook needs a token of at least ${MIN_TOKEN_LENGTH} characters, or client certificates. ` +
      "Set OUTLIVE_AUDIT_WEBHOOK_TOKEN, or OUTLIVE_AUDIT_WEBHOOK_CLIENT_CA with a certificate and key, " +
      "and the same credentials in the API server's audit webhook kubeconfig.",
  );
}
