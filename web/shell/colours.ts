/** Colours of tokens.css as canvas takes them. They follow the theme, so they are read for each drawing. */
export function colourOf(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
