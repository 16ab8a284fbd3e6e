// The rules about imports. They point down only:
//   bin lib | functions cli exporter web  ->  composition  ->  use cases  ->  ports  ->  segment  ->  explain
//     ->  parents  ->  job
// Adapters stand beside the use cases. They implement ports; only composition and the programs know both.
// text and concurrency are leaves that every layer may import. deployment is one that everything but pure code may
// import.
const composition = "^src/(command-line|client|server|embedded|exporter)/";
const ofUse =
  "ingest|delivery|projection|query|replay|sweep|retention|archive|erasure|erase|restore|notify|metrics|counts";
const useCases = `^src/(${ofUse}|http|kubectl-api)/`;
const ofAws = "dynamodb|sqs|sns|eventbridge|secretsmanager|s3|lambda|iam|cloudformation|aws";
const adapters = `^src/(${ofAws}|sqlite|folder|spool|oidc|kubernetes|webhook)/`;
const leaves = "^src/(text|concurrency)/";
const infrastructure = "^(bin|lib)/";
const programs = "^(functions|exporter|cli|web)/";
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
      from: { path: ["^src/", "^(exporter|cli)/"] },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: "^node_modules/@types/" },
    },
    { name: "no-test-in-product", severity, from: { pathNot: [notProduct, "^[^/]+$"] }, to: { path: notProduct } },
    {
      name: "job-imports-nothing-from-outside",
      severity,
      from: { path: "^src/job/" },
      to: { pathNot: "^src/job/" },
    },
    {
      name: "parents-know-only-job",
      severity,
      from: { path: "^src/parents/" },
      to: { pathNot: ["^src/(parents|job)/", leaves] },
    },
    {
      name: "explain-knows-only-parents-and-job",
      severity,
      from: { path: "^src/explain/" },
      to: { pathNot: ["^src/(explain|parents|job)/", leaves] },
    },
    {
      name: "segment-knows-only-parents-job-zlib-and-crypto",
      severity,
      from: { path: "^src/segment/" },
      to: { pathNot: ["^src/(segment|parents|job)/", leaves, "^(node:)?(zlib|crypto)$"] },
    },
    {
      name: "ports-know-only-segment-explain-parents-and-job",
      comment: "valibot reads the records that ports store.",
      severity,
      from: { path: "^src/ports/" },
      to: { pathNot: ["^src/(ports|segment|explain|parents|job)/", leaves, "(^|/)valibot(/|$)"] },
    },
    {
      name: "leaves-know-nothing-of-the-rest",
      severity,
      comment: "deployment may name the type of a record.",
      from: { path: "^src/(text|deployment)/" },
      to: { path: "^src/", pathNot: "^src/$1/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "runtime-knows-only-the-deployment",
      severity,
      from: { path: "^src/runtime/" },
      to: { path: "^src/", pathNot: "^src/(runtime|deployment)/" },
    },
    {
      name: "concurrency-knows-only-the-clock",
      severity,
      from: { path: "^src/concurrency/" },
      to: { path: "^src/", pathNot: ["^src/concurrency/", "^src/runtime/clock\\.ts$"] },
    },
    {
      name: "use-cases-know-ports-not-adapters",
      comment: "A use case gets its adapters as arguments.",
      severity,
      from: { path: useCases },
      to: { path: [adapters, composition] },
    },
    {
      name: "erasure-is-below-archive-and-erase",
      comment: "erasure has the rule and its records; archive applies them to objects; erase is the command.",
      severity,
      from: { path: "^src/erasure/" },
      to: { path: "^src/(archive|erase)/" },
    },
    { name: "archive-does-not-know-erase", severity, from: { path: "^src/archive/" }, to: { path: "^src/erase/" } },
    {
      name: "queries-and-projections-do-not-know-counts",
      comment: "They tell an observer, or read a port.",
      severity,
      from: { path: "^src/(projection|query)/" },
      to: { path: "^src/(counts|metrics)/" },
    },
    { name: "metrics-do-not-know-counts", severity, from: { path: "^src/metrics/" }, to: { path: "^src/counts/" } },
    {
      name: "use-cases-do-not-know-the-api",
      severity,
      from: { path: useCases, pathNot: "^src/(http|kubectl-api)/" },
      to: { path: "^src/(http|kubectl-api)/" },
    },
    {
      name: "use-cases-get-the-runtime-as-an-argument",
      comment: "The type of a clock or a journal may be imported.",
      severity,
      from: { path: useCases },
      to: { path: "^src/runtime/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "adapters-do-not-import-each-other",
      comment: "aws holds what the adapters of AWS share.",
      severity,
      from: {
        path: adapters,
      },
      to: { path: adapters, pathNot: ["^src/$1/", "^src/aws/"] },
    },
    {
      name: "aws-is-for-adapters-of-aws",
      severity,
      from: { path: "^src/(sqlite|folder|spool|oidc|kubernetes|webhook)/" },
      to: { path: "^src/aws/" },
    },
    {
      name: "adapters-know-ports-not-use-cases",
      severity,
      from: { path: adapters },
      to: { path: [useCases, composition] },
    },
    {
      name: "composition-does-not-go-in-circles",
      comment: "embedded uses exporter, exporter uses server and client; command-line, server and client use neither.",
      severity,
      from: { path: "^src/(command-line|client|server)/" },
      to: { path: "^src/(embedded|exporter)/" },
    },
    {
      name: "exporter-does-not-know-embedded",
      severity,
      from: { path: "^src/exporter/" },
      to: { path: "^src/embedded/" },
    },
    { name: "src-knows-no-program", severity, from: { path: "^src/" }, to: { path: [infrastructure, programs] } },
    {
      name: "programs-do-not-import-each-other",
      comment: "Move what two programs share to a folder of composition in src.",
      severity,
      from: { path: "^(functions|exporter|cli|web)/" },
      to: { path: programs, pathNot: "^$1/" },
    },
    {
      name: "web-runs-pure-code-only",
      comment: "Types of answers may come from anywhere in src. What runs in a browser is pure, and small.",
      severity,
      from: { path: "^web/" },
      to: {
        path: "^src/",
        pathNot: ["^src/(job|parents|explain)/", leaves, "^src/query/summary/summary-group\\.ts$"],
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
        "The names of both are in src/deployment. Files of rules and of log links are inputs of both.",
      severity,
      from: { path: infrastructure },
      to: { path: ["^src/", programs], pathNot: "^src/(deployment|notify/rules|query/log-links|text)/" },
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
        pathNot: [`^src/(${ofAws})/`, notProduct, "^node_modules/"],
      },
      to: { path: awsSdk },
    },
    {
      name: "node-sqlite-only-in-sqlite",
      severity,
      from: { pathNot: ["^src/sqlite/", notProduct] },
      to: { path: "^(node:)?sqlite$" },
    },
    {
      name: "process-is-a-global",
      comment:
        "`import { env } from 'node:process'` would pass by the rule that only src/runtime reads the environment.",
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
