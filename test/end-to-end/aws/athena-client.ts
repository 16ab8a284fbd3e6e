import type { DeployedStack } from "./deployed-stack.ts";
import { poll } from "./poll.ts";

/** A row of a result: the text of each column by its name; NULL is absent. */
export type ResultRow = Readonly<Record<string, string>>;

interface Results {
  readonly ResultSet: { readonly Rows: readonly { readonly Data: readonly { readonly VarCharValue?: string }[] }[] };
  readonly NextToken?: string;
}

interface Execution {
  readonly QueryExecution: { readonly Status: { readonly State: string; readonly StateChangeReason?: string } };
}

interface Queries {
  readonly NamedQueryIds: readonly string[];
}

interface Query {
  readonly NamedQuery: { readonly Name: string; readonly QueryString: string; readonly Database: string };
}

type Call = <Answer>(action: string, input: object) => Promise<Answer>;

/** Athena's JSON protocol. Emulators do not check the signature. */
function callsTo({ endpoint, environment }: DeployedStack["emulator"]): Call {
  const region = environment["AWS_REGION"] ?? "";
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20261121/${region}/athena/aws4_request`;
  return async <Answer>(action: string, input: object): Promise<Answer> => {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AmazonAthena.${action}`,
        authorization,
      },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${action}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
}

/** All pages of a result. The first row has the names of the columns. */
async function rowsOf(call: Call, id: string): Promise<readonly ResultRow[]> {
  const rows: Results["ResultSet"]["Rows"][number][] = [];
  let token: string | undefined;
  do {
    const next = token === undefined ? {} : { NextToken: token };
    const page = await call<Results>("GetQueryResults", { QueryExecutionId: id, ...next });
    rows.push(...page.ResultSet.Rows);
    token = page.NextToken;
  } while (token !== undefined);
  const [head, ...body] = rows.map(({ Data }) => Data.map(({ VarCharValue }) => VarCharValue));
  return body.map((cells) =>
    Object.fromEntries(
      cells.flatMap((cell, index) => (cell === undefined ? [] : [[head?.[index] ?? `${index}`, cell]])),
    ),
  );
}

/** Athena of a deployed stack. */
export function createAthenaClient({ emulator, outputs }: DeployedStack) {
  const call = callsTo(emulator);
  const workGroup = { WorkGroup: outputs.ArchiveWorkGroup };
  return {
    /** The SQL of the named queries of the workgroup, by name. */
    namedQueries: async (): Promise<ReadonlyMap<string, string>> => {
      const { NamedQueryIds } = await call<Queries>("ListNamedQueries", workGroup);
      const queries = await Promise.all(
        NamedQueryIds.map((NamedQueryId) => call<Query>("GetNamedQuery", { NamedQueryId })),
      );
      return new Map(queries.map(({ NamedQuery }) => [NamedQuery.Name, NamedQuery.QueryString]));
    },
    /** Runs a query and returns its rows. Throws with Athena's reason. */
    run: async (sql: string): Promise<readonly ResultRow[]> => {
      const { QueryExecutionId: id } = await call<{ readonly QueryExecutionId: string }>("StartQueryExecution", {
        QueryString: sql,
        QueryExecutionContext: { Database: outputs.ArchiveDatabase },
        ...workGroup,
      });
      await poll("the query ends", async () => {
        const { Status } = (await call<Execution>("GetQueryExecution", { QueryExecutionId: id })).QueryExecution;
        if (Status.State === "FAILED") throw new Error(`Athena: ${Status.StateChangeReason ?? "no reason"}`);
        return Status.State === "SUCCEEDED" ? true : undefined;
      });
      return rowsOf(call, id);
    },
  };
}
