// The house's rule about imports, as design and layout have it: they point down only.
//   bin lib | functions exporter cli  ->  src/http  ->  use cases  ->  ports  ->  src/segment  ->  src/job
// Adapters stand beside the use cases: they implement ports, and only the wiring (functions, exporter, cli) knows both.
const useCases = "^src/(ingest|delivery|projection|query|replay|sweep|archive)/";
const adapters = "^src/(sqlite|spool|dynamodb|sqs|s3|lambda|iam|cloudformation|oidc|kubernetes)/";
const infrastructure = "^(bin|lib)/";
const wiring = "^(functions|exporter|cli)/";
const notProduct = "^(test|bench|tools)/";
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
        "What functions/ and web/ need is in their bundles; lib/ and bin/ run where the project is deployed from.",
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
      name: "segment-knows-only-job-zlib-and-crypto",
      severity,
      from: { path: "^src/segment/" },
      to: { pathNot: ["^src/(segment|job)/", "^(node:)?(zlib|crypto)$"] },
    },
    {
      name: "ports-know-only-segment-and-job",
      severity,
      from: { path: "^src/ports/" },
      to: { pathNot: "^src/(ports|segment|job)/" },
    },
    {
      name: "use-cases-know-ports-not-adapters",
      comment: "What a use case needs comes in as an argument; the type of a clock or logger may be imported.",
      severity,
      from: { path: useCases },
      to: { path: [adapters, "^src/http/", infrastructure, wiring] },
    },
    {
      name: "use-cases-get-the-runtime-as-an-argument",
      severity,
      from: { path: [useCases, "^src/http/"] },
      to: { path: "^src/runtime/", dependencyTypesNot: ["type-only"] },
    },
    { name: "http-knows-use-cases-not-adapters", severity, from: { path: "^src/http/" }, to: { path: adapters } },
    {
      name: "adapters-do-not-import-each-other",
      severity,
      from: { path: "^src/(sqlite|spool|dynamodb|sqs|s3|lambda|iam|cloudformation|oidc|kubernetes)/" },
      to: { path: adapters, pathNot: "^src/$1/" },
    },
    {
      name: "adapters-know-ports-not-use-cases",
      severity,
      from: { path: adapters },
      to: { path: [useCases, "^src/http/"] },
    },
    {
      name: "runtime-knows-nothing-of-the-rest",
      severity,
      from: { path: "^src/runtime/" },
      to: { path: "^src/", pathNot: "^src/runtime/" },
    },
    { name: "src-knows-no-wiring", severity, from: { path: "^src/" }, to: { path: [infrastructure, wiring, "^web/"] } },
    {
      name: "infrastructure-names-code-by-path",
      comment: "A construct gives NodejsFunction the entry's path; it does not import the code it deploys.",
      severity,
      from: { path: infrastructure },
      to: { path: ["^src/", wiring] },
    },
    { name: "wiring-knows-no-infrastructure", severity, from: { path: wiring }, to: { path: infrastructure } },
    {
      name: "kubernetes-client-only-in-kubernetes-and-exporter",
      severity,
      from: { pathNot: ["^src/kubernetes/", "^exporter/", notProduct, "^node_modules/"] },
      to: { path: kubernetesClient },
    },
    {
      name: "aws-sdk-only-in-its-adapters",
      severity,
      from: { pathNot: ["^src/(dynamodb|sqs|s3|lambda|iam|cloudformation)/", notProduct, "^node_modules/"] },
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
    exclude: { path: "^(coverage|cdk\\.out|dist|web)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".json"],
    },
  },
};
