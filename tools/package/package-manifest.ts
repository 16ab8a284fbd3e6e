/** The fields of the checkout's package.json that describe the package too. */
const SAME = ["name", "version", "description", "keywords", "license", "type"] as const;

/** The package.json of the package: it needs no other package, and npm runs nothing when it is installed. */
export function packageManifest(checkout: object): object {
  const given = checkout as Readonly<Record<string, unknown>>;
  return {
    ...Object.fromEntries(SAME.map((name) => [name, given[name]])),
    engines: { node: ">=24" },
    bin: given["bin"],
    // An app that uses the construct has both. Nobody else needs them.
    peerDependencies: { "aws-cdk-lib": "^2.275.0", constructs: "^10.8.0" },
    peerDependenciesMeta: { "aws-cdk-lib": { optional: true }, constructs: { optional: true } },
    exports: {
      ".": { types: "./client/outlive.d.ts", default: "./outlive.js" },
      "./client": { types: "./client/outlive-client.d.ts", default: "./client/outlive-client.js" },
      "./cdk": { types: "./cdk/types/lib/index.d.ts", default: "./cdk/index.js" },
      "./openapi.json": "./client/openapi.json",
      "./package.json": "./package.json",
    },
  };
}
