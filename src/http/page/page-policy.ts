import type { PageConfig } from "./page-config.ts";

/**
 * Headers of the page's own files. Scripts and styles come from this origin and from files only: no inline script, no inline style, no
 * eval, so that text from a cluster could not run even if it became markup. What scripts set through `element.style` is not an inline style
 * (CSP 3, 6.7.3). `form-action` and `frame-ancestors` do not fall back to `default-src`, so they are named.
 */
export function pageHeaders(config: PageConfig): Readonly<Record<string, string>> {
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
