import { BlockList, isIP } from "node:net";

/**
 * Addresses that no receiver can have: link-local addresses (where clouds serve the credentials of a machine),
 * unspecified and multicast addresses. Private addresses are allowed, because receivers may be in the same network.
 */
const REFUSED: readonly (readonly [address: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["224.0.0.0", 4, "ipv4"],
  // Metadata services outside of the link-local range: Alibaba Cloud, Azure, Oracle Cloud.
  ["100.100.100.200", 32, "ipv4"],
  ["168.63.129.16", 32, "ipv4"],
  ["192.0.0.192", 32, "ipv4"],
  ["::", 128, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
  // Amazon EC2 and EKS, Google Cloud, Oracle Cloud.
  ["fd00:ec2::", 32, "ipv6"],
  ["fd20:ce::254", 128, "ipv6"],
  ["fd00:c1::a9fe:a9fe", 128, "ipv6"],
  // Addresses that a host or a network translates to the IPv4 address in them: SIIT, NAT64, 6to4, Teredo. BlockList
  // compares IPv4-mapped ones (::ffff:0:0/96) with the IPv4 addresses above.
  ["::ffff:0:0:0", 96, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["64:ff9b:1::", 48, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["2001::", 32, "ipv6"],
];

const refused = new BlockList();
for (const [address, prefix, family] of REFUSED) refused.addSubnet(address, prefix, family);
// IPv4-compatible addresses (RFC 4291, 2.5.5.1), which have the loopback address ::1 among them.
refused.addRange("::2", "::ffff:ffff", "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export interface AddressRules {
  /** Exceptions. */
  readonly allowed: BlockList;
  /**
   * Whether loopback addresses are refused, too. A receiver may run beside a tracker on the same machine. In Lambda,
   * they are the runtime of the function. @default false
   */
  readonly refusesLoopback?: boolean | undefined;
}

/** Whether a message may not be sent to an IP address. */
export function isRefusedAddress(address: string, { allowed, refusesLoopback = false }: AddressRules): boolean {
  const version = isIP(address);
  if (version === 0) return true;
  const family = version === 4 ? "ipv4" : "ipv6";
  const isRefused = refused.check(address, family) || (refusesLoopback && loopback.check(address, family));
  return isRefused && !allowed.check(address, family);
}

/** A list of addresses in CIDR notation. Invalid entries are left out: the rule file was checked. */
export function allowList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits = ""] = cidr.split("/");
    const version = isIP(address);
    if (version !== 0) list.addSubnet(address, Number(bits), version === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
