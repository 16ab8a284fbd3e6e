import { describe, expect, it } from "vitest";
import { allowList, isRefusedAddress } from "../../../src/adapters/addresses/refused-addresses.ts";

const nothing = allowList([]);

describe("an address", () => {
  it.each<[string, boolean]>([
    ["169.254.169.254", true],
    ["169.254.0.1", true],
    ["::ffff:169.254.169.254", true],
    ["::ffff:a9fe:a9fe", true],
    ["64:ff9b::a9fe:a9fe", true],
    ["2002:a9fe:a9fe::1", true],
    ["::169.254.169.254", true],
    ["::a9fe:a9fe", true],
    ["0:0:0:0:0:0:169.254.169.254", true],
    ["::2", true],
    ["::ffff:255.255.255.255", false],
    ["::ffff:0:169.254.169.254", true],
    ["::FFFF:0:A9FE:A9FE", true],
    ["::FFFF:A9FE:A9FE", true],
    ["::ffff:0:6464:64c8", true],
    ["::ffff:169.254.169.254%eth0", true],
    ["fe80::1%1", true],
    ["::1:0:0", false],
    ["64:FF9B::A9FE:A9FE", true],
    ["64:ff9b:1:ffff::a9fe:a9fe", true],
    ["64:ff9b:2::1", false],
    ["::ffff:10.1.2.3", false],
    ["::1%lo", false],
    ["fd00:ec2::254", true],
    ["fd00:ec2::23", true],
    ["fd20:ce::254", true],
    ["fd00:c1::a9fe:a9fe", true],
    ["64:ff9b::6464:64c8", true],
    ["64:ff9b:1::a9fe:a9fe", true],
    ["2002:6464:64c8::1", true],
    ["2001:0:a9fe:a9fe::1", true],
    ["fe80::1", true],
    ["100.100.100.200", true],
    ["0.0.0.0", true],
    ["::", true],
    ["239.1.1.1", true],
    ["no address", true],
    ["10.1.2.3", false],
    ["127.0.0.1", false],
    ["::1", false],
    ["203.0.113.9", false],
    ["2001:db8::1", false],
    ["fd00:ec3::1", false],
    ["fd20:ce::253", false],
    ["2001:4860:4860::8888", false],
    ["168.63.129.15", false],
  ])("%s is refused: %j", (address, refused) => {
    expect(isRefusedAddress(address, { allowed: nothing })).toBe(refused);
  });

  it("that is allowed is not refused", () => {
    const allowed = allowList(["169.254.1.0/24", "fe80::/64"]);
    expect(isRefusedAddress("169.254.1.9", { allowed })).toBe(false);
    expect(isRefusedAddress("fe80::9", { allowed })).toBe(false);
    expect(isRefusedAddress("169.254.169.254", { allowed })).toBe(true);
  });

  it.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])(
    "of the same machine is refused on AWS: %s",
    (address) => {
      expect(isRefusedAddress(address, { allowed: nothing, refusesLoopback: true })).toBe(true);
      expect(isRefusedAddress(address, { allowed: nothing })).toBe(false);
      expect(isRefusedAddress(address, { allowed: allowList(["127.0.0.0/8", "::1/128"]), refusesLoopback: true })).toBe(
        false,
      );
    },
  );

  it("of another machine is not refused on AWS", () => {
    for (const address of ["126.0.0.1", "128.0.0.1", "10.1.2.3"]) {
      expect(isRefusedAddress(address, { allowed: nothing, refusesLoopback: true })).toBe(false);
    }
  });
});
