import { fileURLToPath } from "node:url";
import { buildPage } from "./build-page.ts";

await buildPage(fileURLToPath(new URL("./dist", import.meta.url)));
