import { generateKeyPairSync, sign } from "node:crypto";

/** A server's key and certificate in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const ECDSA_WITH_SHA256 = der(0x30, objectIdentifier("2a8648ce3d040302"));
const DAY_MILLIS = 86_400_000;

/** A certificate for 127.0.0.1 that no authority signed, valid for a day (RFC 5280). */
export function selfSignedCertificate(now = new Date()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = distinguishedName("127.0.0.1");
  const contents = der(
    0x30,
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    der(0x30, utcTime(now), utcTime(new Date(now.getTime() + DAY_MILLIS))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(0x03, Buffer.of(0), sign("sha256", contents, privateKey));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", der(0x30, contents, ECDSA_WITH_SHA256, signature)),
  };
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
