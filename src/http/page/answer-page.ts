import type { PageConfig } from "./page-config.ts";
import type { PageFile, PageFiles } from "./page-files.ts";

export interface PageRequest {
  /** The path of the URL: `/`, `/config.json`, `/main-ABCDEFGH.js`. */
  readonly path: string;
  /** The header Accept-Encoding. */
  readonly acceptEncoding?: string | undefined;
}

/**
 * A file of the page; `undefined` for any other path.
 * Needs no authentication, because these files say nothing about a cluster.
 */
export function answerPage(files: PageFiles, config: PageConfig, request: PageRequest): Response | undefined {
  if (request.path === "/config.json") return respond(JSON.stringify(config), config, CONFIG_HEADERS);
  const file = files.get(request.path === "/" ? "index.html" : request.path.slice(1));
  if (file !== undefined) return respondFile(file, config, request.acceptEncoding ?? "");
  return request.path === "/" ? respond(NOT_BUILT, config, { "content-type": "text/plain; charset=utf-8" }) : undefined;
}

const CONFIG_HEADERS = { "content-type": "application/json", "cache-control": "no-store" };
const NOT_BUILT = "The page is not built. Run `npm run build:web` in the installation of Outlive. The API is at /v1.\n";

function respondFile(file: PageFile, config: PageConfig, acceptEncoding: string): Response {
  const small = acceptEncoding.split(",").some((coding) => coding.trim().startsWith("br"));
  return respond(small ? file.brotli : file.bytes, config, {
    "content-type": file.mediaType,
    // After an update, browsers must load the new page, which refers to the new files.
    "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    ...(small && { "content-encoding": "br" }),
  });
}

function respond(
  body: string | Uint8Array<ArrayBuffer>,
  config: PageConfig,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { headers: { ...pageHeaders(config), ...headers } });
}

/**
 * Headers of the page's files. They allow scripts and styles only from files of this origin, without inline code or
 * eval, so that text from a cluster cannot run even as markup. Styles set through `element.style` are allowed (CSP 3,
 * 6.7.3). `form-action` and `frame-ancestors` do not fall back to `default-src`.
 */
function pageHeaders(config: PageConfig): Readonly<Record<string, string>> {
  return {
    "content-security-policy": contentSecurityPolicy(config),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  };
}

function contentSecurityPolicy({ signIn }: PageConfig): string {
  const others = signIn.kind === "oidc" ? [new URL(signIn.tokenEndpoint).origin] : [];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...others].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
