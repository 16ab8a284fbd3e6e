import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A server's key and certificate in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const ECDSA_WITH_SHA256 = der(0x30, objectIdentifier("2a8648ce3d040302"));
const DAY_MILLIS = 86_400_000;

/** A certificate for 127.0.0.1 that no authority signed, valid for a day (RFC 5280). */
export function selfSignedCertificate(now = new Date()): Certificate {
  return authority("127.0.0.1").issue("127.0.0.1", now);
}

export interface Authority {
  /** The certificate of the authority, in PEM. */
  readonly cert: string;
  /** A certificate that this authority signs, valid for a day. */
  issue(commonName: string, now?: Date): Certificate;
}

/** An authority that signs certificates. OpenSSL accepts a self-signed certificate without extensions (X.509 v1). */
export function authority(commonName: string): Authority {
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signed = (name: string, publicKey: KeyObject, now: Date): string => {
    const contents = der(
      0x30,
      integer(1),
      ECDSA_WITH_SHA256,
      distinguishedName(commonName),
      der(0x30, utcTime(now), utcTime(new Date(now.getTime() + DAY_MILLIS))),
      distinguishedName(name),
      publicKey.export({ type: "spki", format: "der" }),
    );
    const signature = der(0x03, Buffer.of(0), sign("sha256", contents, own.privateKey));
    return pem("CERTIFICATE", der(0x30, contents, ECDSA_WITH_SHA256, signature));
  };
  return {
    cert: signed(commonName, own.publicKey, new Date()),
    issue: (name, now = new Date()) => {
      const pair = name === commonName ? own : generateKeyPairSync("ec", { namedCurve: "P-256" });
      return { key: keyOf(pair.privateKey), cert: signed(name, pair.publicKey, now) };
    },
  };
}

function keyOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** One value of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.of(value));
}

function objectIdentifier(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function distinguishedName(commonName: string): Buffer {
  const attribute = der(0x30, objectIdentifier("550403"), der(0x0c, Buffer.from(commonName)));
  return der(0x30, der(0x31, attribute));
}

function utcTime(instant: Date): Buffer {
  const digits = instant.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return der(0x17, Buffer.from(digits.slice(2)));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").replaceAll(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
