import type { PageConfig } from "./page-config.ts";

/**
 * Headers of the page's files. They allow scripts and styles only from files of this origin, without inline code or
 * eval, so that text from a cluster cannot run even as markup. Styles set through `element.style` are allowed (CSP 3,
 * 6.7.3). `form-action` and `frame-ancestors` do not fall back to `default-src`.
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
