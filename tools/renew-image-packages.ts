import { writeFileSync } from "node:fs";
import { debianSource } from "./image/debian-source.ts";
import { LOCK_FILE } from "./image/debian-packages.ts";
import { renewedPackages } from "./image/renewed-packages.ts";

// Pins the newest Debian packages of the image: `npm run renew:image`, on Debian or Ubuntu with Debian's keyring.
// oxlint-disable-next-line node/no-process-env -- settings of the machine that builds
const lock = renewedPackages(debianSource(process.env).mirror);
writeFileSync(LOCK_FILE, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`Wrote ${LOCK_FILE}\n`);
