import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { COLUMNS } from "../../../src/archive/rows/job-rows.ts";
import { LIVE, synthesise } from "../synthesised.ts";

const { template, resources, outputs } = synthesise({ ...LIVE, archive: "true", stage: "prod-eu" });

interface Table {
  readonly TableInput: {
    readonly Name: string;
    readonly StorageDescriptor: { readonly Columns: readonly { readonly Name: string; readonly Type: string }[] };
  };
}

const tables = [...resources.values()]
  .filter(({ type }) => type === "AWS::Glue::Table")
  .map(({ properties }) => (properties as unknown as Table).TableInput);

describe("the tables of the archive", () => {
  it("are in a database of the stage", () => {
    template.hasResourceProperties("AWS::Glue::Database", { DatabaseInput: { Name: "outlive_prod_eu" } });
    template.allResourcesProperties("AWS::Glue::Table", { DatabaseName: "outlive_prod_eu" });
    expect(outputs).toMatchObject({ ArchiveDatabase: "outlive_prod_eu", ArchiveWorkGroup: "outlive-prod-eu" });
  });

  it("have the columns of the Parquet files, and the day as their only partition", () => {
    for (const { Name, StorageDescriptor } of tables) {
      const columns = COLUMNS[Name as keyof typeof COLUMNS].map(({ name }) => name);
      expect(StorageDescriptor.Columns.map((column) => column.Name)).toEqual(columns);
      expect(columns).not.toContain("dt");
    }
    expect(tables.map(({ Name }) => Name)).toEqual(["jobs", "runs", "attempts", "facts"]);
    template.allResourcesProperties("AWS::Glue::Table", {
      TableInput: Match.objectLike({ PartitionKeys: [Match.objectLike({ Name: "dt", Type: "string" })] }),
    });
  });

  it("find their partitions by their dates, without a crawler", () => {
    template.hasResourceProperties("AWS::Glue::Table", {
      TableInput: Match.objectLike({
        Name: "facts",
        Parameters: Match.objectLike({
          "projection.enabled": "true",
          "projection.dt.type": "date",
          "projection.dt.format": "yyyy-MM-dd",
          "storage.location.template": {
            "Fn::Join": ["", ["s3://", Match.anyValue(), "/archive/facts/dt=${dt}/"]],
          },
        }),
      }),
    });
    template.resourceCountIs("AWS::Glue::Crawler", 0);
  });

  it("are queried in a workgroup that encrypts results, deletes them, and limits what a query reads", () => {
    template.hasResourceProperties("AWS::Athena::WorkGroup", {
      Name: "outlive-prod-eu",
      WorkGroupConfiguration: {
        EnforceWorkGroupConfiguration: true,
        BytesScannedCutoffPerQuery: 1e12,
        ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: "SSE_S3" } },
      },
    });
    const results = [...resources.values()].find(({ path }) => path === "Archive/Tables/Results/Bucket");
    expect(results?.properties["LifecycleConfiguration"]).toMatchObject({ Rules: [{ ExpirationInDays: 7 }] });
    synthesise({ ...LIVE, archive: "true", encryption: "customer" }).template.hasResourceProperties(
      "AWS::Athena::WorkGroup",
      { WorkGroupConfiguration: { ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: "SSE_KMS" } } } },
    );
  });
});
