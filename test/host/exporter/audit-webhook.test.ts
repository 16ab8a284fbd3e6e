import { describe, expect, it } from "vitest";
import { auditWebhookOf } from "../../../src/host/exporter/audit-webhook.ts";

const auditWebhook = { host: "0.0.0.0", port: 8443 };
const auditWebhookToken = "0123456789abcdef";
const certificate = { auditWebhookCert: "tls.crt", auditWebhookKey: "tls.key" };
const auditWebhookClientCa = "ca.crt";

describe("the settings of the audit webhook", () => {
  it("are absent without an address", () => {
    expect(auditWebhookOf({ auditWebhookToken })).toBeUndefined();
  });

  it.each([
    ["a token", { auditWebhookToken }, { token: auditWebhookToken }],
    [
      "a token over HTTPS",
      { auditWebhookToken, ...certificate },
      { token: auditWebhookToken, tls: { certFile: "tls.crt", keyFile: "tls.key" } },
    ],
    [
      "client certificates",
      { ...certificate, auditWebhookClientCa },
      { tls: { certFile: "tls.crt", keyFile: "tls.key", clientCaFile: "ca.crt" } },
    ],
    [
      "client certificates of one name, and a token",
      { ...certificate, auditWebhookClientCa, auditWebhookClientName: "kube-apiserver", auditWebhookToken },
      {
        token: auditWebhookToken,
        tls: { certFile: "tls.crt", keyFile: "tls.key", clientCaFile: "ca.crt", clientName: "kube-apiserver" },
      },
    ],
  ])("accept %s", (_, settings, expected) => {
    expect(auditWebhookOf({ auditWebhook, ...settings })).toEqual({ ...auditWebhook, ...expected });
  });

  it.each([
    ["no credentials", {}, /token of at least 16 characters, or client certificates/],
    ["a short token", { auditWebhookToken: "short" }, /at least 16 characters/],
    [
      "a short token, though there are client certificates",
      { ...certificate, auditWebhookClientCa, auditWebhookToken: "" },
      /at least 16 characters/,
    ],
    ["HTTPS alone", certificate, /or client certificates/],
    ["client certificates without HTTPS", { auditWebhookClientCa }, /OUTLIVE_AUDIT_WEBHOOK_CERT/],
    ["a certificate without its key", { auditWebhookToken, auditWebhookCert: "tls.crt" }, /OUTLIVE_AUDIT_WEBHOOK_KEY/],
    [
      "a client's name that nothing verifies",
      { ...certificate, auditWebhookToken, auditWebhookClientName: "kube-apiserver" },
      /OUTLIVE_AUDIT_WEBHOOK_CLIENT_CA/,
    ],
  ])("refuse %s", (_, settings, message) => {
    expect(() => auditWebhookOf({ auditWebhook, ...settings })).toThrow(message);
  });
});
