/** The fields of the checkout's package.json that describe the package too. */
const SAME = ["name", "version", "description", "keywords", "license", "type"] as const;

/** The package.json of the package: it depends on no other package, and npm runs nothing when it is installed. */
export function packageManifest(checkout: object): object {
  const given = checkout as Readonly<Record<string, unknown>>;
  return {
    ...Object.fromEntries(SAME.map((name) => [name, given[name]])),
    engines: { node: ">=24" },
    bin: given["bin"],
    exports: {
      ".": { types: "./client/outlive.d.ts", default: "./outlive.js" },
      "./client": { types: "./client/outlive-client.d.ts", default: "./client/outlive-client.js" },
      "./openapi.json": "./client/openapi.json",
      "./package.json": "./package.json",
    },
  };
}
