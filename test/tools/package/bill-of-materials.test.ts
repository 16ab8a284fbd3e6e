import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applicationOf,
  billOfMaterials,
  type Component,
  componentOf,
  libraryOf,
  type Material,
} from "../../../tools/package/bill-of-materials.ts";
import { schemaErrors } from "../../support/cyclonedx.ts";

const SUBJECT = applicationOf({ name: "outlive", version: "1.2.3", license: "Apache-2.0" });

function material(name: string, license = "MIT"): Material {
  return libraryOf({ name, version: "2.0.0", license, integrity: "sha512-AAEC" });
}

function library(name: string, license?: string): Component {
  return componentOf(material(name, license));
}

function componentsOf(bill: string): readonly Readonly<Record<string, unknown>>[] {
  return (JSON.parse(bill) as { readonly components: readonly Record<string, unknown>[] }).components;
}

function serialNumberOf(bill: string): string {
  return (JSON.parse(bill) as { readonly serialNumber: string }).serialNumber;
}

describe("a package of a scope", () => {
  it("has the escaped name in its package URL, and its hash in hexadecimal digits", () => {
    expect(componentsOf(billOfMaterials(SUBJECT, [library("@scope/part")]))).toEqual([
      {
        "bom-ref": "pkg:npm/%40scope/part@2.0.0",
        type: "library",
        name: "@scope/part",
        version: "2.0.0",
        licenses: [{ license: { id: "MIT" } }],
        hashes: [{ alg: "SHA-512", content: "000102" }],
        purl: "pkg:npm/%40scope/part@2.0.0",
      },
    ]);
  });
});

describe("the licence of a package", () => {
  it.each([
    ["MIT", { license: { id: "MIT" } }],
    ["Apache-2.0 AND MIT", { expression: "Apache-2.0 AND MIT" }],
    ["(MIT OR GPL-3.0-or-later)", { expression: "(MIT OR GPL-3.0-or-later)" }],
  ])("%s is an id or an expression", (license, expected) => {
    const [component] = componentsOf(billOfMaterials(SUBJECT, [library("part", license)]));
    expect(component?.["licenses"]).toEqual([expected]);
  });

  it("fails the schema if SPDX does not list it", () => {
    const hash = { alg: "SHA-512", hex: "0".repeat(128) } as const;
    const bill = (license: string) => billOfMaterials(SUBJECT, [componentOf({ ...material("part", license), hash })]);
    expect(schemaErrors(bill("MIT"))).toEqual([]);
    expect(schemaErrors(bill("Our own"))).toEqual([]);
    expect(schemaErrors(bill("OurOwn"))).not.toEqual([]);
  });
});

describe("a bill of materials", () => {
  it("has the same bytes for the same materials in any order", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 8 });
    const orders = names.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(orders, ([one, other]) => {
        const [first, second] = [one, other].map((each) =>
          billOfMaterials(
            SUBJECT,
            each.map((name) => library(name)),
          ),
        );
        expect(first).toBe(second);
      }),
    );
  });

  it("has another serial number if a material changes", () => {
    const numbers = ["one", "other"].map((name) => serialNumberOf(billOfMaterials(SUBJECT, [library(name)])));
    expect(new Set(numbers).size).toBe(2);
  });
});
