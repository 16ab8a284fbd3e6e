import { CfnNamedQuery, CfnWorkGroup } from "aws-cdk-lib/aws-athena";
import { CfnDatabase, CfnTable } from "aws-cdk-lib/aws-glue";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Stack } from "aws-cdk-lib";
import { Construct } from "constructs";
import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import { ARCHIVE_TABLES, type ArchiveTable } from "../../src/ports/deployment/archive-tables.ts";
import { RetainedBucket } from "../storage/retained-bucket.ts";
import type { StoragePolicy } from "../storage/storage-policy.ts";
import { NAMED_QUERIES } from "./named-queries.ts";

export interface ArchiveTablesProps {
  readonly stage: string;
  readonly storage: StoragePolicy;
  readonly archive: Bucket;
}

/** Results of queries are read at once, or queried again. */
const RESULT_DAYS = 7;
/** No query reads more: 1 TB costs about 5 USD. */
const MOST_BYTES = 1e12;
/** The first day that queries look for. The archive has no part of an earlier day. */
const FIRST_DAY = "2020-01-01";

/**
 * The tables of the archive for Athena: a Glue database, a workgroup with its own results, and queries by name. Athena
 * computes the partitions from the dates (partition projection), so that no crawler runs and no partition is missing.
 * The cluster is a column of the files: its folders are below those of the days, and Athena reads both.
 */
export class ArchiveTables extends Construct {
  readonly database: string;
  readonly workGroup: string;
  /** The results of queries. */
  readonly results: Bucket;

  constructor(scope: Construct, id: string, props: ArchiveTablesProps) {
    super(scope, id);
    const { stage } = props;
    this.database = `outlive_${stage.replaceAll("-", "_")}`;
    this.workGroup = `outlive-${stage}`;
    const catalogId = Stack.of(this).account;
    const description = `The archive of Outlive's stage ${stage}`;
    const database = new CfnDatabase(this, "Database", {
      catalogId,
      databaseInput: { name: this.database, description },
    });
    for (const [table, columns] of Object.entries(ARCHIVE_TABLES)) {
      new CfnTable(this, table, {
        catalogId,
        databaseName: this.database,
        tableInput: tableInput(table, columns, `s3://${props.archive.bucketName}/${ARCHIVE_FOLDER}/${table}`),
      }).addResourceDependency(database);
    }
    this.results = new RetainedBucket(this, "Results", { storage: props.storage, days: RESULT_DAYS }).bucket;
    this.#createQueries(this.#createWorkGroup(props));
  }

  #createWorkGroup({ storage }: ArchiveTablesProps): CfnWorkGroup {
    const { key, disposable = false } = storage;
    return new CfnWorkGroup(this, "WorkGroup", {
      name: this.workGroup,
      description: "Queries of the archive of Outlive",
      recursiveDeleteOption: disposable,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        bytesScannedCutoffPerQuery: MOST_BYTES,
        engineVersion: { selectedEngineVersion: "Athena engine version 3" },
        resultConfiguration: {
          outputLocation: `s3://${this.results.bucketName}/`,
          encryptionConfiguration:
            key === undefined ? { encryptionOption: "SSE_S3" } : { encryptionOption: "SSE_KMS", kmsKey: key.keyArn },
        },
      },
    });
  }

  #createQueries(workGroup: CfnWorkGroup): void {
    for (const { name, description, sql } of NAMED_QUERIES) {
      new CfnNamedQuery(this, name, {
        name,
        description,
        database: this.database,
        workGroup: this.workGroup,
        queryString: sql,
      }).addResourceDependency(workGroup);
    }
  }
}

function tableInput(name: string, columns: ArchiveTable, location: string): CfnTable.TableInputProperty {
  return {
    name,
    tableType: "EXTERNAL_TABLE",
    parameters: {
      classification: "parquet",
      "projection.enabled": "true",
      "projection.dt.type": "date",
      "projection.dt.format": "yyyy-MM-dd",
      "projection.dt.range": `${FIRST_DAY},NOW+1DAYS`,
      "projection.dt.interval": "1",
      "projection.dt.interval.unit": "DAYS",
      // Athena replaces ${dt}.
      "storage.location.template": `${location}/dt=\${dt}/`,
    },
    partitionKeys: [{ name: "dt", type: "string", comment: "The UTC day of the end, or of the fact" }],
    storageDescriptor: {
      location: `${location}/`,
      columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
      inputFormat: "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
      outputFormat: "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
      serdeInfo: { serializationLibrary: "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe" },
    },
  };
}
