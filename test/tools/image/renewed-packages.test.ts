import { describe, expect, it } from "vitest";
import { readAddress } from "../../../tools/image/renewed-packages.ts";

const MIRROR = "https://deb.debian.org";
const SHA256 = "a".repeat(64);

describe("a line of apt with the address of a package", () => {
  it("becomes an entry of the lock file, without the mirror", () => {
    const address = `${MIRROR}/debian/pool/main/g/gcc-14/libstdc%2b%2b6_14.2.0-19_amd64.deb`;
    const line = `'${address}' libstdc++6_14.2.0-19_amd64.deb 713628 SHA256:${SHA256}`;
    expect(readAddress(line, MIRROR)).toEqual({
      name: "libstdc++6",
      version: "14.2.0-19",
      path: "debian/pool/main/g/gcc-14/libstdc++6_14.2.0-19_amd64.deb",
      sha256: SHA256,
    });
  });

  it.each([
    ["with a weaker checksum", `'${MIRROR}/debian/a_1_all.deb' a_1_all.deb 1 MD5Sum:${"a".repeat(32)}`],
    ["from another mirror", `'https://other.example.org/debian/a_1_all.deb' a_1_all.deb 1 SHA256:${SHA256}`],
    ["without an address", "Need to get 1 B."],
  ])("is refused %s", (_, line) => {
    expect(() => readAddress(line, MIRROR)).toThrow(/Cannot read what apt-get printed/);
  });
});
