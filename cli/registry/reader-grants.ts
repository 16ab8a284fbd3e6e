import { formatInstant } from "../../src/job/model/instant.ts";
import { GRANT_FORMS, readGrants } from "../../src/query/access/grant-text.ts";
import { grantReader, listReaders, type Reader } from "../../src/query/access/readers.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { age } from "../output/job-columns.ts";
import { type PrincipalOptions, requirePrincipal } from "../options/principal-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { PrintOptions } from "../options/query-options.ts";
import type { Column } from "../output/table.ts";
import { openRegistrations } from "./open-registrations.ts";

interface StageOptions {
  readonly stage?: string;
}

/** Sets the grants of a principal, in place of earlier ones. */
export async function grantTo(grants: readonly string[], options: StageOptions & PrincipalOptions): Promise<void> {
  const stage = requireStage(options);
  const { refused } = readGrants(grants);
  if (refused.length > 0) {
    throw new CommandFailure(
      2,
      `Invalid grant ${refused.map((text) => `"${text}"`).join(", ")}. Write ${GRANT_FORMS}.`,
    );
  }
  const principal = await requirePrincipal(options);
  const { registrations, deployment } = await openRegistrations(stage);
  if (deployment.output("Readers") !== "iam") throw new CommandFailure(2, tokensOf(stage));
  await grantReader(registrations, { ...principal, grants });
  remark(`Principal ${principal.principalId} is granted ${grants.join(", ")}. This takes effect within a minute.`);
}

/** Removes all grants of a principal. */
export async function revokeFrom(options: StageOptions & PrincipalOptions): Promise<void> {
  const { registrations } = await openRegistrations(requireStage(options));
  const { principalId } = await requirePrincipal(options);
  if ((await registrations.remove("readers", principalId)) === "absent") {
    throw new CommandFailure(1, `Principal ${principalId} has no grants. "outlive readers" lists the readers.`);
  }
  remark(`Principal ${principalId} may read nothing. This takes effect within a minute.`);
}

export async function printReaders(options: StageOptions & PrintOptions): Promise<void> {
  const { registrations } = await openRegistrations(requireStage(options));
  const readers = await listReaders(registrations);
  if (readers.length === 0 && isForPeople(options)) return remark("No IAM principal has a grant.");
  await printAnswer<Reader>(options, {
    document: { items: readers },
    rows: readers,
    columns: columns(Date.now()),
    name: ({ principalId }) => `reader/${principalId}`,
  });
}

function tokensOf(stage: string): string {
  return `Readers of stage ${stage} send tokens, whose claims have their grants (docs/access.md). It reads no others.`;
}

function requireStage({ stage }: StageOptions): string {
  if (stage !== undefined) return stage;
  throw new CommandFailure(
    2,
    "IAM principals read a deployment on AWS: name it with --stage. " +
      "A server of your own takes tokens: see outlive help serve.",
  );
}

function columns(now: number): readonly Column<Reader>[] {
  return [
    { header: "PRINCIPAL", cell: ({ principalId }) => principalId },
    { header: "GRANTS", cell: ({ grants }) => grants.join(",") },
    { header: "GRANTED", cell: ({ grantedAt }) => age(formatInstant(grantedAt), now) },
    { header: "ARN", wide: true, cell: ({ arn }) => arn },
  ];
}
