import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Files of packages that nothing here reads, some 70 MB: each pattern matches a path below `node_modules/`.
 * @type {readonly RegExp[]}
 */
const UNUSED = [
  // Source maps, which Node reads only with --enable-source-maps.
  /\.map$/,
  // The descriptions from which jsii generates Python, Java and Go packages of the CDK.
  /^(aws-cdk-lib|cdk-nag|constructs|@aws-cdk\/[^/]+)\/\.jsii(\.tabl\.json)?(\.gz)?$/,
  // The AWS CLI and a proxy agent for the CDK's bucket deployments and custom EKS resources; the stack has neither.
  /^@aws-cdk\/asset-[^/]+\/lib\/layer\.zip$/,
  // Declarations of the AWS SDK for TypeScript before 4.5.
  /^@(aws-sdk|aws|smithy)\/.*\/ts3\.4\/.*\.d\.ts$/,
];

/**
 * Removes what the installed packages contain and this project never reads.
 *
 * @param {URL} packages the folder `node_modules/`
 */
export function removeUnusedFiles(packages) {
  const root = fileURLToPath(packages);
  for (const path of readdirSync(root, { encoding: "utf8", recursive: true })) {
    if (UNUSED.some((pattern) => pattern.test(path))) rmSync(join(root, path), { force: true });
  }
}
