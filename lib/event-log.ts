import { Lazy } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import {
  AnyPrincipal,
  Effect,
  type IRole,
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
} from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { GRANTS, LOG_CHANGES } from "../src/ports/deployment/grants.ts";
import { LOG_SCHEMA } from "../src/ports/deployment/tables.ts";
import type { OutliveFunction } from "./outlive-function.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";
import { createTable, streamArnOf, type TableOptions } from "./storage/table.ts";

export interface EventLogProps {
  readonly storage: StoragePolicy;
  /** Who decides whether expired items are deleted. @default "always" */
  readonly expires?: TableOptions["expires"];
  /** Whether a role may write the remains of erased items. @default false */
  readonly isErasable?: boolean;
}

/**
 * The append-only log: one item per segment, written once (docs/architecture.md, invariant 1). Its stream delivers each
 * new item to the projection.
 *
 * IAM enforces this twice: no role has more than PutItem or read access, and the table's resource policy denies every
 * action that changes or deletes an item, and PutItem to all principals except the role of ingest. Where a stage has a
 * role for erasures (lib/erasure/erasure.ts), the policy admits it to UpdateItem. IAM cannot prevent a
 * PutItem of that role over an existing key, because no condition key shows whether a request has
 * `attribute_not_exists`. The alarm LogItemsTouched reports such a write; point-in-time recovery has the previous item.
 */
export class EventLog extends Construct {
  readonly table: Table;
  /** ARNs of the roles that may append. The table's policy is rendered after every role has been added. */
  readonly #writers: string[] = [];
  /** ARNs of the roles that may write the remains of an erased item. */
  readonly #erasers: string[] = [];

  constructor(scope: Construct, id: string, { storage, expires = "always", isErasable = false }: EventLogProps) {
    super(scope, id);
    const writers = Lazy.list({ produce: () => this.#writers });
    const erasers = isErasable ? Lazy.list({ produce: () => this.#erasers }) : undefined;
    const resourcePolicy = appendOnly({ writers, erasers });
    this.table = createTable(this, "Table", { schema: LOG_SCHEMA, storage, content: "log", resourcePolicy, expires });
  }

  /** The ARN of the table's stream. */
  get streamArn(): string {
    return streamArnOf(this.table);
  }

  /** Grants a function appending. The table's policy denies PutItem to all other principals. */
  grantAppend(writer: OutliveFunction): void {
    this.#writers.push(writer.role.roleArn);
    writer.allow(GRANTS.appendLog, [this.table.tableArn]);
  }

  /**
   * Grants a role writing the remains of erased items. The table's policy denies UpdateItem to all other principals.
   */
  admitEraser({ roleArn }: IRole): void {
    this.#erasers.push(roleArn);
  }

  /** Grants a function suspending the expiry of the log. It cannot change or delete items. */
  grantGuardExpiry(guard: OutliveFunction): void {
    guard.allow(GRANTS.guardExpiry, [this.table.tableArn]);
  }

  grantRead(reader: OutliveFunction): void {
    reader.allow(GRANTS.readLog, [this.table.tableArn]);
  }
}

/**
 * Denies BatchWriteItem as a whole, because IAM cannot tell its puts from its deletes. A transaction needs the
 * permissions of its parts. Expiry by time to live needs no permission. The resource is `*`, because the table's own
 * ARN would make the table depend on itself; the policy applies to this table only.
 *
 * `aws:PrincipalArn` of a function is the ARN of its role, whatever the session.
 */
function appendOnly({ writers, erasers }: Admitted): PolicyDocument {
  const anyPrincipal = { effect: Effect.DENY, principals: [new AnyPrincipal()], resources: ["*"] };
  return new PolicyDocument({
    statements: [
      ...changesBy(anyPrincipal, erasers),
      new PolicyStatement({
        ...anyPrincipal,
        sid: "OnlyIngestAppends",
        actions: [...GRANTS.appendLog],
        conditions: { ArnNotEquals: { "aws:PrincipalArn": writers } },
      }),
    ],
  });
}

interface Admitted {
  readonly writers: string[];
  /** Absent where the stage has no role for erasures. */
  readonly erasers: string[] | undefined;
}

function changesBy(denied: PolicyStatementProps, erasers: string[] | undefined): readonly PolicyStatement[] {
  const sid = "LogItemsAreNeverChangedOrDeleted";
  if (erasers === undefined) return [new PolicyStatement({ ...denied, sid, actions: [...LOG_CHANGES] })];
  const rewriting: readonly string[] = GRANTS.rewriteLog;
  return [
    new PolicyStatement({ ...denied, sid, actions: LOG_CHANGES.filter((action) => !rewriting.includes(action)) }),
    new PolicyStatement({
      ...denied,
      sid: "OnlyErasuresRewrite",
      actions: [...rewriting],
      conditions: { ArnNotEquals: { "aws:PrincipalArn": erasers } },
    }),
  ];
}
