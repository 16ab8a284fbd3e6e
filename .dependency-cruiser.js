// The rules about imports. Programs use `host`, which composes everything else. A folder of src imports only folders
// that stand before it in this list, so that no two folders import each other.
const folders =
  "job parents segment explain ports kubernetes log projection query count archive upkeep notify http adapters host";
const order = folders.split(" ");
const importsDown = order.map((folder, place) => ({
  name: `${folder}-imports-down`,
  comment: "Move the code to the lowest folder that can hold it. The README.md of a folder says what is in it.",
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: `^src/(${order.slice(0, place + 1).join("|")})/` },
}));
const useCases = "^src/(log|projection|query|count|archive|upkeep|notify|http)/";
const ofAws = "aws|cloudwatch-logs|dynamodb|eventbridge|iam|lambda|s3|secretsmanager|sns|sqs|ssm|stepfunctions|sts";
/** The shape of an answer: schemas, from which its types are inferred. */
const answerSchemas =
  "^src/explain/(answer-document|answer-parts|(run/run|compare/comparison)-document|[a-z]+/[a-z]+-schema)\\.ts$";
const infrastructure = "^(bin|lib)/";
const programs = "^(functions|cli|web)/";
/** Runs where the project is built, not in the page. */
const pageBuild = "^web/build(-page)?\\.ts$";
const notProduct = "^(test|bench)/";
const kubernetesClient = "(^|/)@kubernetes/client-node(/|$)";
const awsSdk = "(^|/)(@aws-sdk|@smithy)/";

