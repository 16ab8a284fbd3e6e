import type { ShippedPackage } from "./shipped-packages.ts";

/** The name, version, licence and its text of each package of which something is shipped. */
export function licencesOf(packages: readonly ShippedPackage[]): string {
  return `The code of this package contains code of:\n\n${packages.map(entryOf).join(`\n${"-".repeat(80)}\n\n`)}`;
}

function entryOf({ name, version, license, licenceText }: ShippedPackage): string {
  return `${name} ${version} (${license})\n\n${licenceText}\n`;
}
