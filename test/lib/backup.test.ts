import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { readBackup } from "../../lib/backup.ts";
import { LIVE, synthesise } from "./synthesised.ts";

const VAULT = "arn:aws:backup:eu-west-1:123456789012:backup-vault:outlive";
const PLAN = "AWS::Backup::BackupPlan";

describe("backups", () => {
  it("are not made by default", () => {
    synthesise(LIVE).template.resourceCountIs(PLAN, 0);
  });

  it("are made daily of the log and the records, which nothing else can restore", () => {
    const { template, resources } = synthesise({ ...LIVE, backupDays: "90" });
    template.hasResourceProperties(PLAN, {
      BackupPlan: {
        BackupPlanRule: [
          { RuleName: "daily", ScheduleExpression: "cron(0 3 * * ? *)", Lifecycle: { DeleteAfterDays: 90 } },
        ],
      },
    });
    const [selection] = [...resources.values()].filter(({ type }) => type === "AWS::Backup::BackupSelection");
    const saved = JSON.stringify(selection?.properties["BackupSelection"]);
    const tables = [...resources].filter(([, { type }]) => type === "AWS::DynamoDB::Table");
    const names = tables.filter(([id]) => saved.includes(`"${id}"`)).map(([, { path }]) => path);
    expect(names.toSorted()).toEqual(["Log/Table", "Projection/Meta"]);
  });

  it("stay when the stack is deleted", () => {
    const { template } = synthesise({ ...LIVE, backupDays: "90" });
    template.hasResource("AWS::Backup::BackupVault", { DeletionPolicy: "Retain" });
  });

  it("are copied to a vault elsewhere if so configured, and kept there as long", () => {
    const { template } = synthesise({ ...LIVE, backupDays: "90", backupCopyVault: VAULT });
    const copy = { DestinationBackupVaultArn: VAULT, Lifecycle: { DeleteAfterDays: 90 } };
    template.hasResourceProperties(PLAN, {
      BackupPlan: { BackupPlanRule: [Match.objectLike({ CopyActions: [copy] })] },
    });
  });

  it.each([
    ["more days than AWS keeps", { backupDays: "4000" }, /backupDays/],
    ["a vault's name instead of its ARN", { backupDays: "1", backupCopyVault: "outlive" }, /ARN of a backup vault/],
    ["a copy without backups", { backupCopyVault: VAULT }, /backupDays/],
  ])("are refused with %s", (_, context: Readonly<Record<string, string>>, reason) => {
    expect(() => readBackup((name) => context[name])).toThrow(reason);
  });
});