const severity = "error";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-cycle", severity, from: {}, to: { circular: true } },
    {
      name: "no-unresolvable-import",
      comment: "`aws-lambda` is types alone (@types/aws-lambda): tsc finds it, a resolver of modules does not.",
      severity,
      from: {},
      to: { couldNotResolve: true, pathNot: "^aws-lambda$" },
    },
    {
      name: "no-barrel",
      comment: "Import from the file that holds the thing.",
      severity,
      from: {},
      to: { path: "/index\\.[jt]s$", pathNot: "node_modules/" },
    },
    {
      name: "no-undeclared-package",
      comment: "Add it to package.json, pinned.",
      severity,
      from: { pathNot: notProduct },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"], pathNot: "^aws-lambda$" },
    },
    {
      name: "no-development-package-in-product",
      comment:
        "The bundles of functions/ and web/ contain their packages. " +
        "lib/ and bin/ run where the project is deployed from.",
      severity,
      from: { path: ["^src/", "^cli/"] },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: "^node_modules/@types/" },
    },
    { name: "no-test-in-product", severity, from: { pathNot: [notProduct, "^[^/]+$"] }, to: { path: notProduct } },
    ...importsDown,
    {
      name: "pure-folders-import-no-package",
      comment: "segment compresses and hashes.",
      severity,
      from: { path: "^src/(job|parents|segment|explain)/", pathNot: answerSchemas },
      to: { pathNot: ["^src/", "^(node:)?(zlib|crypto)$"] },
    },
    {
      name: "answer-schemas-know-only-valibot",
      severity,
      from: { path: answerSchemas },
      to: { pathNot: ["^src/(explain|job)/", "(^|/)valibot(/|$)"] },
    },
    {
      name: "only-queries-and-the-api-load-answer-schemas",
      comment: "Everything else imports the types alone: explanations start without valibot.",
      severity,
      from: { pathNot: [answerSchemas, "^src/(http|query)/", notProduct] },
      to: { path: answerSchemas, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "use-cases-know-ports-not-adapters",
      comment: "A use case gets its adapters as arguments.",
      severity,
      from: { path: useCases },
      to: { path: ["^src/adapters/", "^src/kubernetes/connection/"] },
    },
    {
      name: "adapters-know-ports-not-use-cases",
      severity,
      from: { path: "^src/adapters/" },
      to: { path: [useCases, "^src/(parents|kubernetes)/"] },
    },
    {
      name: "adapters-do-not-import-each-other",
      comment: "aws holds what the adapters of AWS share, addresses what those share that contact a receiver.",
      severity,
      from: { path: "^src/adapters/([^/]+)/" },
      to: { path: "^src/adapters/", pathNot: ["^src/adapters/$1/", "^src/adapters/(aws|addresses)/"] },
    },
    {
      name: "adapters-of-other-systems-do-not-know-aws",
      severity,
      from: { path: "^src/adapters/", pathNot: `^src/adapters/(${ofAws})/` },
      to: { path: "^src/adapters/aws/" },
    },
    {
      name: "use-cases-do-not-know-the-erasing-command",
      comment: "They apply the rule of an erasure. Its command gets them as ports.",
      severity,
      from: { path: useCases, pathNot: "^src/log/erasure/command/" },
      to: { path: "^src/log/erasure/command/" },
    },
    {
      name: "parts-of-the-api-are-optional",
      comment: "The list of parts names them: the rest of the API works without them.",
      severity,
      from: {
        pathNot: [
          "^src/http/(kubectl|mcp)/",
          "^src/host/(optional/api-parts|client/ask-with)\\.ts$",
          "^cli/agents/mcp\\.ts$",
          notProduct,
        ],
      },
      to: { path: ["^src/http/(kubectl|mcp)/", "^src/http/routes/evidence-route\\.ts$"] },
    },
    {
      name: "evidence-is-optional",
      severity,
      from: {
        pathNot: ["^src/archive/evidence/", "^src/http/routes/evidence-route\\.ts$", "^cli/archive/", notProduct],
      },
      to: { path: "^src/archive/evidence/" },
    },
    {
      name: "legal-holds-are-optional",
      comment: "Only their commands know them. A build without them leaves them out of the list.",
      severity,
      from: { pathNot: ["^src/upkeep/holds/", "^src/host/optional/hold-sources\\.ts$", "^cli/hold/", notProduct] },
      to: { path: "^src/upkeep/holds/" },
    },
    {
      name: "host-does-not-go-in-circles",
      comment: "embedded uses exporter, exporter uses server and client; the others use neither.",
      severity,
      from: { path: "^src/host/(command-line|client|metrics|server)/" },
      to: { path: "^src/host/(embedded|exporter)/" },
    },
    {
      name: "exporter-does-not-know-embedded",
      severity,
      from: { path: "^src/host/exporter/" },
      to: { path: "^src/host/embedded/" },
    },
    { name: "src-knows-no-program", severity, from: { path: "^src/" }, to: { path: [infrastructure, programs] } },
    {
      name: "programs-do-not-import-each-other",
      comment: "Move what two programs share to a folder of composition in src.",
      severity,
      from: { path: "^(functions|cli|web)/" },
      to: { path: programs, pathNot: "^$1/" },
    },
    {
      name: "web-runs-pure-code-only",
      comment: "Types of answers may come from anywhere in src. What runs in a browser is pure, and small.",
      severity,
      from: { path: "^web/" },
      to: {
        path: "^src/",
        pathNot: [
          "^src/(job|parents|explain)/",
          "^src/ports/concurrency/(back-off|pause)\\.ts$",
          "^src/query/(summary/summary|usage/usage)-group\\.ts$",
          "^src/query/list/(job-filter|field-selector|label-selector)\\.ts$",
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "web-imports-no-module-of-node",
      severity,
      from: { path: "^web/", pathNot: pageBuild },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "infrastructure-names-code-by-path",
      comment:
        "A construct bundles functions by their paths; it does not import the code it deploys. " +
        "The names of both are in src/ports/deployment. Files of rules and log links, and registrations, " +
        "are inputs of both.",
      severity,
      from: { path: infrastructure },
      to: {
        path: ["^src/", programs],
        pathNot: [
          "^src/(ports/(deployment|files|registrations)|notify/rules|query/log-links|job/text)/",
          "^src/(ports/principal-id|query/access/grant-text)\\.ts$",
        ],
      },
    },
    {
      name: "published-client-stands-alone",
      comment: "It is installed with openapi-fetch, and runs without type stripping.",
      severity,
      from: { path: "^client/" },
      to: { pathNot: ["^client/", "(^|/)openapi-fetch(/|$)"] },
    },
    { name: "programs-know-no-infrastructure", severity, from: { path: programs }, to: { path: infrastructure } },
    {
      name: "kubernetes-client-only-in-kubernetes-connection",
      severity,
      from: { pathNot: ["^src/kubernetes/connection/", notProduct, "^node_modules/"] },
      to: { path: kubernetesClient },
    },
    {
      name: "aws-sdk-only-in-its-adapters",
      severity,
      from: {
        pathNot: [`^src/adapters/(${ofAws})/`, notProduct, "^node_modules/"],
      },
      to: { path: awsSdk },
    },
    {
      name: "node-sqlite-only-in-sqlite",
      severity,
      from: { pathNot: ["^src/adapters/sqlite/", notProduct] },
      to: { path: "^(node:)?sqlite$" },
    },
    {
      name: "process-is-a-global",
      comment:
        "`import { env } from 'node:process'` would pass by the rule that only src/host/runtime reads the environment.",
      severity,
      from: {},
      to: { path: "^(node:)?process$" },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API for others; swc reads the sources, type imports too.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(coverage|cdk\\.out|dist|web/dist)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".json"],
    },
  },
};
