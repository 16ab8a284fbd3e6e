// Runs after `npm ci`, under whatever Node started npm: plain JavaScript for Node 20.
import { provideNode } from "./prepare/provide-node.js";
import { removeUnusedFiles } from "./prepare/remove-unused-files.js";

const packages = new URL("../node_modules/", import.meta.url);
provideNode(packages);
removeUnusedFiles(packages);
