import { formatInstant } from "../../src/job/model/instant.ts";
import { readGrants } from "../../src/query/access/grant-text.ts";
import { grantReader, listReaders, type Reader } from "../../src/query/access/readers.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { age } from "../output/job-columns.ts";
import { choosePrincipal, type PrincipalOptions } from "../options/principal-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { isDeployed, type RegistryOptions } from "../options/registry-options.ts";
import type { Column } from "../output/table.ts";
import { withRegistry } from "./with-registry.ts";

/** Sets the grants of a principal, in place of earlier ones. */
export async function grantTo(grants: readonly string[], options: RegistryOptions & PrincipalOptions): Promise<void> {
  requireDeployed(options);
  const { refused } = readGrants(grants);
  if (refused.length > 0) {
    throw new CommandFailure(
      2,
      `Invalid grant ${refused.map((text) => `"${text}"`).join(", ")}. Write CLUSTER/NAMESPACE, CLUSTER/* or *.`,
    );
  }
  const principal = await choosePrincipal(options);
  if (principal === undefined) {
    throw new CommandFailure(2, "No principal is named. Set --principal-id or --principal-arn.");
  }
  const { principalId } = principal;
  const outcome = await withRegistry(options, ({ meta }) => grantReader(meta, { ...principal, grants }, Date.now()));
  if (outcome === "conflict") {
    throw new CommandFailure(2, "Another process changed the grants at the same time. Try again.");
  }
  remark(`Principal ${principalId} may read ${grants.join(", ") || "nothing"}, from its next request on.`);
}

export async function printReaders(options: RegistryOptions & PrintOptions): Promise<void> {
  requireDeployed(options);
  const readers = await withRegistry(options, ({ meta }) => listReaders(meta));
  if (readers.length === 0 && isForPeople(options)) return remark("No IAM principal has a grant.");
  await printAnswer<Reader>(options, {
    document: { items: readers },
    rows: readers,
    columns: columns(Date.now()),
    name: ({ principalId }) => `reader/${principalId}`,
  });
}

function requireDeployed(options: RegistryOptions): void {
  if (isDeployed(options)) return;
  throw new CommandFailure(
    2,
    "IAM principals read a deployment on AWS: name it with --stack or --meta-table. " +
      "A server of your own takes tokens: see outlive help serve.",
  );
}

function columns(now: number): readonly Column<Reader>[] {
  return [
    { header: "PRINCIPAL", cell: ({ principalId }) => principalId },
    { header: "GRANTS", cell: ({ grants }) => grants.join(",") },
    { header: "GRANTED", cell: ({ grantedAt }) => (grantedAt === undefined ? "" : age(formatInstant(grantedAt), now)) },
    { header: "ARN", wide: true, cell: ({ arn }) => arn },
  ];
}
