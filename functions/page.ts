import { join } from "node:path";
import type { APIGatewayProxyResult } from "aws-lambda";
import { readPageFiles } from "../src/http/page/page-files.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import type { GatewayEvent } from "./events/gateway-event.ts";
import { onPageRequest } from "./events/page-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { signInOf } from "./lambda/sign-in.ts";

const settings = readFunctionSettings("page", process.env);
const runtime = openRuntime("page", settings.stage);
const config = { signIn: signInOf(settings) };
/** The deployment copies the built page beside the bundle. */
const files = await readPageFiles(join(import.meta.dirname, "web", "dist"));

export const handler = handlerOf<GatewayEvent, APIGatewayProxyResult>(runtime, (event) =>
  onPageRequest({ files, config }, event),
);
