import { createHash } from "node:crypto";
import type { ShippedPackage } from "./shipped-packages.ts";

/** What a bill of materials is about, or one of its parts. */
export interface Material {
  readonly type: "application" | "container" | "library";
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. @default its files say it, in no such form */
  readonly license?: string;
  /** Its package URL, which is its id in the bill. */
  readonly purl: string;
  readonly hash?: { readonly alg: "SHA-256" | "SHA-512"; readonly hex: string };
}

/** A material in the form of CycloneDX. */
export interface Component {
  readonly "bom-ref": string;
  readonly purl: string;
}

/**
 * A bill of materials in the form of CycloneDX 1.6. The same materials give the same bytes: it has no time, and its
 * serial number is a hash of its content.
 */
export function billOfMaterials(subject: Material, components: readonly Component[]): string {
  const ordered = components.toSorted((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1));
  const content = {
    version: 1,
    metadata: { lifecycles: [{ phase: "build" }], component: componentOf(subject) },
    components: ordered,
    dependencies: [{ ref: subject.purl, dependsOn: ordered.map((each) => each["bom-ref"]) }],
    compositions: [{ aggregate: "complete", assemblies: [subject.purl] }],
  };
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serialNumberOf(JSON.stringify(content)) };
  return `${JSON.stringify({ ...head, ...content }, null, 2)}\n`;
}

/** The package itself, from its package.json. */
export function applicationOf({ name, version, license }: Readonly<Record<"name" | "version" | "license", string>>) {
  return { type: "application", name, version, license, purl: npmUrl(name, version) } as const satisfies Material;
}

/** A package of npm, with the hash of its tarball. */
export function libraryOf({ name, version, license, integrity }: Omit<ShippedPackage, "licenceText">): Material {
  const hex = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return { type: "library", name, version, license, purl: npmUrl(name, version), hash: { alg: "SHA-512", hex } };
}

function npmUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

export function componentOf({ license, hash, purl, ...material }: Material): Component {
  return {
    "bom-ref": purl,
    ...material,
    ...(license !== undefined && { licenses: [licenceOf(license)] }),
    ...(hash === undefined ? {} : { hashes: [{ alg: hash.alg, content: hash.hex }] }),
    purl,
  };
}

function licenceOf(license: string) {
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } };
}

/** A UUID of version 8, whose bits are a hash (RFC 9562, section 5.8). */
function serialNumberOf(content: string): string {
  const hex = createHash("sha256").update(content).digest("hex");
  const [first, second, third] = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return `urn:uuid:${first}-${second}-${third}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
